"""Which matches are past their deadline. Served milliseconds, see `turn_clock`."""

from __future__ import annotations

from sqlalchemy import select, tuple_
from sqlalchemy.ext.asyncio import AsyncEngine

from services.rules.store.failures import guarded
from services.rules.store.tables import MATCHES


async def passed(
    engine: AsyncEngine, served_ms: int, limit: int, after: tuple[int, str] | None = None
) -> list[tuple[int, str]]:
    """At most `limit` deadlines that have passed and their matches, ascending; those after one.

    Raises `RefusedError` UNAVAILABLE.
    """
    place = MATCHES.c.deadline_ms, MATCHES.c.match_id
    query = select(*place).where(MATCHES.c.deadline_ms <= served_ms).order_by(*place).limit(limit)
    if after is not None:
        query = query.where(tuple_(*place) > tuple_(*after))
    async with guarded(), engine.connect() as connection:
        await connection.execution_options(read_only=True)
        return [(row.deadline_ms, row.match_id) for row in await connection.execute(query)]
