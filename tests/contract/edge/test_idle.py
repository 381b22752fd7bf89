"""A stream on which nothing happens outlives every patience between the app and the service."""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path
from typing import Final

import pytest

from app.model.account import MemoryAccount
from app.model.values import Event, Heartbeat, SeatWish, Update
from app.net.address import parse_address
from app.net.remote import RemoteGateway
from tests.fixtures.edge import running_edge
from tests.fixtures.stack import running_stack

IDLE_S: Final = 6 * 60.0


@pytest.mark.field(23)
@pytest.mark.long
@pytest.mark.timeout(600)
async def test_six_idle_minutes_through_the_edge(tmp_path: Path) -> None:
    async with (
        running_stack(tmp_path, behind_edge=True) as stack,
        running_edge(tmp_path / "edge", stack.addresses) as edge,
    ):
        gateway = RemoteGateway(parse_address(edge.address, ca_file=edge.ca_file), MemoryAccount())
        table = await gateway.open_table("one", "socker", (SeatWish.ME, SeatWish.ME), {})
        match = await gateway.get_match(table.match_id)
        updates: asyncio.Queue[Update] = asyncio.Queue()
        watching = asyncio.create_task(_collect(gateway, table.match_id, match.revision, updates))
        try:
            idle, beats = time.monotonic() + IDLE_S, 0
            while time.monotonic() < idle:
                with contextlib.suppress(TimeoutError):
                    update = await asyncio.wait_for(updates.get(), idle - time.monotonic())
                    beats += isinstance(update, Heartbeat)
                assert not watching.done(), "the stream has ended"
            # One in twenty seconds; half of them on a machine that is busy otherwise.
            assert beats >= IDLE_S / 20 / 2
            acting = match.acting_view
            assert acting is not None
            await gateway.submit_action(
                match.match_id, acting.seat, "after", match.revision, acting.legal[0]
            )
            while not isinstance(await asyncio.wait_for(updates.get(), 30), Event):
                pass
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await gateway.close()


async def _collect(
    gateway: RemoteGateway, match_id: str, revision: int, updates: asyncio.Queue[Update]
) -> None:
    async for update in gateway.watch_match(match_id, revision):
        updates.put_nowait(update)
