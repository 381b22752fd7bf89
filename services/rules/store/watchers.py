"""Who watches which match through which process. See `services.rules.watchers`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Table, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from services.rules.store.failures import guarded
from services.rules.store.tables import WATCHERS

Watcher: TypeAlias = tuple[str, str]
"""A match, and a player who watches it."""


@dataclass(frozen=True, slots=True)
class WatchersSql:
    """The rows of one process: of those without a seat, unless `table` is PRESENT.

    All of it raises `RefusedError` UNAVAILABLE and nothing else.
    """

    engine: AsyncEngine
    process: str
    table: Table = WATCHERS

    async def put(self, watcher: Watcher, now_ms: int, *, here: bool) -> None:
        """Say that somebody watches through this process, or no longer does."""
        match_id, player_id = watcher
        async with guarded(), self.engine.begin() as db:
            await db.execute(
                delete(self.table).where(
                    self.table.c.match_id == match_id,
                    self.table.c.player_id == player_id,
                    self.table.c.process == self.process,
                )
            )
            if here:
                await db.execute(insert(self.table).values(self._row(watcher, now_ms)))

    async def beat(self, here: Collection[Watcher], now_ms: int, lapsed_ms: int) -> None:
        """Say that these still do, and forget the rows that nobody has spoken for since
        `lapsed_ms`: their process is gone.
        """
        mine = self.table.c.process == self.process
        async with guarded(), self.engine.begin() as db:
            touched = await db.execute(update(self.table).where(mine).values(seen_at_ms=now_ms))
            if touched.rowcount != len(here):  # this process slept, and others thought it gone
                await db.execute(delete(self.table).where(mine))
                if here:
                    await db.execute(insert(self.table), [self._row(who, now_ms) for who in here])
            await db.execute(delete(self.table).where(self.table.c.seen_at_ms < lapsed_ms))

    async def counts(self, match_id: str | None = None) -> dict[str, int]:
        """How many people watch: one match, or all that anybody watches."""
        people = func.count(self.table.c.player_id.distinct())
        query = select(self.table.c.match_id, people).group_by(self.table.c.match_id)
        if match_id is not None:
            query = query.where(self.table.c.match_id == match_id)
        async with guarded(), self.engine.connect() as db:
            await db.execution_options(read_only=True)
            return {row[0]: row[1] for row in await db.execute(query)}

    def _row(self, watcher: Watcher, now_ms: int) -> dict[str, str | int]:
        match_id, player_id = watcher
        return {
            "match_id": match_id,
            "player_id": player_id,
            "process": self.process,
            "seen_at_ms": now_ms,
        }
