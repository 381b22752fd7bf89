"""The real service, once on SQLite and once on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contract.matchmaking.world import World, running_world
from tests.fixtures.local import fresh_postgres_url, fresh_redis_url, postgres_url, redis_url
from tests.fixtures.sql import database_url

__all__ = ["database_url", "fresh_postgres_url", "fresh_redis_url", "postgres_url", "redis_url"]


@pytest.fixture
async def world(database_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with running_world(database_url, tmp_path) as world:
        yield world
