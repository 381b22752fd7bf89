"""Servers in containers, and the whole stack."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixtures.compose import edge, engine, services_image, stack
from tests.fixtures.containers import (
    fresh_postgres_url,
    fresh_redis_url,
    postgres_url,
    redis_url,
)

__all__ = [
    "edge",
    "engine",
    "fresh_postgres_url",
    "fresh_redis_url",
    "postgres_url",
    "redis_url",
    "services_image",
    "stack",
]

_HERE = Path(__file__).parent
_SECONDS = 900
"""Tests here may have to make images first, which takes longer than other tests may."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(_SECONDS))
