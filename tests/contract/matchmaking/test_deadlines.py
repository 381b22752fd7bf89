"""How long a call may take, here and in what it asks of others."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from grpc import StatusCode

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from services.common import interceptors
from services.matchmaking import neighbours
from tests.contract.matchmaking.world import SELF, Guest, World, agent, fresh_id

LONG_S = 600.0


class Hanging:
    """CreateMatch of a rules service that thinks for ever, and notes when it was told to stop."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self.stopped = asyncio.Event(), asyncio.Event()
        # So that nothing but the caller's own limit can end it.
        monkeypatch.setattr(neighbours, "QUICK_S", LONG_S)
        world.rules.pause = self.hang

    async def hang(self) -> None:
        self.began.set()
        try:
            await asyncio.sleep(LONG_S)
        finally:
            self.stopped.set()


async def open_table(guest: Guest, timeout_s: float | None) -> grpc.aio.AioRpcError:
    """Open a table, which starts its match; returns how that was refused."""
    request = pb.OpenTableRequest(
        request_id=fresh_id(), game="socker", seats=[SELF, agent("random")]
    )
    metadata = (("authorization", f"Bearer {guest.tokens.access_token}"),)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await guest.stub.OpenTable(request, metadata=metadata, timeout=timeout_s)
    return caught.value


@pytest.mark.field(27)
async def test_when_a_callers_half_second_is_over_the_work_behind_it_stops_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await world.guest()
    await anna.open(SELF, agent("random"))  # what is asked first of neighbours is known by now
    hanging = Hanging(world, monkeypatch)
    error = await asyncio.wait_for(open_table(anna, 0.5), 60)
    assert error.code() is StatusCode.DEADLINE_EXCEEDED
    if hanging.began.is_set():  # unless half a second did not even suffice to get there
        await asyncio.wait_for(hanging.stopped.wait(), 60)


@pytest.mark.field(27)
async def test_a_caller_without_a_deadline_gets_the_servers(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await world.guest()
    await anna.open(SELF, agent("random"))
    hanging = Hanging(world, monkeypatch)
    assert interceptors.DEFAULT_DEADLINE_S <= 30
    monkeypatch.setattr(interceptors, "DEFAULT_DEADLINE_S", 3.0)
    error = await asyncio.wait_for(open_table(anna, None), 60)
    assert error.code() is StatusCode.DEADLINE_EXCEEDED
    await asyncio.wait_for(hanging.stopped.wait(), 60)


@pytest.mark.field(27)
async def test_a_caller_who_hangs_up_ends_the_work_behind_the_call(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await world.guest()
    await anna.open(SELF, agent("random"))
    hanging = Hanging(world, monkeypatch)
    request = pb.OpenTableRequest(
        request_id=fresh_id(), game="socker", seats=[SELF, agent("random")]
    )
    metadata = (("authorization", f"Bearer {anna.tokens.access_token}"),)
    call = anna.stub.OpenTable(request, metadata=metadata, timeout=LONG_S)
    await asyncio.wait_for(hanging.began.wait(), 60)
    call.cancel()
    await asyncio.wait_for(hanging.stopped.wait(), 60)
