"""Where a player's matches stand, and what happened in them: one answer for many matches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import Kind, Principal
from services.common.errors import RefusedError
from services.engine.core import SPECTATOR, Seat
from services.rules.access import may_know, seats_left
from services.rules.match import MatchEvent, MatchInfo
from services.rules.matches import Matches
from services.rules.store import Head
from services.rules.store.news import NewsSql

MOST_EVENTS: Final = 20
_AT_ONCE: Final = 20


@dataclass(frozen=True, slots=True)
class MatchNews:
    """One match. `seats` are the player's that were not given up; `seen_by` decides what of the
    events they see: those seats, or else what a spectator sees.
    """

    info: MatchInfo
    head: Head
    seats: tuple[Seat, ...]
    events: tuple[MatchEvent, ...]

    @property
    def seen_by(self) -> tuple[Seat, ...]:
        """Whose view it is."""
        return self.seats or (SPECTATOR,)


@dataclass(frozen=True, slots=True)
class News:
    """Reads SQL alone: no position is made for it."""

    matches: Matches
    store: NewsSql

    async def of(self, player_id: str, asked: Sequence[tuple[str, int | None]]) -> list[MatchNews]:
        """The news of matches, each with the revision seen last (None: no events are wanted).

        In the order asked. Unknown matches, those that are not the player's to see, and those
        whose rules this server does not have, are left out.
        """
        player = Principal(Kind.PLAYER, player_id)
        infos = await self._infos(player, [match_id for match_id, _ in asked])
        heads = await self.matches.store.heads(list(infos))
        given_up = await self.store.given_up({m: len(info.seats) for m, info in infos.items()})
        starts = {
            match_id: max(seen, heads[match_id].revision - MOST_EVENTS)
            for match_id, seen in asked
            if seen is not None and match_id in heads and seen < heads[match_id].revision
        }
        events = await self.store.events(starts)
        return [
            MatchNews(
                infos[match_id],
                heads[match_id],
                seats_left(infos[match_id], player, given_up.get(match_id, set())),
                # More may have happened since the heads were read: they go with the next answer.
                tuple(
                    event
                    for event in events.get(match_id, ())
                    if event.revision < heads[match_id].revision
                ),
            )
            for match_id, _ in asked
            if match_id in infos and match_id in heads
        ]

    async def _infos(self, player: Principal, match_ids: Sequence[str]) -> dict[str, MatchInfo]:
        found = {match_id: self.matches.remembered(match_id) for match_id in match_ids}
        missing = [match_id for match_id, info in found.items() if info is None]
        for start in range(0, len(missing), _AT_ONCE):
            some = missing[start : start + _AT_ONCE]
            infos = await asyncio.gather(*map(self._info, some))
            found.update(zip(some, infos, strict=True))
        return {
            match_id: info
            for match_id, info in found.items()
            if info is not None and may_know(info, player)
        }

    async def _info(self, match_id: str) -> MatchInfo | None:
        try:
            return await self.matches.info(match_id)
        except RefusedError as error:
            if error.reason == ErrorReason.ERROR_REASON_GAME_NOT_FOUND:
                return None  # left out, instead of spoiling the answer for all
            raise
