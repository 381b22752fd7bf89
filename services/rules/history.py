"""What a match was: its events, and the position at any revision. What was never changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from services.rules.match import MatchEvent, MatchInfo, Position, replay, start
from services.rules.store import SNAPSHOT_EVERY, MatchStore

Key = TypeVar("Key")
Value = TypeVar("Value")
PAGE: Final = 500


@dataclass(slots=True)
class History:
    """All events of all matches. `size` bounds the positions on the way that are kept."""

    store: MatchStore
    size: int
    _marks: OrderedDict[tuple[str, int], Position] = field(default_factory=OrderedDict)

    async def pages(
        self, info: MatchInfo, end: int, begin: int = 0
    ) -> AsyncIterator[Sequence[MatchEvent]]:
        """The events from revision `begin` on and before `end`, which the match has reached."""
        while begin < end:
            page = await self.store.events(info.match_id, begin, min(PAGE, end - begin))
            if not page:
                raise LookupError(f"match {info.match_id} has no event {begin}")
            yield page
            begin += len(page)

    async def at(self, info: MatchInfo, revision: int) -> Position:
        """The position at a revision that the match has reached, from the last mark on."""
        mark = revision - revision % SNAPSHOT_EVERY
        while mark > 0 and (info.match_id, mark) not in self._marks:
            mark -= SNAPSHOT_EVERY
        position = self._marks[info.match_id, mark] if mark > 0 else start(info, 0)
        while position.revision < revision:
            page = min(SNAPSHOT_EVERY, revision - position.revision)
            async for events in self.pages(info, position.revision + page, position.revision):
                position = replay(info, position, events, None)
            if position.revision % SNAPSHOT_EVERY == 0:
                keep(self._marks, (info.match_id, position.revision), position, self.size)
        return position


def keep(cache: OrderedDict[Key, Value], key: Key, value: Value, size: int) -> None:
    """Keep a value as the newest of at most `size`."""
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > size:
        cache.popitem(last=False)
