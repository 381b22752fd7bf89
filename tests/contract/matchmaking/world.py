"""The real matchmaking service on a free port, its neighbours, and guests who call it."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from sqlalchemy import select

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from services.common.clock import system_clock
from services.common.database import connect
from services.common.errors import error_info
from services.common.keys import ensure_keys
from services.common.settings import ServiceSettings
from services.matchmaking import schema
from services.matchmaking.service import Matchmaking, build
from services.matchmaking.settings import MatchmakingSettings
from tests.contract.matchmaking.standins import (
    Neighbour,
    StandInAi,
    StandInRules,
    ai_service,
    rules_service,
)
from tests.fixtures.sql import ManualClock

OPEN = pb.SeatRequest(open=pb.Open())
SELF = pb.SeatRequest(self=pb.Self())


def agent(name: str = "random") -> pb.SeatRequest:
    """A seat for an agent."""
    return pb.SeatRequest(agent=name)


def fresh_id() -> str:
    """A request id nobody used."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class Guest:
    """A signed-in player with a connection of their own."""

    stub: Any
    player: pb.Player
    tokens: pb.Tokens

    async def call(self, method: str, request: Any) -> Any:
        """Make a call with this guest's token."""
        metadata = (("authorization", f"Bearer {self.tokens.access_token}"),)
        return await getattr(self.stub, method)(request, metadata=metadata, timeout=20)

    async def open(self, *seats: pb.SeatRequest, **fields: Any) -> pb.Table:
        """Open a table."""
        fields = {"request_id": fresh_id(), "game": "socker", **fields}
        request = pb.OpenTableRequest(seats=seats, **fields)
        answer: pb.OpenTableResponse = await self.call("OpenTable", request)
        return answer.table

    async def join(self, code: str, request_id: str = "") -> pb.Table:
        """Join by invitation code."""
        request = pb.JoinTableRequest(request_id=request_id or fresh_id(), invitation_code=code)
        answer: pb.JoinTableResponse = await self.call("JoinTable", request)
        return answer.table

    async def get(self, table_id: str) -> pb.Table:
        """Look at a table."""
        request = pb.GetTableRequest(table_id=table_id)
        answer: pb.GetTableResponse = await self.call("GetTable", request)
        return answer.table

    async def leave(self, table_id: str) -> None:
        """Leave a table."""
        await self.call("LeaveTable", pb.LeaveTableRequest(table_id=table_id))

    async def rematch(self, match_id: str, request_id: str = "") -> pb.Table:
        """Play again."""
        request = pb.RematchRequest(request_id=request_id or fresh_id(), match_id=match_id)
        answer: pb.RematchResponse = await self.call("Rematch", request)
        return answer.table

    async def mine(self, **fields: Any) -> pb.ListMyMatchesResponse:
        """List own tables."""
        request = pb.ListMyMatchesRequest(**fields)
        answer: pb.ListMyMatchesResponse = await self.call("ListMyMatches", request)
        return answer


@dataclass(slots=True)
class World:
    """Everything a test needs; `clock` is the service's, and stands."""

    clock: ManualClock
    rules: StandInRules
    to_rules: Neighbour
    to_ai: Neighbour
    service: Matchmaking
    keys: Path
    database_url: str
    _stack: contextlib.AsyncExitStack = field(repr=False)

    async def channel(self) -> grpc.aio.Channel:
        """A connection to the public listener."""
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.service.server.public_port}")
        self._stack.push_async_callback(channel.close)
        return channel

    async def stub(self) -> Any:
        """A connection to the public listener, for tables."""
        return MatchmakingServiceStub(await self.channel())

    async def guest(self, name: str = "") -> Guest:
        """Somebody new."""
        stub = await self.stub()
        request = pb.SignInGuestRequest(request_id=fresh_id(), display_name=name)
        answer = await stub.SignInGuest(request, timeout=20)
        return Guest(stub, answer.player, answer.tokens)

    async def renewed(self, guest: Guest) -> Guest:
        """The same player with fresh tokens."""
        request = pb.RefreshTokenRequest(refresh_token=guest.tokens.refresh_token)
        answer = await guest.stub.RefreshToken(request, timeout=20)
        return Guest(guest.stub, guest.player, answer.tokens)

    async def patient(self, call: Callable[[], Awaitable[Any]]) -> Any:
        """Call until a neighbour that came back has been noticed."""
        async with asyncio.timeout(20):
            while True:
                try:
                    answer = await call()
                except grpc.aio.AioRpcError as error:
                    if error.code() is not grpc.StatusCode.UNAVAILABLE:
                        raise
                else:
                    if getattr(answer, "status", None) != pb.TABLE_STATUS_STARTING:
                        return answer
                await asyncio.sleep(0.05)

    async def dump(self) -> str:
        """Everything in the database, as text."""
        engine = connect(self.database_url)
        try:
            async with engine.connect() as db:
                rows = [
                    str(tuple(row))
                    for table in schema.metadata.sorted_tables
                    for row in await db.execute(select(table))
                ]
                return "\n".join(rows)
        finally:
            await engine.dispose()

    async def sweep(self) -> None:
        """Do now what the service does every few seconds."""
        for sweep in self.service.sweeps:
            assert await sweep.round()


@asynccontextmanager
async def running_world(database_url: str, directory: Path, **changes: Any) -> AsyncIterator[World]:
    """The service with its neighbours; its sweeps run only when a test says so."""
    ensure_keys(directory / "keys")

    def settings(address: str) -> ServiceSettings:
        return ServiceSettings(
            internal_listen=address,
            database_url="sqlite:///unused",
            keys_file=directory / "keys" / "verify.json",
            service_secret_file=directory / "keys" / "service.secret",
        )

    rules = StandInRules()  # type: ignore[abstract]  # what it lacks answers UNIMPLEMENTED
    clock = ManualClock(system_clock())
    async with contextlib.AsyncExitStack() as stack:
        to_rules = Neighbour(rules_service(rules), settings)
        to_ai = Neighbour(ai_service(StandInAi()), settings)  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
        for neighbour in (to_rules, to_ai):
            await neighbour.come()
            stack.push_async_callback(neighbour.go)
        service = await stack.enter_async_context(
            build(
                MatchmakingSettings(
                    database_url=database_url,
                    keys_file=directory / "keys" / "signing.json",
                    service_secret_file=directory / "keys" / "service.secret",
                    rules_address=to_rules.address,
                    ai_address=to_ai.address,
                    **changes,
                ),
                clock,
            )
        )
        yield World(clock, rules, to_rules, to_ai, service, directory / "keys", database_url, stack)


@contextmanager
def refused(status: grpc.StatusCode, reason: str, **metadata: str) -> Iterator[None]:
    """The block must end in a call refused with this status, reason and metadata."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield
    info = error_info(caught.value)
    assert info is not None, caught.value
    found = {name: info.metadata[name] for name in metadata}
    assert (caught.value.code(), info.domain, info.reason, found) == (
        status,
        "oddsocks",
        reason,
        metadata,
    ), caught.value.details()
    assert "Traceback" not in (caught.value.details() or "")
