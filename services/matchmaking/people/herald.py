"""What rules has to be told of players: sessions that ended, accounts that are gone.

Noted in the transaction that makes it so, told right after it, and again until rules has heard it.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Final

import grpc
from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import players_internal_service_pb2 as pb
from oddsocks.rules.v1 import players_internal_service_pb2_grpc as pb_grpc
from services.common.clock import Clock
from services.common.errors import RefusedError
from services.common.transactions import reading, writing
from services.matchmaking import schema as s
from services.matchmaking.people.model import GUEST

BATCH: Final = 50
QUICK_S: Final = 2.0
_news = s.news_for_rules.c


@dataclass(frozen=True, slots=True)
class News:
    """Tokens below `generation` are no longer good; if `deleted`, the player is gone as well."""

    player_id: str
    generation: int
    deleted: bool


@dataclass(frozen=True, slots=True)
class Herald:
    """Tells rules; `channel` leads to its internal listener."""

    engine: AsyncEngine
    channel: grpc.aio.Channel
    clock: Clock

    async def note(
        self, db: AsyncConnection, player_id: str, generation: int, *, deleted: bool
    ) -> None:
        """Note something to tell, in the caller's transaction."""
        build = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
        values = {"generation": generation, "deleted": deleted, "tried_at_ms": self.clock()}
        await db.execute(
            build(s.news_for_rules)
            .values(player_id=player_id, **values)
            .on_conflict_do_update(index_elements=[_news.player_id], set_=values)
        )

    async def tell_soon(self, player_id: str) -> None:
        """Tell what was just noted of a player, if rules answers now; else the sweep will."""
        async with reading(self.engine) as db:
            news = await _read(db, player_id)
        for one in news:
            with contextlib.suppress(RefusedError):
                await self._tell(one)

    async def any_untold(self) -> bool:
        """Whether there is anything that rules has not heard yet."""
        async with reading(self.engine) as db:
            return bool(await _read(db))

    async def sweep(self) -> None:
        """Tell what rules has not heard yet. Stops at the first that gets no answer."""
        async with reading(self.engine) as db:
            waiting = await _read(db)
        for one in waiting:
            try:
                await self._tell(one)
            except RefusedError:
                # Behind the others, so that one that always fails can't hold them up.
                async with writing(self.engine) as db:
                    this = _news.player_id == one.player_id
                    tried = {"tried_at_ms": self.clock()}
                    await db.execute(update(s.news_for_rules).where(this).values(**tried))
                raise

    async def _tell(self, news: News) -> None:
        stub = pb_grpc.PlayersInternalServiceStub(self.channel)
        try:
            if news.deleted:
                forget = pb.ForgetPlayerRequest(
                    player_id=news.player_id, generation=news.generation, display_name=GUEST
                )
                await stub.ForgetPlayer(forget, timeout=QUICK_S)
            else:
                ended = pb.EndSessionsRequest(player_id=news.player_id, generation=news.generation)
                await stub.EndSessions(ended, timeout=QUICK_S)
        except grpc.aio.AioRpcError as error:
            raise RefusedError(
                ErrorReason.ERROR_REASON_UNAVAILABLE, "rules has not been told of a player yet"
            ) from error
        async with writing(self.engine) as db:
            # Unless there is more to tell by now.
            told = (_news.player_id == news.player_id) & (_news.generation == news.generation)
            await db.execute(delete(s.news_for_rules).where(told))


async def _read(db: AsyncConnection, player_id: str | None = None) -> list[News]:
    query = select(_news.player_id, _news.generation, _news.deleted)
    if player_id is not None:
        query = query.where(_news.player_id == player_id)
    rows = await db.execute(query.order_by(_news.tried_at_ms, _news.player_id).limit(BATCH))
    return [News(row.player_id, row.generation, row.deleted) for row in rows]
