"""What happened in a match while nobody looked: fetched once, told before the present. No Kivy."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, replace

from app.model.gateway import Gateway, GatewayError
from app.model.values import Event, Match

MOST = 24
"""Of a longer absence the last so many events are told: nobody wants to sit through more."""
PATIENCE_S = 4.0
"""A story that takes longer to fetch is not told: the present is what one came for."""


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
