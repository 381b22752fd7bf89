"""What the server in a test's hands says about a decision, and about a match that is over."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from typing import Any

from app.model.advice import Hint, Progress, Reason, Reviewing
from app.model.gateway import Offline, Refused
from app.model.values import Act
from app.net import convert
from services.wire.actions import action_to_message


class FakeAdvice(ABC):
    """The part of `FakeGateway` that gives hints and reviews as the test wants them."""

    def __init__(self) -> None:
        super().__init__()
        self.suggests = ""
        """The action of the next hint in its notation; "" for the first that is legal."""
        self.why: tuple[Reason, ...] = (Reason.BEST_ON_AVERAGE,)
        self.thinking: asyncio.Event | None = None
        """Set to an Event to make hints wait for it."""
        self.hints_asked: list[tuple[str, int, int]] = []
        """Match, seat and revision of each hint that was asked for."""
        self.hints_dropped = 0
        """How many nobody waited for."""
        self.reviews: list[Reviewing | Offline | Refused | asyncio.Event] = []
        """What a review says, step by step: updates, errors, and events to wait for. An error is
        raised once."""
        self.reviews_asked: list[tuple[str, int]] = []

    async def suggest(self, match_id: str, seat: int, revision: int) -> Hint:
        await self._reach()
        match = self._match(match_id)
        match.may_ask(seat, revision)
        self.hints_asked.append((match_id, seat, revision))
        if self.thinking is not None:
            try:
                await self.thinking.wait()
            except asyncio.CancelledError:
                self.hints_dropped += 1
                raise
        match.hinted.add((seat, revision))
        return Hint(self._suggested(match), self.why, match.hints_used()[seat])

    def _suggested(self, match: Any) -> Act:
        rules = match.rules
        legal = rules.legal_actions(match.state)
        wanted = rules.parse_action(self.suggests) if self.suggests else legal[0]
        return convert.act(action_to_message(rules, wanted))

    async def review(self, match_id: str, seat: int) -> AsyncGenerator[Reviewing, None]:
        await self._reach()
        match = self._match(match_id)
        if match.outcome is None:
            raise Refused("MATCH_RUNNING", "the match is not over yet", {})
        self.reviews_asked.append((match_id, seat))
        yield Progress(0, 0)
        for step in list(self.reviews):
            if isinstance(step, asyncio.Event):
                await step.wait()
            elif isinstance(step, Offline | Refused):
                self.reviews.remove(step)
                raise step
            else:
                yield step

    @abstractmethod
    async def _reach(self) -> None:
        """Get to the server, or not."""

    @abstractmethod
    def _match(self, match_id: str) -> Any:
        """The match of this id."""
