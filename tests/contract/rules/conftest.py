"""A rules service per test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fixtures.local import fresh_postgres_url, postgres_url
from tests.fixtures.rules import Rules, make_settings, serving
from tests.fixtures.sql import database_url

__all__ = ["database_url", "fresh_postgres_url", "postgres_url"]


@pytest.fixture
async def rules(database_url: str, tmp_path: Path) -> AsyncIterator[Rules]:
    """The service on SQLite and, in a second run of the test, on PostgreSQL."""
    async with serving(make_settings(tmp_path / "keys", database_url)) as (rules, _):
        yield rules


@pytest.fixture
async def sqlite_rules(tmp_path: Path) -> AsyncIterator[Rules]:
    """The service on SQLite, where the database makes no difference to the test."""
    url = f"sqlite:///{tmp_path}/rules.db"
    async with serving(make_settings(tmp_path / "keys", url)) as (rules, _):
        yield rules
