"""A stand-in for rules on a real port, and where everybody finds it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

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


@asynccontextmanager
async def open_site(stand_in: StandIn, directory: Path, redis_url: str) -> AsyncIterator[Site]:
    """Keys, queue and the stand-in, served for as long as the block lasts."""
    ensure_keys(directory / "keys")
    settings = ServiceSettings(
        database_url="sqlite:///unused",
        keys_file=directory / "keys" / "verify.json",
        service_secret_file=directory / "keys" / "service.secret",
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
    async with Redis.from_url(redis_url) as redis:
        stand_in.wake = lambda: redis.publish(CHANNEL, b"")
        yield Site(directory, redis_url, f"127.0.0.1:{running.internal_port}")
    await running.stop(0.1)
