"""A stand-in for rules on a real port, a real Redis, real processes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.contract.ai.processes import Site
from tests.contract.ai.site import open_site
from tests.contract.ai.stand_in import StandIn
from tests.fixtures.local import fresh_redis_url

__all__ = ["fresh_redis_url"]


@pytest.fixture
def stand_in() -> StandIn:
    """Rules, as far as the ai service can tell."""
    return StandIn()  # type: ignore[abstract]  # what it leaves out is answered UNIMPLEMENTED


@pytest_asyncio.fixture
async def site(stand_in: StandIn, fresh_redis_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    """Keys, queue and the stand-in, served."""
    async with open_site(stand_in, tmp_path, fresh_redis_url) as site:
        yield site
