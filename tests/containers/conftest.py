"""Container tests may have to make images first, which takes longer than other tests may."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixtures.containers import (
    engine_answers,
    fresh_postgres_url,
    fresh_redis_url,
    postgres_url,
    redis_url,
)

__all__ = ["engine", "fresh_postgres_url", "fresh_redis_url", "postgres_url", "redis_url"]

_HERE = Path(__file__).parent
_SECONDS = 600


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(_SECONDS))


@pytest.fixture(scope="session")
def engine() -> None:
    """For tests of images, which nothing but an engine can run: fails where none answers."""
    if not engine_answers():
        pytest.fail("no container engine answers: tools/setup.sh engine starts one")
