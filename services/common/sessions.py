"""Sessions that were ended before their access tokens were: signed out everywhere, or deleted.

An access token carries the generation of its account. Ending a player's sessions raises it, and
every service that takes players' tokens keeps, for as long as older tokens would last, the least
generation that is still good: in SQL, and in the memory of each of its processes.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Final

import structlog
from sqlalchemy import BigInteger, Boolean, Column, Integer, MetaData, String, Table, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.common.auth import Principal
from services.common.background import in_background
from services.common.clock import Clock

_log = structlog.get_logger("sessions")

LONGEST_ACCESS_MS: Final = 24 * 3_600_000
"""No access token lasts longer; so long ended sessions are remembered."""
ANONYMOUS: Final = "Guest"
"""What everybody calls a player whose account is gone, or who gave no name."""
LOOK_S: Final = 2.0
"""How often each process looks for what another one was told."""


def ended_sessions_table(metadata: MetaData) -> Table:
    """The table of ended sessions; each service makes it in its own migration history."""
    return Table(
        "ended_sessions",
        metadata,
        Column("player_id", String(64), primary_key=True),
        Column("generation", Integer, nullable=False),
        Column("deleted", Boolean, nullable=False),
        Column("until_ms", BigInteger, nullable=False, index=True),
    )


def _nothing(player_id: str) -> None:
    del player_id


@dataclass(slots=True)
class EndedSessions:
    """Which access tokens are no longer good although their time has not come.

    `gone` is called in every process, at least once, with the id of a player whose account was
    deleted.
    """

    engine: AsyncEngine
    table: Table
    clock: Clock
    gone: Callable[[str], None] = _nothing
    _least: dict[str, int] = field(default_factory=dict)
    _gone: set[str] = field(default_factory=set)
    # One reads at a time: an answer from before a sign-out must not replace a later one.
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def ended(self, principal: Principal) -> bool:
        """Whether a token of this principal is no longer good."""
        return principal.generation < self._least.get(principal.id, 0)

    async def note(
        self, db: AsyncConnection, player_id: str, generation: int, *, deleted: bool
    ) -> None:
        """Write, in the caller's transaction, that tokens below `generation` ended; repeatable."""
        build = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
        # Twice: rules may be told late, and clocks of two machines differ.
        until_ms = self.clock() + 2 * LONGEST_ACCESS_MS
        values = {"generation": generation, "deleted": deleted, "until_ms": until_ms}
        columns = self.table.c
        await db.execute(
            build(self.table)
            .values(player_id=player_id, **values)
            .on_conflict_do_update(
                index_elements=[columns.player_id],
                set_=values,
                where=(columns.generation <= generation) & columns.deleted.is_(False),
            )
        )

    async def read(self) -> None:
        """Bring this process's memory up to what the database says by the time of this call."""
        async with self._reading:
            columns, now = self.table.c, self.clock()
            query = select(columns.player_id, columns.generation, columns.deleted)
            async with self.engine.execution_options(read_only=True).connect() as db:
                rows = (await db.execute(query.where(columns.until_ms > now))).all()
            self._least = {row.player_id: row.generation for row in rows}
            deleted = {row.player_id for row in rows if row.deleted}
            for player_id in deleted - self._gone:
                self.gone(player_id)
            self._gone = deleted

    async def forget(self) -> None:
        """Delete what no token is old enough for any more."""
        async with self.engine.begin() as db:
            await db.execute(delete(self.table).where(self.table.c.until_ms <= self.clock()))

    @contextlib.asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        """Keep reading for as long as the block lasts; the first time before it begins."""
        await self.read()
        async with in_background(self._follow):
            yield

    async def _follow(self) -> None:
        failing = False
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.read()
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                if not failing:
                    _log.warning("ended sessions can't be read", error=type(error).__name__)
                failing = True
            else:
                failing = False
