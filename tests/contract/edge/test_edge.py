"""The edge before the real services: what it lets through, and what it says of callers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from services.common.errors import error_info
from tests.contract.matchmaking.world import fresh_id, refused
from tests.contract.permissions.scene import methods
from tests.fixtures.edge import Edge, running_edge
from tests.fixtures.stack import running_stack
from tools.reports import ROOT

LIMIT = 5


@pytest.fixture
async def edge(tmp_path: Path) -> AsyncIterator[Edge]:
    async with (
        running_stack(tmp_path, behind_edge=True, sign_ins_per_hour=LIMIT) as stack,
        running_edge(tmp_path / "edge", stack.addresses) as edge,
    ):
        yield edge


def connection(edge: Edge) -> grpc.aio.Channel:
    credentials = grpc.ssl_channel_credentials(edge.ca_file.read_bytes())
    return grpc.aio.secure_channel(edge.address, credentials)


async def sign_in(channel: grpc.aio.Channel, **metadata: str) -> mm.SignInGuestResponse:
    stub: Any = MatchmakingServiceStub(channel)
    request = mm.SignInGuestRequest(request_id=fresh_id())
    pairs = [(name.replace("_", "-"), value) for name, value in metadata.items()]
    answer: mm.SignInGuestResponse = await stub.SignInGuest(request, metadata=pairs, timeout=30)
    return answer


async def test_every_public_rpc_has_a_route_and_no_other_has(edge: Edge) -> None:
    async with connection(edge) as channel:
        for method in methods():
            call: Any = channel.unary_unary(f"/oddsocks.{method}")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(b"\xff", timeout=30)  # no message of any method
            info = error_info(caught.value)
            if "InternalService/" in method:
                assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED, method
                assert info is None, method
            else:
                assert info is not None, f"{method} has no route in deploy/edge/nginx.conf"
                assert info.reason in ("TOKEN_MISSING", "INVALID_FIELD"), method


async def test_an_address_is_limited_whatever_its_caller_says_of_it(edge: Edge) -> None:
    async with connection(edge) as one, connection(edge) as other:
        for number in range(LIMIT):
            claimed = f"192.0.2.{number}"
            await sign_in(one if number % 2 else other, oddsocks_client_address=claimed)
        for channel in (one, other):
            with refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED"):
                await sign_in(channel, oddsocks_client_address="192.0.2.99")


async def test_what_the_edge_itself_finds_too_large_says_so_like_a_service(edge: Edge) -> None:
    async with connection(edge) as channel:
        call: Any = channel.unary_unary("/oddsocks.matchmaking.v1.MatchmakingService/SignInGuest")
        with refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_LARGE"):
            await call(b"\x0a" + b"x" * 5_000_000, timeout=60)
        assert (await sign_in(channel)).player.player_id


async def test_the_log_names_no_caller(edge: Edge) -> None:
    async with connection(edge) as channel:
        answer = await sign_in(channel)
    written = edge.log.read_text()
    assert "SignInGuest 200" in written
    for secret in ("127.0.0.1", answer.player.player_id, answer.tokens.access_token):
        assert secret not in written


def test_services_believe_the_edge_only_where_there_is_one() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    (common,) = re.findall(r"x-service-environment:.*?\n\n", compose, re.DOTALL)
    assert 'ODDSOCKS_BEHIND_EDGE: "1"' in common
    published = re.findall(r"^  (\w+):\n(?:    .*\n|\n)*?    ports:", compose, re.MULTILINE)
    assert published == ["edge"]
