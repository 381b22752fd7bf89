"""Following a match: every event from a revision on, each once and in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from services.common.errors import invalid_field
from services.engine.core import Outcome
from services.rules.match import MatchEvent, MatchInfo, Position
from services.rules.matches import Matches
from services.rules.wakes import Bell, Wakes
from services.rules.watchers import Watchers

PAGE: Final = 200


@dataclass(frozen=True, slots=True)
class Beat:
    """Nothing new in the match for a while, or another number of people who watch it."""


Update: TypeAlias = MatchEvent | Position | Beat | Outcome
"""The next event; the match after the events so far; a sign of life; the end, last."""


@dataclass(frozen=True, slots=True)
class Watching:
    """How matches are followed. What is followed is read from SQL; bells only say when.

    `watchers` have no seat, those who are `present` have: nobody is to call them.
    """

    matches: Matches
    wakes: Wakes
    draining: asyncio.Event
    heartbeat_s: float
    watchers: Watchers
    present: Watchers

    async def follow(self, info: MatchInfo, start: int) -> AsyncIterator[tuple[Position, Update]]:
        """Updates from revision `start` on, until the match is over or the server drains.

        Each comes with the latest position, which says who may see what by now. Raises
        `RefusedError`: INVALID_FIELD for a revision that is not reached yet.
        """
        with self.wakes.listen(info.match_id) as bell:
            position = await self.matches.current(info)
            bell.revision = max(bell.revision, position.revision)
            if not 0 <= start <= position.revision:
                raise invalid_field("from_revision", f"must be 0 to {position.revision}")
            while True:
                async for event in self._events(info, start, position.revision):
                    yield position, event
                start, told = position.revision, self.watchers.count(info.match_id)
                yield position, position
                if position.outcome is not None:
                    yield position, position.outcome
                    return
                while position.revision == start:
                    rung = await self._rung(bell)
                    if self.draining.is_set():
                        return
                    count = self.watchers.count(info.match_id)
                    if not rung or count != told:
                        told = count
                        yield position, Beat()
                    position = await self.matches.current(info, at_least=bell.revision)

    async def _rung(self, bell: Bell) -> bool:
        """Wait for the bell, for as long as silence is allowed."""
        if self.draining.is_set():
            return True
        return await bell.wait(self.heartbeat_s)

    async def _events(self, info: MatchInfo, start: int, end: int) -> AsyncIterator[MatchEvent]:
        while start < end:
            page = await self.matches.store.events(info.match_id, start, min(PAGE, end - start))
            if not page:
                raise LookupError(f"match {info.match_id} has no event {start}")
            for event in page:
                yield event
            start += len(page)
