"""A stand-in for rules: the contract's promises over real games, with faults to order.

Real gRPC on a real port and real rules of the game, but matches live in memory and a test decides
which call fails how. So tests of the ai service can ask what reaches rules, and how often.
"""
# ruff: noqa: N802 (the contract's names)

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal
from oddsocks.rules.v1 import rules_service_pb2 as rules
from oddsocks.rules.v1.rules_internal_service_pb2_grpc import RulesInternalServiceServicer
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceServicer
from services.common.errors import RefusedError
from services.engine.core import CHANCE
from services.engine.core.registry import ruleset
from tests.contract.ai.desk import Desk

GAME = ruleset("socker")


@dataclass
class StandInMatch:
    """A match of agents. `applied` has one (seat, revision, action, origin) per action."""

    match_id: str
    agents: tuple[str, str]
    pace: int
    until: int
    state: Any = field(default_factory=lambda: GAME.initial({}, 2))
    revision: int = 0
    applied: list[tuple[int, int, str, str]] = field(default_factory=list)
    replies: dict[str, rules.SubmitActionResponse] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._chance()

    @property
    def actor(self) -> int | None:
        """The seat to act; None when enough has been played."""
        return None if self.revision >= self.until else GAME.actor(self.state)

    def play(self, text: str) -> None:
        """Apply an action, and the chance that follows."""
        action = GAME.check(self.state, GAME.parse_action(text))
        self.state, self.revision = GAME.apply(self.state, action), self.revision + 1
        self._chance()

    def _chance(self) -> None:
        while GAME.actor(self.state) == CHANCE:
            first = GAME.chance_outcomes(self.state)[0].action
            self.state, self.revision = GAME.apply(self.state, first), self.revision + 1


class StandIn(RulesServiceServicer, RulesInternalServiceServicer):
    """Both services of rules. `before_question`, `before_apply` and `after_apply` are called with
    the match; they may wait, or raise a `RefusedError`, as a test likes. `wake` tells who waits
    for waiting seats that there may be one."""

    def __init__(self) -> None:
        self.matches: dict[str, StandInMatch] = {}
        self.questions = 0
        self.submits = 0
        self.hidden = False
        self.desk = Desk()
        self.before_question: Callable[[StandInMatch], Any] = _nothing
        self.before_apply: Callable[[StandInMatch], Any] = _nothing
        self.after_apply: Callable[[StandInMatch], Any] = _nothing
        self.wake: Callable[[], Any] = lambda: None
        self._changed = asyncio.Condition()

    def open(
        self,
        match_id: str,
        *,
        agent: str = "random",
        until: int = 2,
        pace: int = play_pb2.PACE_LIVE,
    ) -> StandInMatch:
        """A match between two of `agent` that is over at revision `until`."""
        match = StandInMatch(match_id, (agent, agent), pace, until)
        self.matches[match_id] = match
        return match

    async def finished(self, match: StandInMatch, within_s: float) -> None:
        """Wait until the match is over; TimeoutError after `within_s` seconds."""
        async with asyncio.timeout(within_s), self._changed:
            await self._changed.wait_for(lambda: match.actor is None)

    # --- the contract -----------------------------------------------------------------------------

    async def ListWaitingSeats(self, request: Any, _context: Any) -> Any:
        seats = [
            internal.WaitingSeat(
                match_id=match.match_id,
                seat=match.actor,
                revision=match.revision,
                game=GAME.game,
                agent=match.agents[match.actor],
                pace=play_pb2.Pace.ValueType(match.pace),
            )
            for match in self.matches.values()
            if match.actor is not None and not self.hidden
        ]
        start = int(request.page_token or 0)
        size = min(request.page_size, 30)  # smaller than asked for, so that pages are turned
        more = start + size < len(seats)
        return internal.ListWaitingSeatsResponse(
            seats=seats[start : start + size],
            next_page_token=str(start + size) if more else "",
        )

    async def GetInformationState(self, request: Any, _context: Any) -> Any:
        self.questions += 1
        match = self._match(request.match_id)
        await _maybe(self.before_question(match))
        if (match.revision, match.actor) != (request.revision, request.seat):
            raise _stale(match)
        text = GAME.format_information(GAME.information(match.state, request.seat))
        return internal.GetInformationStateResponse(
            game=GAME.game,
            information=text,
            information_sha256=hashlib.sha256(text.encode()).hexdigest(),
            agent=match.agents[request.seat],
            pace=play_pb2.Pace.ValueType(match.pace),
        )

    async def SubmitAction(self, request: Any, _context: Any) -> Any:
        self.submits += 1
        match = self._match(request.match_id)
        await _maybe(self.before_apply(match))
        if request.request_id not in match.replies:
            if (match.revision, match.actor) != (request.expected_revision, request.seat):
                raise _stale(match)
            match.play(request.action.text)
            match.applied.append(
                (request.seat, request.expected_revision, request.action.text, request.origin)
            )
            match.replies[request.request_id] = rules.SubmitActionResponse(
                applied_revision=request.expected_revision, revision=match.revision
            )
            async with self._changed:
                self._changed.notify_all()
            await _maybe(self.wake())
        await _maybe(self.after_apply(match))
        return match.replies[request.request_id]

    def _match(self, match_id: str) -> StandInMatch:
        if match_id not in self.matches:
            raise RefusedError(ErrorReason.ERROR_REASON_MATCH_NOT_FOUND, "no such match")
        return self.matches[match_id]


def unavailable() -> RefusedError:
    """What a caller sees of a rules service that is in trouble."""
    return RefusedError(ErrorReason.ERROR_REASON_UNAVAILABLE, "ordered by a test")


def times(count: int, fault: Callable[[], Exception]) -> Callable[[StandInMatch], None]:
    """A hook that fails the first `count` calls."""
    left = [count]

    def hook(match: StandInMatch) -> None:
        if left[0] > 0:
            left[0] -= 1
            raise fault()

    return hook


def random_walk(seed: int, plies: int) -> str:
    """The information state after some plies of a random game."""
    rng, state = Random(seed), GAME.initial({}, 2)
    for _ in range(plies):
        state = GAME.apply(state, rng.choice(GAME.legal_actions(state)))
    actor = GAME.actor(state)
    assert actor is not None
    return GAME.format_information(GAME.information(state, actor))


def _stale(match: StandInMatch) -> RefusedError:
    reason = ErrorReason.ERROR_REASON_STALE_REVISION
    return RefusedError(reason, "moved on", revision=match.revision)


def _nothing(match: StandInMatch) -> None:
    """The hook that does nothing."""


async def _maybe(result: Any) -> None:
    if asyncio.iscoroutine(result):
        await result


__all__ = ["GAME", "StandIn", "StandInMatch", "random_walk", "times", "unavailable"]
