"""The database under the service: its schema, and what callers are told while it is away."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from grpc import StatusCode
from sqlalchemy import Connection

from services.common import database
from services.common.database import connect
from services.matchmaking import schema
from tests.contract.matchmaking.world import OPEN, SELF, World, refused, running_world
from tests.fixtures.local import run_sql

UNAVAILABLE = (StatusCode.UNAVAILABLE, "UNAVAILABLE")


async def test_the_migrations_make_what_the_code_expects(world: World) -> None:
    def differences(connection: Connection) -> Any:
        return compare_metadata(MigrationContext.configure(connection), schema.metadata)

    engine = connect(world.database_url)
    async with engine.connect() as db:
        assert await db.run_sync(differences) == []
    await engine.dispose()


@pytest.fixture
async def on_postgres(fresh_postgres_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with running_world(fresh_postgres_url, tmp_path) as world:
        yield world


async def test_while_postgresql_is_away_calls_are_unavailable_and_then_work_again(
    on_postgres: World, postgres_url: str
) -> None:
    anna = await on_postgres.guest()
    table = await anna.open(SELF, OPEN)
    name = on_postgres.database_url.rpartition("/")[2]
    end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"

    await asyncio.to_thread(run_sql, postgres_url, end)
    assert await anna.get(table.table_id) == table  # lost connections are not the caller's worry

    rename = "ALTER DATABASE {} RENAME TO {}"
    away = rename.format(name, f"{name}_away")
    await asyncio.to_thread(run_sql, postgres_url, end, away)
    try:
        for _ in range(2):
            with refused(*UNAVAILABLE):
                await anna.get(table.table_id)
            with refused(*UNAVAILABLE):
                await anna.open(SELF, OPEN)
    finally:
        back = rename.format(f"{name}_away", name)
        await asyncio.to_thread(run_sql, postgres_url, back)
    assert await anna.get(table.table_id) == table
    assert len((await anna.mine()).matches) == 1


async def test_while_sqlite_is_locked_readers_read_and_writers_are_told_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 50)
    async with running_world(f"sqlite:///{tmp_path}/m.db", tmp_path) as world:
        anna = await world.guest()
        table = await anna.open(SELF, OPEN)
        other = sqlite3.connect(tmp_path / "m.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert await anna.get(table.table_id) == table
        with refused(*UNAVAILABLE):
            await anna.leave(table.table_id)
        other.execute("ROLLBACK")
        other.close()
        await anna.leave(table.table_id)
