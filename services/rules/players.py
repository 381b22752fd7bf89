"""What rules knows of players: nothing but ids and names on seats, and what it is told of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import rules_service_pb2 as pb
from services.common.errors import RefusedError
from services.common.sessions import ANONYMOUS, EndedSessions
from services.rules.match import MatchInfo
from services.rules.matches import Matches
from services.rules.store import Request
from services.rules.store.failures import guarded
from services.rules.store.tables import MATCHES, SEATS
from services.rules.sweep import ACCOUNT
from services.rules.wishes import Resign

# What a seat may answer to being given up: it was before, or the match has ended meanwhile.
_DONE = frozenset(
    {
        ErrorReason.ERROR_REASON_NOT_YOUR_SEAT,
        ErrorReason.ERROR_REASON_MATCH_FINISHED,
    }
)


@dataclass(frozen=True, slots=True)
class Players:
    """Ends sessions and forgets players. All of it may be repeated."""

    engine: AsyncEngine
    matches: Matches
    ended: EndedSessions

    async def end_sessions(self, player_id: str, generation: int) -> None:
        """Take no more access tokens of a player below a generation."""
        await self._note(player_id, generation, deleted=False)

    async def forget(self, player_id: str, generation: int, name: str) -> None:
        """The same, and give all seats of the player another name; those that play are given up."""
        await self._note(player_id, generation, deleted=True)
        await self._rename(player_id, name)

    async def created(self, match_id: str) -> None:
        """Forget those of a new match whose accounts were deleted while it was asked for."""
        info = await self.matches.info(match_id)
        ids = {who.player_id for who in info.seats if who.player_id} if info is not None else set()
        for player_id in await self._gone(ids):
            await self._rename(player_id, ANONYMOUS)

    async def _gone(self, player_ids: Collection[str]) -> Sequence[str]:
        # Asked of SQL: what another process was told, this one learns seconds later.
        gone = self.ended.table.c
        query = select(gone.player_id).where(gone.player_id.in_(player_ids), gone.deleted)
        async with guarded(), self.engine.execution_options(read_only=True).connect() as db:
            return (await db.scalars(query)).all()

    async def _note(self, player_id: str, generation: int, *, deleted: bool) -> None:
        async with guarded():
            async with self.engine.begin() as db:
                await self.ended.note(db, player_id, generation, deleted=deleted)
            await self.ended.read()

    async def _rename(self, player_id: str, name: str) -> None:
        async with guarded(), self.engine.begin() as db:
            theirs = SEATS.c.player_id == player_id
            await db.execute(update(SEATS).where(theirs).values(display_name=name))
        self.matches.forget_names(player_id)
        async with guarded(), self.engine.execution_options(read_only=True).connect() as db:
            running = await db.scalars(
                select(SEATS.c.match_id)
                .join(MATCHES, MATCHES.c.match_id == SEATS.c.match_id)
                .where(SEATS.c.player_id == player_id, MATCHES.c.outcome.is_(None))
                .distinct()
            )
        for match_id in running:
            try:
                info = await self.matches.info(match_id)
            except RefusedError as refused:
                # By rules that this version does not have: nobody plays it, and it must not keep
                # the player from being forgotten elsewhere.
                if refused.reason != ErrorReason.ERROR_REASON_GAME_NOT_FOUND:
                    raise
            else:
                if info is not None:
                    await self._give_up(info, player_id)

    async def _give_up(self, info: MatchInfo, player_id: str) -> None:
        for seat, who in enumerate(info.seats):
            if who.player_id == player_id:
                # Under an account of ours: no request of the player's can have this id.
                request = Request(ACCOUNT, f"account deleted:{player_id}:{seat}")
                try:
                    await self.matches.submit(info, Resign(seat), request, _reply)
                except RefusedError as refused:
                    if refused.reason not in _DONE:
                        raise


def _reply(applied: int, revision: int) -> bytes:
    reply = pb.ResignResponse(applied_revision=applied, revision=revision)
    return reply.SerializeToString(deterministic=True)
