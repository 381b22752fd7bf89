"""A stand-in for rules on a real port, a real Redis, real processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from oddsocks.ai.v1.jobs_internal_service_pb2_grpc import (
    add_JobsInternalServiceServicer_to_server,
)
from oddsocks.rules.v1.rules_internal_service_pb2_grpc import (
    add_RulesInternalServiceServicer_to_server,
)
from oddsocks.rules.v1.rules_service_pb2_grpc import add_RulesServiceServicer_to_server
from services.ai.wake import CHANNEL
from services.common.clock import system_clock
from services.common.keys import ensure_keys
from services.common.server import Service, start, verifier
from services.common.settings import ServiceSettings
from tests.contract.ai.processes import Site
from tests.contract.ai.stand_in import StandIn
from tests.fixtures.local import fresh_redis_url, redis_url

__all__ = ["fresh_redis_url", "redis_url"]


@pytest.fixture
def stand_in() -> StandIn:
    """Rules, as far as the ai service can tell."""
    return StandIn()  # type: ignore[abstract]  # what it leaves out is answered UNIMPLEMENTED


@pytest_asyncio.fixture
async def site(stand_in: StandIn, fresh_redis_url: str, tmp_path: Path) -> AsyncIterator[Site]:
    """Keys, queue and the stand-in, served."""
    ensure_keys(tmp_path / "keys")
    settings = ServiceSettings(
        database_url="sqlite:///unused",
        keys_file=tmp_path / "keys" / "verify.json",
        service_secret_file=tmp_path / "keys" / "service.secret",
    )
    running = await start(
        Service(
            public=[
                (
                    "oddsocks.rules.v1.RulesService",
                    lambda server: add_RulesServiceServicer_to_server(stand_in, server),
                )
            ],
            internal=[
                (
                    "oddsocks.rules.v1.RulesInternalService",
                    lambda server: add_RulesInternalServiceServicer_to_server(stand_in, server),
                ),
                (
                    "oddsocks.ai.v1.JobsInternalService",
                    lambda server: add_JobsInternalServiceServicer_to_server(stand_in.desk, server),
                ),
            ],
        ),
        settings,
        verifier=verifier(settings, system_clock),
        draining=asyncio.Event(),
    )
    async with Redis.from_url(fresh_redis_url) as redis:
        stand_in.wake = lambda: redis.publish(CHANNEL, b"")
        yield Site(tmp_path, fresh_redis_url, f"127.0.0.1:{running.internal_port}")
    await running.stop(0.1)
