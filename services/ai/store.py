"""The ai service's tables: leases, and what was tried for each waiting seat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import BigInteger, Column, Integer, MetaData, String, Table, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from services.ai.plan import Key, Row
from services.common.lease import lease_table
from services.common.transactions import reading, writing

MIGRATIONS: Final = Path(__file__).parent / "migrations"

metadata = MetaData()
leases = lease_table(metadata)
dispatches = Table(
    "dispatches",
    metadata,
    Column("match_id", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("revision", BigInteger, primary_key=True),
    Column("attempts", Integer, nullable=False),
    Column("first_try_ms", BigInteger, nullable=False),
    Column("next_try_ms", BigInteger, nullable=False),
)
_KEY: Final = (dispatches.c.match_id, dispatches.c.seat, dispatches.c.revision)


class Dispatches:
    """The rows of waiting seats. There are as many as agents that are to act right now.

    All of it raises `RefusedError` UNAVAILABLE while the database is away.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def all(self) -> dict[Key, Row]:
        """Every row by its key."""
        async with reading(self._engine) as connection:
            found = await connection.execute(select(dispatches))
            rows = [
                Row(Key(r.match_id, r.seat, r.revision), r.attempts, r.first_try_ms, r.next_try_ms)
                for r in found
            ]
        return {row.key: row for row in rows}

    async def forget(self, match_id: str) -> int:
        """Forget what was tried in a match; returns for how many seats there was something."""
        async with writing(self._engine) as connection:
            of_match = dispatches.c.match_id == match_id
            return (await connection.execute(delete(dispatches).where(of_match))).rowcount

    async def change(self, put: Sequence[Row], drop: Sequence[Row]) -> None:
        """Store `put` and forget `drop`, in one transaction."""
        if not put and not drop:
            return
        build = postgresql.insert if self._engine.dialect.name == "postgresql" else sqlite.insert
        async with writing(self._engine) as connection:
            for row in drop:
                match_id, seat, revision = _KEY
                await connection.execute(
                    delete(dispatches).where(
                        match_id == row.key.match_id,
                        seat == row.key.seat,
                        revision == row.key.revision,
                    )
                )
            for row in put:
                values = {
                    "attempts": row.attempts,
                    "first_try_ms": row.first_try_ms,
                    "next_try_ms": row.next_try_ms,
                }
                await connection.execute(
                    build(dispatches)
                    .values(**row.key._asdict(), **values)
                    .on_conflict_do_update(index_elements=list(_KEY), set_=values)
                )
