"""The gate before the public listener: limits by address and account, and the app's version."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from prometheus_client import REGISTRY
from pydantic import ValidationError
from structlog.testing import capture_logs

from oddsocks.ai.v1 import ai_service_pb2 as pb
from oddsocks.ai.v1.ai_service_pb2_grpc import AiServiceStub
from services.common.auth import KeyRing, ServiceTokens, TokenVerifier
from services.common.errors import error_info
from services.common.gate import Gate, caller_address, read_version
from services.common.limits import Limit
from services.common.server import start
from tests.fixtures.sql import ManualClock
from tests.unit.common.test_server import METHOD, SECRET, Servicer, service, settings

ADDRESS, VERSION = "oddsocks-client-address", "oddsocks-client-version"


class Site:
    """A server behind a gate; `call` is a call of `player` with some metadata."""

    def __init__(self, ring: KeyRing, clock: ManualClock, ports: tuple[int, int]) -> None:
        self.ring, self.clock = ring, clock
        self.public, self.internal = (
            grpc.aio.insecure_channel(f"127.0.0.1:{port}") for port in ports
        )

    async def call(self, player: str = "anna", **metadata: str) -> str:
        """Returns the address the server saw."""
        now = self.clock()
        token = self.ring.sign(player, now_ms=now, expires_at_ms=now + 3_600_000)
        return await self._call(self.public, token, metadata)

    async def call_inside(self, **metadata: str) -> str:
        """The same from another service."""
        token = ServiceTokens("matchmaking", SECRET, self.clock).current()
        return await self._call(self.internal, token, metadata)

    async def _call(self, channel: grpc.aio.Channel, token: str, metadata: dict[str, str]) -> str:
        stub: Any = AiServiceStub(channel)
        pairs = [("authorization", f"Bearer {token}")]
        pairs += [(name.replace("_", "-"), value) for name, value in metadata.items()]
        answer = await stub.ListAgents(pb.ListAgentsRequest(), metadata=pairs, timeout=20)
        return str(answer.agents[0].name)


async def say_address(_request: pb.ListAgentsRequest, _context: Any) -> pb.ListAgentsResponse:
    answer = pb.ListAgentsResponse()
    answer.agents.add(name=caller_address())
    return answer


@asynccontextmanager
async def site(scarce_limit: Limit | None = None, **changes: Any) -> AsyncIterator[Site]:
    servicer, ring, clock = Servicer(), KeyRing.generate(), ManualClock()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
    servicer.answer = say_address
    chosen = settings(**changes)
    scarce = frozenset({METHOD}) if scarce_limit else frozenset[str]()
    served = service(servicer, gate=Gate.of(chosen, clock, scarce, scarce_limit))
    running = await start(
        served,
        chosen,
        verifier=TokenVerifier(ring, SECRET, clock),
        draining=asyncio.Event(),
    )
    site = Site(ring, clock, (running.public_port, running.internal_port))
    try:
        yield site
    finally:
        await site.public.close()
        await site.internal.close()
        await running.stop(0)


async def refusal(call: Any) -> tuple[StatusCode, str, dict[str, str], float | None]:
    """Status, reason, metadata and the delay of a refused call, in seconds."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    info = error_info(caught.value)
    assert info is not None
    assert info.domain == "oddsocks"
    trailers = dict(caught.value.trailing_metadata() or ())
    raw = trailers["grpc-status-details-bin"]
    assert isinstance(raw, bytes)
    retry = RetryInfo()
    told = any(detail.Unpack(retry) for detail in Status.FromString(raw).details)
    delay = retry.retry_delay.ToTimedelta().total_seconds() if told else None
    return caught.value.code(), info.reason, dict(info.metadata), delay


async def test_an_account_that_calls_too_often_is_told_how_long_to_wait() -> None:
    async with site(account_calls_per_minute=4) as here:
        for _ in range(4):
            await here.call()
        assert await refusal(here.call()) == (
            StatusCode.RESOURCE_EXHAUSTED,
            "RATE_LIMITED",
            {"retry_after_ms": "15000"},
            15.0,
        )
        await here.call("ben")
        here.clock.advance(15_000)
        await here.call()
        assert (await refusal(here.call()))[1] == "RATE_LIMITED"


async def test_a_flood_of_calls_is_counted_and_does_not_flood_the_log() -> None:
    labels = {"method": METHOD, "result": "RATE_LIMITED"}

    def refused() -> float:
        return REGISTRY.get_sample_value("oddsocks_calls_total", labels) or 0

    async with site(account_calls_per_minute=1) as here:
        await here.call()
        before = refused()
        with capture_logs() as logs:
            for _ in range(20):
                await refusal(here.call())
        assert refused() == before + 20
        assert logs == []


async def test_services_are_not_limited() -> None:
    async with site(
        account_calls_per_minute=1, address_calls_per_minute=1, minimum_client_version="9.0"
    ) as here:
        for _ in range(5):
            await here.call_inside()


async def test_an_address_that_calls_too_often_has_to_wait_whoever_it_is() -> None:
    async with site(address_calls_per_minute=3, behind_edge=True) as here:
        for number in range(3):
            told = await here.call(f"guest{number}", oddsocks_client_address="192.0.2.7")
            assert told == "192.0.2.7"
        code, reason, _, delay = await refusal(
            here.call("guest3", oddsocks_client_address="192.0.2.7")
        )
        assert (code, reason, delay) == (StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", 20.0)
        await here.call("guest3", oddsocks_client_address="192.0.2.8")


async def test_a_household_has_one_address_however_many_it_has() -> None:
    async with site(address_calls_per_minute=2, behind_edge=True) as here:
        for last in ("1", "2:3:4"):
            address = f"2001:db8:0:1::{last}"
            assert await here.call(oddsocks_client_address=address) == "2001:db8:0:1::/64"
        assert (await refusal(here.call(oddsocks_client_address="2001:db8:0:1::9")))[1] == (
            "RATE_LIMITED"
        )
        await here.call(oddsocks_client_address="2001:db8:0:2::1")
        assert await here.call(oddsocks_client_address="::ffff:192.0.2.9") == "192.0.2.9"


async def test_without_an_edge_nobody_is_believed_about_their_address() -> None:
    async with site(address_calls_per_minute=2) as here:
        for number in range(2):
            told = await here.call(oddsocks_client_address=f"192.0.2.{number}")
            assert told == "127.0.0.1"
        assert (await refusal(here.call(oddsocks_client_address="192.0.2.3")))[1] == "RATE_LIMITED"


async def test_scarce_methods_have_a_limit_of_their_own() -> None:
    async with site(Limit(1, 3_600_000)) as here:
        await here.call()
        code, reason, _, delay = await refusal(here.call("ben"))
        assert (code, reason, delay) == (StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", 3_600.0)


@pytest.mark.parametrize("version", ["1.2.0", "1.2", "1.10.0", "2.0.0", "1.2.1"])
async def test_an_app_that_is_new_enough_comes_in(version: str) -> None:
    async with site(minimum_client_version="1.2.0") as here:
        await here.call(oddsocks_client_version=version)


@pytest.mark.parametrize("version", ["1.1.9", "0.1", "0.99.999", None])
async def test_an_app_below_the_minimum_is_told_to_update(version: str | None) -> None:
    async with site(minimum_client_version="1.2.0") as here:
        metadata = {} if version is None else {"oddsocks_client_version": version}
        assert await refusal(here.call(**metadata)) == (
            StatusCode.FAILED_PRECONDITION,
            "CLIENT_TOO_OLD",
            {"minimum": "1.2.0"},
            None,
        )


async def test_without_a_minimum_any_app_comes_in_and_nonsense_is_named_with_one() -> None:
    async with site() as here:
        await here.call()
        await here.call(oddsocks_client_version="socks")
    async with site(minimum_client_version="1.2.0") as here:
        for nonsense in ("socks", "1", "1.2.3.4", "1.-2", "9" * 50):
            code, reason, metadata, _ = await refusal(here.call(oddsocks_client_version=nonsense))
            assert (code, reason) == (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
            assert metadata == {"field": VERSION}


def test_a_minimum_that_is_no_version_is_named_at_the_start() -> None:
    assert read_version("1.2") == (1, 2, 0)
    with pytest.raises(ValidationError, match="must be a version"):
        settings(minimum_client_version="newest")
