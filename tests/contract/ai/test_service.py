"""What the service tells players, and what wakes it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
import pytest_asyncio
from redis.asyncio import Redis

from oddsocks.ai.v1 import ai_service_pb2 as pb
from oddsocks.ai.v1.ai_service_pb2_grpc import AiServiceStub
from services.ai.service import running
from services.ai.settings import AiSettings
from services.common.auth import KeyRing
from services.common.clock import system_clock
from services.common.errors import error_info
from services.common.server import RunningServer
from services.engine.agents import agent_names
from services.engine.core.registry import game_names
from tests.contract.ai.processes import Site
from tests.contract.ai.stand_in import StandIn


@pytest_asyncio.fixture
async def service(site: Site) -> AsyncIterator[RunningServer]:
    """The service in this process; it polls so rarely that only a wake-up can move it."""
    settings = AiSettings(
        database_url=f"sqlite:///{site.directory}/ai.sqlite3",
        redis_url=site.redis_url,
        rules_address=site.rules_address,
        keys_file=site.directory / "keys" / "verify.json",
        service_secret_file=site.directory / "keys" / "service.secret",
        poll_seconds=600,
    )
    async with running(settings) as server:
        yield server


def player_token(site: Site) -> str:
    ring = KeyRing.load(site.directory / "keys" / "signing.json")
    now = system_clock()
    return ring.sign("somebody", now_ms=now, expires_at_ms=now + 60_000)


async def list_agents(service: RunningServer, game: str, token: str) -> pb.ListAgentsResponse:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{service.public_port}") as channel:
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        request = pb.ListAgentsRequest(game=game)
        return await AiServiceStub(channel).ListAgents(request, metadata=metadata, timeout=5)


async def test_agents_of_a_game_are_listed_kindest_first(
    service: RunningServer, site: Site
) -> None:
    listed = (await list_agents(service, "socker", player_token(site))).agents
    assert [agent.name for agent in listed] == list(agent_names("socker"))
    assert [agent.level for agent in listed] == list(range(len(listed)))
    assert {agent.game for agent in listed} == {"socker"}


async def test_without_a_game_all_are_listed(service: RunningServer, site: Site) -> None:
    listed = (await list_agents(service, "", player_token(site))).agents
    assert {agent.game for agent in listed} == set(game_names())


@pytest.mark.parametrize(
    ("game", "signed_in", "code", "reason"),
    [
        ("chess", True, grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND"),
        ("x" * 10_000, True, grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND"),
        ("socker", False, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"),
    ],
)
async def test_bad_requests_are_refused_with_a_reason(
    service: RunningServer,
    site: Site,
    game: str,
    signed_in: bool,
    code: grpc.StatusCode,
    reason: str,
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await list_agents(service, game, player_token(site) if signed_in else "")
    info = error_info(refused.value)
    assert refused.value.code() is code
    assert info is not None
    assert info.reason == reason
    assert len(refused.value.details() or "") < 200


async def test_a_wake_up_is_enough(service: RunningServer, stand_in: StandIn, site: Site) -> None:
    match = stand_in.open("m")
    async with Redis.from_url(site.redis_url) as redis:
        # A job in the queue is the first thing the service does about a waiting seat.
        await redis.publish("oddsocks:waiting", "m")
        job = await redis.blpop(["live"], timeout=20)
    assert job is not None
    assert b"oddsocks.act" in job[1]
    assert match.revision == 1
