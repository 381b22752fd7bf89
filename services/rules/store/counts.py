"""How many matches there are."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from services.rules.store.failures import guarded
from services.rules.store.tables import MATCHES


@dataclass(frozen=True, slots=True)
class CountsSql:
    """Reads only; raises `RefusedError` UNAVAILABLE and nothing else."""

    engine: AsyncEngine

    async def matches(self) -> tuple[int, int, int]:
        """Those that go on, those that are over, and those in which an agent is to act."""
        # COUNT of a column counts where it is not null.
        everything = func.count()
        over, waiting = func.count(MATCHES.c.outcome), func.count(MATCHES.c.waiting_agent)
        query = select(everything, over, waiting).select_from(MATCHES)
        async with guarded(), self.engine.connect() as db:
            await db.execution_options(read_only=True)
            row = (await db.execute(query)).one()
        return row[0] - row[1], row[1], row[2]
