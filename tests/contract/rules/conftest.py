"""A rules service per test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.rules.service import MIGRATIONS
from tests.fixtures.local import fresh_postgres_url
from tests.fixtures.migrated import (
    copied_sqlite_url,
    database_url,
    kept_postgres,
    postgres_copy,
    sqlite_copy,
)
from tests.fixtures.rules import Rules, make_settings, serving
from tests.fixtures.sql import database_url as empty_database_url

__all__ = [
    "copied_sqlite_url",
    "database_url",
    "empty_database_url",
    "fresh_postgres_url",
    "kept_postgres",
    "postgres_copy",
    "sqlite_copy",
]


@pytest.fixture(scope="session")
def migrations() -> Path:
    return MIGRATIONS


@pytest.fixture
async def rules(database_url: str, tmp_path: Path) -> AsyncIterator[Rules]:
    """The service on SQLite and, in a second run of the test, on PostgreSQL."""
    async with serving(make_settings(tmp_path / "keys", database_url)) as (rules, _):
        yield rules


@pytest.fixture
async def sqlite_rules(copied_sqlite_url: str, tmp_path: Path) -> AsyncIterator[Rules]:
    """The service on SQLite, where the database makes no difference to the test."""
    async with serving(make_settings(tmp_path / "keys", copied_sqlite_url)) as (rules, _):
        yield rules
