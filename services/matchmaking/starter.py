"""Full tables become matches, also when rules was away at the moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.clock import Clock
from services.common.errors import RefusedError
from services.common.transactions import reading, writing
from services.matchmaking import pairing, store
from services.matchmaking.inbox.bells import Bells
from services.matchmaking.model import Status, Table
from services.matchmaking.neighbours import RefusedForGoodError, Rules

_log = structlog.get_logger("starter")

BATCH: Final = 50


@dataclass(frozen=True, slots=True)
class Starter:
    """Asks rules for the matches of full tables.

    A table's id is the request id, so that asking twice, from here and from another process,
    makes one match.
    """

    engine: AsyncEngine
    rules: Rules
    bells: Bells
    clock: Clock

    async def start(self, table: Table) -> Table:
        """The table with its match, when it is full and rules answers; else as it was.

        A table whose match rules refuses for good is closed.
        """
        if table.status is not Status.STARTING:
            return table
        try:
            match_id = await self.rules.create_match(table)
        except RefusedError:
            return table
        except RefusedForGoodError as error:
            _log.error("match refused, table closed", table=table.table_id, problem=str(error))
            return await self._save(table, pairing.closed)
        return await self._save(table, lambda now: pairing.started(now, match_id))

    async def any_waiting(self) -> bool:
        """Whether any table waits to be started."""
        async with reading(self.engine) as db:
            return bool(await store.tables_to_start(db, 1))

    async def sweep(self) -> None:
        """Start the tables that wait for it. Stops at the first that gets no answer."""
        async with reading(self.engine) as db:
            waiting = await store.tables_to_start(db, BATCH)
        for table in waiting:
            # Behind the others first, so that one that fails, however it does, can't hold them up.
            async with writing(self.engine) as db:
                await store.note_try(db, table.table_id, self.clock())
            if (await self.start(table)).status is Status.STARTING:
                break

    async def _save(self, before: Table, change: Callable[[Table], Table]) -> Table:
        async with writing(self.engine) as db:
            now = await store.table_by_id(db, before.table_id, lock=True)
            assert now is not None, "tables are never deleted"
            if now.status is not Status.STARTING:  # another process was faster
                return now
            # As it stands now: somebody's name may have been forgotten meanwhile.
            after = change(now)
            await store.save_table(db, now, after)
        self.bells.ring(after.involved)
        return after
