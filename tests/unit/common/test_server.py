"""The two listeners around a servicer: who gets in, what failures say, and how they drain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import StatusCode
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from oddsocks.ai.v1 import ai_service_pb2 as pb
from oddsocks.ai.v1.ai_service_pb2_grpc import (
    AiServiceServicer,
    AiServiceStub,
    add_AiServiceServicer_to_server,
)
from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import KeyRing, ServiceTokens, TokenVerifier, caller
from services.common.errors import RefusedError, error_info
from services.common.interceptors import DEFAULT_DEADLINE_S, Context
from services.common.server import (
    RunningServer,
    Service,
    TakenError,
    internal_channel,
    start,
)
from services.common.settings import ServiceSettings
from tests.fixtures.sql import ManualClock

NAME = "oddsocks.ai.v1.AiService"
METHOD = f"/{NAME}/ListAgents"
SECRET = "s" * 40
Answer = Callable[[pb.ListAgentsRequest, Context], Awaitable[pb.ListAgentsResponse]]


class Servicer(AiServiceServicer):
    """Answers with whatever a test puts into `answer`; says who calls unless told otherwise."""

    def __init__(self) -> None:
        self.answer: Answer = self.who

    async def ListAgents(  # noqa: N802 (the contract's name)
        self, request: pb.ListAgentsRequest, context: Context
    ) -> pb.ListAgentsResponse:
        return await self.answer(request, context)

    async def who(self, _request: pb.ListAgentsRequest, _context: Context) -> Any:
        principal = caller()
        return pb.ListAgentsResponse(
            agents=[play_pb2.Agent(name=principal.id, game=principal.kind.value)]
        )


class Site:
    """A running server with tokens for both of its listeners."""

    def __init__(self, servicer: Servicer, running: RunningServer, ring: KeyRing) -> None:
        self.servicer, self.running, self.ring = servicer, running, ring
        self.clock = ManualClock()
        self.public = grpc.aio.insecure_channel(f"127.0.0.1:{running.public_port}")
        self.internal = grpc.aio.insecure_channel(f"127.0.0.1:{running.internal_port}")

    def player(self) -> str:
        now = self.clock()
        return self.ring.sign("anna", now_ms=now, expires_at_ms=now + 60_000)

    def service(self) -> str:
        return ServiceTokens("matchmaking", SECRET, self.clock).current()

    async def call(
        self, channel: grpc.aio.Channel, token: str | None = None, **request: Any
    ) -> pb.ListAgentsResponse:
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        stub: Any = AiServiceStub(channel)
        call = stub.ListAgents(pb.ListAgentsRequest(**request), metadata=metadata, timeout=20)
        answer: pb.ListAgentsResponse = await call
        return answer

    async def ask(self) -> pb.ListAgentsResponse:
        """A call that is let in."""
        return await self.call(self.public, self.player())


def settings(**changes: Any) -> ServiceSettings:
    return ServiceSettings(
        **{
            "database_url": "sqlite:///unused",
            "keys_file": Path("unused"),
            "service_secret_file": Path("unused"),
            **changes,
        }
    )


def service(servicer: Servicer, **changes: Any) -> Service:
    return Service([(NAME, lambda s: add_AiServiceServicer_to_server(servicer, s))], **changes)


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    servicer, ring = Servicer(), KeyRing.generate()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
    running = await start(
        service(servicer),
        settings(),
        verifier=TokenVerifier(ring, SECRET, ManualClock()),
        draining=asyncio.Event(),
    )
    site = Site(servicer, running, ring)
    yield site
    await site.public.close()
    await site.internal.close()
    await running.stop(0)


@contextmanager
def refused(status: StatusCode, reason: str) -> Iterator[pytest.ExceptionInfo[Any]]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield caught
    info = error_info(caught.value)
    assert info is not None, caught.value
    assert (caught.value.code(), info.reason, info.domain) == (status, reason, "oddsocks")


async def test_each_listener_lets_in_its_own_kind_of_caller(site: Site) -> None:
    (agent,) = (await site.call(site.public, site.player())).agents
    assert (agent.name, agent.game) == ("anna", "player")
    (agent,) = (await site.call(site.internal, site.service())).agents
    assert (agent.name, agent.game) == ("matchmaking", "service")
    for channel, token in (
        (site.public, site.service()),
        (site.internal, site.player()),
        (site.public, "x"),
        (site.internal, KeyRing.generate().sign("anna", now_ms=0, expires_at_ms=2**41)),
    ):
        with refused(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"):
            await site.call(channel, token)
    for channel in (site.public, site.internal):
        with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
            await site.call(channel)


async def test_open_methods_need_no_token_and_have_no_caller() -> None:
    servicer = Servicer()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
    running = await start(
        service(servicer, open_methods=frozenset({METHOD})),
        settings(),
        verifier=TokenVerifier(KeyRing.generate(), SECRET, ManualClock()),
        draining=asyncio.Event(),
    )

    async def nobody(_request: pb.ListAgentsRequest, _context: Context) -> Any:
        with pytest.raises(LookupError):
            caller()
        return pb.ListAgentsResponse()

    servicer.answer = nobody
    async with grpc.aio.insecure_channel(f"127.0.0.1:{running.public_port}") as channel:
        stub: Any = AiServiceStub(channel)
        assert await stub.ListAgents(pb.ListAgentsRequest(), timeout=20) == pb.ListAgentsResponse()
    await running.stop(0)


@pytest.mark.field(29)
async def test_what_an_exception_says_stays_here(site: Site) -> None:
    async def fail(_request: pb.ListAgentsRequest, _context: Context) -> Any:
        raise RuntimeError("seat 1 holds the striped sock")

    site.servicer.answer = fail
    with capture_logs() as logs, refused(StatusCode.INTERNAL, "INTERNAL") as caught:
        await site.ask()
    error = caught.value
    info = error_info(error)
    assert info is not None
    everything = f"{error.details()}{error.trailing_metadata()}{error.initial_metadata()}{info}"
    assert "striped" not in everything
    assert "Traceback" not in everything
    assert set(info.metadata) == {"error_id"}
    # The id leads whoever reads the log to where it happened; they may be a player, too.
    (entry,) = [log for log in logs if log.get("error_id") == info.metadata["error_id"]]
    assert entry["error"] == "RuntimeError"
    assert entry["trace"][-1].endswith(" fail")
    assert "striped" not in str(entry)


async def test_a_refusal_travels_whole(site: Site) -> None:
    async def refuse(_request: pb.ListAgentsRequest, _context: Context) -> Any:
        raise RefusedError(
            ErrorReason.ERROR_REASON_ILLEGAL_ACTION, "not über there", action="ä" * 900, n=3
        )

    site.servicer.answer = refuse
    with refused(StatusCode.INVALID_ARGUMENT, "ILLEGAL_ACTION") as caught:
        await site.ask()
    assert caught.value.details() == "not über there"
    info = error_info(caught.value)
    assert info is not None
    assert dict(info.metadata) == {"action": "ä" * 900, "n": "3"}


@pytest.mark.field(27)
async def test_a_slow_call_ends_at_its_deadline(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancelled = asyncio.Event()

    async def dawdle(_request: pb.ListAgentsRequest, _context: Context) -> Any:
        try:
            await asyncio.sleep(3_600)
        finally:
            cancelled.set()

    assert DEFAULT_DEADLINE_S <= 30
    monkeypatch.setattr("services.common.interceptors.DEFAULT_DEADLINE_S", 0.05)
    site.servicer.answer = dawdle
    metadata = (("authorization", f"Bearer {site.player()}"),)
    stub: Any = AiServiceStub(site.public)
    with pytest.raises(grpc.aio.AioRpcError) as caught:  # a client that names no deadline
        await stub.ListAgents(pb.ListAgentsRequest(), metadata=metadata)
    assert caught.value.code() is StatusCode.DEADLINE_EXCEEDED
    await asyncio.wait_for(cancelled.wait(), 20)


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x05ab", b"\x0a\x02\xff\xfe"])
async def test_bytes_that_are_no_message_are_refused(site: Site, data: bytes) -> None:
    call: Any = site.public.unary_unary(METHOD)
    with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"):
        await call(data, metadata=(("authorization", f"Bearer {site.player()}"),), timeout=20)
    assert await site.ask()


async def test_a_message_over_the_limit_is_refused_and_the_next_is_read(site: Site) -> None:
    with refused(StatusCode.RESOURCE_EXHAUSTED, "TOO_LARGE"):
        await site.call(site.public, site.player(), game="x" * 300_000)
    assert await site.ask()


async def test_reflection_is_for_the_inside_only(site: Site) -> None:
    async def services(channel: grpc.aio.Channel) -> set[str]:
        untyped: Any = reflection_pb2_grpc  # its stubs know no asyncio
        stub = untyped.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        answers = stub.ServerReflectionInfo(iter([request]), timeout=20)
        async for answer in answers:
            return {service.name for service in answer.list_services_response.service}
        return set()

    assert NAME in await services(site.internal)
    # As one message: on a stream the client may notice that it can't send before it hears why.
    method = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
    call: Any = site.public.unary_unary(method)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"", timeout=20)
    assert caught.value.code() is StatusCode.UNIMPLEMENTED


async def health(channel: grpc.aio.Channel, name: str = "") -> int:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=20)
    return int(answer.status)


async def test_stopping_says_so_lets_calls_finish_and_takes_no_new_ones(site: Site) -> None:
    for channel in (site.public, site.internal):
        assert await health(channel) == await health(channel, NAME) == 1  # SERVING
    entered, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_request: pb.ListAgentsRequest, _context: Context) -> Any:
        entered.set()
        await go_on.wait()
        return pb.ListAgentsResponse()

    site.servicer.answer = wait
    running_call = asyncio.create_task(site.ask())
    await asyncio.wait_for(entered.wait(), 20)
    stopping = asyncio.create_task(site.running.stop(20))
    await asyncio.wait_for(site.running.draining.wait(), 20)
    go_on.set()
    assert await running_call == pb.ListAgentsResponse()
    await asyncio.wait_for(stopping, 20)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await site.ask()
    assert caught.value.code() is StatusCode.UNAVAILABLE


async def test_a_taken_address_is_named(site: Site) -> None:
    taken = f"127.0.0.1:{site.running.public_port}"
    for name in ("listen", "internal_listen"):
        with pytest.raises(TakenError, match=f"can't listen on {taken}: taken"):
            await start(
                service(Servicer()),  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
                settings(**{name: taken}),
                verifier=TokenVerifier(site.ring, SECRET, site.clock),
                draining=asyncio.Event(),
            )


async def test_services_call_each_other_with_tokens_and_deadlines(site: Site) -> None:
    remaining: list[float | None] = []

    async def note(_request: pb.ListAgentsRequest, context: Context) -> Any:
        remaining.append(context.time_remaining())
        return await site.servicer.who(_request, context)

    site.servicer.answer = note
    tokens = ServiceTokens("ai", SECRET, site.clock)
    address = f"127.0.0.1:{site.running.internal_port}"
    async with internal_channel(address, tokens, timeout_s=599.0) as channel:
        stub: Any = AiServiceStub(channel)
        (agent,) = (await stub.ListAgents(pb.ListAgentsRequest())).agents
        assert (agent.name, agent.game) == ("ai", "service")
        await stub.ListAgents(pb.ListAgentsRequest(), timeout=100.0)
    own, named = remaining
    assert own is not None
    assert named is not None
    assert 600 >= own > 300 > named


async def test_a_neighbour_that_is_away_for_a_moment_is_asked_again(site: Site) -> None:
    attempts: list[int] = []

    async def away_at_first(request: pb.ListAgentsRequest, context: Context) -> Any:
        attempts.append(len(attempts))
        if len(attempts) < 3:
            await context.abort(StatusCode.UNAVAILABLE, "just starting")
        return await site.servicer.who(request, context)

    site.servicer.answer = away_at_first
    tokens = ServiceTokens("ai", SECRET, site.clock)
    address = f"127.0.0.1:{site.running.internal_port}"
    async with internal_channel(address, tokens, timeout_s=599.0) as channel:
        stub: Any = AiServiceStub(channel)
        (agent,) = (await stub.ListAgents(pb.ListAgentsRequest())).agents
    assert agent.name == "ai"
    assert attempts == [0, 1, 2]


async def test_calls_are_counted_by_result(site: Site) -> None:
    def count(result: str) -> float:
        labels = {"method": METHOD, "result": result}
        return REGISTRY.get_sample_value("oddsocks_calls_total", labels) or 0.0

    before = {result: count(result) for result in ("OK", "TOKEN_MISSING")}
    await site.ask()
    with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
        await site.call(site.public)
    assert {result: count(result) - n for result, n in before.items()} == {
        "OK": 1,
        "TOKEN_MISSING": 1,
    }
