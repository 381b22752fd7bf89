"""Databases: made ready on both kinds, and refused in one line that says what to do."""

from __future__ import annotations

import asyncio
import sqlite3
import textwrap
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from services.common import database
from services.common.database import DatabaseError, connect, migrate
from services.common.errors import RefusedError
from services.common.transactions import reading

ENV = "from services.common.migrations_env import run\n\nrun()\n"
STEP = """
    import sqlalchemy as sa
    from alembic import op

    revision = "{name}"
    down_revision = {down!r}


    def upgrade() -> None:
        op.create_table("socks_{name}", sa.Column("sock_id", sa.Integer, primary_key=True))
        {more}
"""


def history(directory: Path, *names: str, last: str = "pass") -> Path:
    """A migration history that makes a table a step; `last` is one more line of the last step."""
    versions = directory / "versions"
    versions.mkdir(parents=True)
    (directory / "env.py").write_text(ENV)
    for index, name in enumerate(names):
        down = names[index - 1] if index else None
        more = last if index == len(names) - 1 else "pass"
        step = textwrap.dedent(STEP.format(name=name, down=down, more=more))
        (versions / f"{name}.py").write_text(step)
    return directory


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = connect(database_url)
    yield engine
    await engine.dispose()


async def count(engine: AsyncEngine, table: str) -> int:
    async with engine.connect() as connection:
        return int(await connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0)


async def test_a_database_is_brought_up_to_date_and_keeps_its_rows(
    engine: AsyncEngine, tmp_path: Path
) -> None:
    await migrate(engine, history(tmp_path / "old", "a1"))
    async with engine.begin() as connection:
        await connection.execute(text("INSERT INTO socks_a1 VALUES (7)"))
    newer = history(tmp_path / "new", "a1", "a2")
    await migrate(engine, newer)
    await migrate(engine, newer)
    assert await count(engine, "socks_a1") == 1
    assert await count(engine, "socks_a2") == 0


async def test_a_newer_database_is_refused_and_left_alone(
    engine: AsyncEngine, tmp_path: Path
) -> None:
    await migrate(engine, history(tmp_path / "new", "a1", "a2"))
    with pytest.raises(DatabaseError, match="schema a2, newer than this version knows: update"):
        await migrate(engine, history(tmp_path / "old", "a1"))
    assert await count(engine, "socks_a2") == 0


async def test_processes_that_start_at_once_take_turns(database_url: str, tmp_path: Path) -> None:
    migrations = history(tmp_path / "m", "a1", "a2")
    engines = [connect(database_url) for _ in range(4)]
    await asyncio.gather(*(migrate(engine, migrations) for engine in engines))
    assert await count(engines[0], "socks_a2") == 0
    for engine in engines:
        await engine.dispose()


async def test_a_step_that_fails_leaves_no_half_of_it(engine: AsyncEngine, tmp_path: Path) -> None:
    with pytest.raises(DatabaseError):
        await migrate(engine, history(tmp_path / "m", "a1", last="op.drop_table('missing')"))
    await migrate(engine, history(tmp_path / "again", "a1"))
    assert await count(engine, "socks_a1") == 0


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "not a database URL"),
        ("socks", "not a database URL"),
        ("mysql://host/name", "'mysql' is not supported"),
        ("sqlite://", "name a file"),
        ("sqlite:////nowhere/at/all.db", "no folder /nowhere/at for the database all.db"),
    ],
)
def test_a_url_that_can_be_none_is_refused(url: str, problem: str) -> None:
    with pytest.raises(DatabaseError, match=problem):
        connect(url)


async def test_a_locked_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 20)
    holder = sqlite3.connect(tmp_path / "held.db", isolation_level=None)
    holder.execute("PRAGMA journal_mode=WAL")
    holder.execute("BEGIN IMMEDIATE")
    engine = connect(f"sqlite:///{tmp_path}/held.db")
    with pytest.raises(DatabaseError, match=r"held\.db: database is locked"):
        await migrate(engine, history(tmp_path / "m", "a1"))
    await engine.dispose()
    holder.close()


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("socks are for feet\n" * 100)
    engine = connect(f"sqlite:///{tmp_path}/notes.db")
    with pytest.raises(DatabaseError, match=r"notes\.db: file is not a database"):
        await migrate(engine, history(tmp_path / "m", "a1"))
    await engine.dispose()
    assert (tmp_path / "notes.db").read_text().startswith("socks are for feet")


async def test_a_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    engine = connect("postgresql://socks:hush@127.0.0.1:1/none")
    with pytest.raises(DatabaseError, match="ODDSOCKS_DATABASE_URL") as caught:
        await migrate(engine, history(tmp_path / "m", "a1"))
    await engine.dispose()
    assert "127.0.0.1:1/none" in str(caught.value)
    assert "hush" not in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_sqlite_survives_a_power_cut_and_two_writers_wait_for_each_other(
    tmp_path: Path,
) -> None:
    engine = connect(f"sqlite:///{tmp_path}/socks.db")
    async with engine.connect() as connection:
        pragmas = {
            name: await connection.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,  # FULL
        "foreign_keys": 1,
        "busy_timeout": 5_000,
    }
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE socks (n INTEGER)"))
        await connection.execute(text("INSERT INTO socks VALUES (0)"))

    async def add_one() -> None:
        # Read, then write: with a deferred BEGIN one of two would fail half-way.
        async with engine.begin() as connection:
            n = int(await connection.scalar(text("SELECT n FROM socks")) or 0)
            await connection.execute(text(f"UPDATE socks SET n = {n + 1}"))

    await asyncio.gather(*(add_one() for _ in range(10)))
    async with engine.connect() as connection:
        assert await connection.scalar(text("SELECT n FROM socks")) == 10
    await engine.dispose()


async def test_errors_do_not_carry_the_values_of_statements(engine: AsyncEngine) -> None:
    with pytest.raises(Exception, match="missing") as caught:
        async with engine.begin() as connection:
            await connection.execute(text("SELECT * FROM missing WHERE n = :n"), {"n": "Zebulon"})
    assert "Zebulon" not in str(caught.value)


async def test_no_statement_waits_for_ever(
    fresh_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it would where a network swallows everything; nobody's deadline ends a sweep."""
    monkeypatch.setattr(database, "COMMAND_TIMEOUT_S", 0.3)
    engine = connect(fresh_postgres_url)
    try:
        async with asyncio.timeout(20):
            with pytest.raises(RefusedError, match="try again"):
                async with reading(engine) as db:
                    await db.execute(text("SELECT pg_sleep(60)"))
            async with reading(engine) as db:
                assert await db.scalar(text("SELECT 1")) == 1
    finally:
        await engine.dispose()
