"""Which matches are past their deadline. Served milliseconds, see `turn_clock`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from services.rules.store.failures import guarded
from services.rules.store.tables import MATCHES


async def passed(engine: AsyncEngine, served_ms: int, limit: int) -> Sequence[str]:
    """At most `limit` matches whose deadline has passed, the longest first.

    Raises `RefusedError` UNAVAILABLE.
    """
    query = (
        select(MATCHES.c.match_id)
        .where(MATCHES.c.deadline_ms <= served_ms)
        .order_by(MATCHES.c.deadline_ms)
        .limit(limit)
    )
    async with guarded(), engine.connect() as connection:
        await connection.execution_options(read_only=True)
        return (await connection.execute(query)).scalars().all()
