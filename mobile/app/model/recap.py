"""What happened in a match while nobody looked: fetched once, told before the present. No Kivy."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, replace

from app.model.gateway import Gateway, GatewayError
from app.model.store import Store
from app.model.values import Event, Match

MOST = 24
"""Of a longer absence the last so many events are told: nobody wants to sit through more."""
PATIENCE_S = 4.0
"""A story that takes longer to fetch is not told: the present is what one came for."""

_FILE = "seen"
MOST_MATCHES = 200


@dataclass(frozen=True, slots=True)
class Missed:
    """Events since this device showed the match last, each with the match as it stood after it, and
    how it stood before the first of them. Nobody may act in any of these."""

    before: Match
    story: tuple[tuple[Event, Match], ...]


async def missed_of(gateway: Gateway, match: Match, seen: int) -> Missed | None:
    """What led from revision `seen` to `match`, as its seats saw it; None when there is nothing,
    or nobody who tells it in time."""
    start = max(seen, match.revision - MOST, 0)
    if start >= match.revision or not match.views:
        return None
    try:
        async with asyncio.timeout(PATIENCE_S):
            events = await _events(gateway, match, start)
            wanted = range(start, match.revision)
            plies = await asyncio.gather(*(gateway.get_ply(match.match_id, at) for at in wanted))
    except (GatewayError, TimeoutError):
        return None
    if len(events) != match.revision - start:
        return None
    after = [*map(_quiet, plies[1:]), _quiet(match)]
    return Missed(_quiet(plies[0]), tuple(zip(events, after, strict=True)))


async def _events(gateway: Gateway, match: Match, start: int) -> list[Event]:
    events: list[Event] = []
    async with aclosing(gateway.watch_match(match.match_id, start)) as updates:
        async for update in updates:
            if isinstance(update, Event):
                events.append(update)
            if len(events) == match.revision - start:
                break
    return events


def _quiet(match: Match) -> Match:
    """The match with nothing to do: it is the past."""
    return replace(match, views=tuple(replace(view, legal=()) for view in match.views))


class Seen:
    """Up to which revision this device has shown each match, and what was promised of its dice;
    the newest 200 matches are remembered."""

    def __init__(self, store: Store) -> None:
        self._store = store
        kept = store.read(_FILE).get("matches")
        self._seen: dict[str, tuple[int, str]] = {}
        for entry in kept if isinstance(kept, list) else []:
            match entry:
                case [str(match_id), int(revision), str(promise)]:
                    self._seen[match_id] = (revision, promise)

    def of(self, match_id: str) -> int | None:
        """The revision shown last; None for a match that was never shown here."""
        return self._seen[match_id][0] if match_id in self._seen else None

    def promise_of(self, match_id: str) -> str:
        """What was promised of its dice when it was first seen here; "" if nothing was."""
        return self._seen[match_id][1] if match_id in self._seen else ""

    def note(self, match_id: str, revision: int, promise: str = "") -> None:
        """The match has been shown up to `revision`. Of promises the first one counts."""
        if self.of(match_id) == revision:
            return
        promise = self.promise_of(match_id) or promise
        self._seen.pop(match_id, None)
        self._seen[match_id] = (revision, promise)
        self._seen = dict(list(self._seen.items())[-MOST_MATCHES:])
        kept = [[match_id, *entry] for match_id, entry in self._seen.items()]
        # Not worth waiting for the storage: at worst a turn is told twice.
        self._store.write(_FILE, {"matches": kept}, durable=False)
