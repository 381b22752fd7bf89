"""SQL: one database per service, SQLite in a file or PostgreSQL by URL, migrated at start.

A service owns its tables and its migration history and never reads another's.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
BUSY_TIMEOUT_MS: Final = 5_000

COMMAND_TIMEOUT_S: Final = 60.0
"""No statement waits longer for PostgreSQL: a network that swallows everything is found out, too
by work that no caller's deadline ends. As long as a process waits for another's migration.
"""


class DatabaseError(Exception):
    """A database that can't be used; the message says which, why and what to do, in one line."""


def parse_url(text: str) -> URL:
    """Read a database URL and add the async driver; raises `DatabaseError`."""
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise DatabaseError(f"not a database URL: '{text[:80]}'") from error
    backend = url.get_backend_name()
    if backend not in _DRIVERS:
        raise DatabaseError(f"'{backend}' is not supported: use sqlite:///FILE or postgresql://…")
    if backend == "sqlite" and not url.database:
        raise DatabaseError("name a file: sqlite:///FILE (a database in memory loses moves)")
    return url.set(drivername=_DRIVERS[backend])


def connect(text: str) -> AsyncEngine:
    """An engine for a database URL; raises `DatabaseError`.

    SQLite: WAL, synchronous=FULL (an acknowledged write survives a power cut), a busy timeout,
    and BEGIN IMMEDIATE, so that two writers wait for each other instead of failing half-way.
    A connection with the execution option `read_only` begins without taking the write lock.
    """
    url = parse_url(text)
    if url.get_backend_name() == "postgresql":
        return create_async_engine(
            url,
            pool_size=5,
            max_overflow=5,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"command_timeout": COMMAND_TIMEOUT_S},
        )
    path = Path(url.database or "")
    if not path.parent.is_dir():
        raise DatabaseError(f"no folder {path.parent} for the database {path.name}: make it first")
    engine = create_async_engine(url, hide_parameters=True)  # names and codes stay out of logs

    @event.listens_for(engine.sync_engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        # The driver's own implicit BEGIN is deferred; ours below is not.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Connection) -> None:
        read_only = connection.get_execution_options().get("read_only", False)
        connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

    return engine


async def migrate(engine: AsyncEngine, migrations: Path) -> None:
    """Bring the database to this version's schema; raises `DatabaseError`.

    Refuses a database made by a newer version. Several processes may start at once: they take
    turns (a lock in PostgreSQL, the write lock in SQLite).
    """
    try:
        async with asyncio.timeout(60), engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                await connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7236114)")
            await connection.run_sync(_upgrade, migrations)
    except TimeoutError as error:
        raise DatabaseError(f"{_name(engine)}: another process holds it; try again") from error
    except (DBAPIError, OSError) as error:
        cause = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise DatabaseError(
            f"{_name(engine)}: {cause}; check ODDSOCKS_DATABASE_URL and its permissions"
        ) from error


def _upgrade(connection: Connection, migrations: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    current = MigrationContext.configure(connection).get_current_revision()
    script = ScriptDirectory.from_config(config)
    if current is not None:
        try:
            script.get_revision(current)
        except CommandError as error:
            raise DatabaseError(
                f"the database is at schema {current}, newer than this version knows:"
                " update the service"
            ) from error
    command.upgrade(config, "head")


def _name(engine: AsyncEngine) -> str:
    return engine.url.render_as_string(hide_password=True)
