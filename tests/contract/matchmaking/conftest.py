"""The real service, once on SQLite and once on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.matchmaking.schema import MIGRATIONS
from tests.contract.matchmaking.world import World, running_world
from tests.fixtures.local import fresh_postgres_url, fresh_redis_url
from tests.fixtures.migrated import (
    copied_sqlite_url,
    database_url,
    kept_postgres,
    postgres_copy,
    sqlite_copy,
)
from tests.fixtures.sql import database_url as empty_database_url

__all__ = [
    "copied_sqlite_url",
    "database_url",
    "empty_database_url",
    "fresh_postgres_url",
    "fresh_redis_url",
    "kept_postgres",
    "postgres_copy",
    "sqlite_copy",
]


@pytest.fixture(scope="session")
def migrations() -> Path:
    return MIGRATIONS


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with running_world(database_url, tmp_path) as world:
        yield world
