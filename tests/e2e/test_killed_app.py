"""An app that the phone put to sleep and then ended comes back to where it was (row 30)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

from app.model.account import StoredAccount
from app.model.store import Store
from app.net.address import parse_address
from app.net.remote import RemoteGateway
from tests.fixtures.stack import running_stack
from tests.two_apps.__main__ import Phone

WATCH = "/oddsocks.rules.v1.RulesService/WatchMatch"
WITHIN_S = 60.0


def streams() -> float:
    """Open streams on the server, which is in this process."""
    return REGISTRY.get_sample_value("oddsocks_streams", {"method": WATCH}) or 0


async def until(ready: Callable[[], bool]) -> None:
    """Wait for something that the server, or the machine, does."""
    async with asyncio.timeout(WITHIN_S):
        while not ready():  # noqa: ASYNC110  # neither has an event for it
            await asyncio.sleep(0.02)


@pytest.mark.field(30)
async def test_paused_killed_and_started_again_it_shows_the_same_match_over_one_stream(
    tmp_path: Path,
) -> None:
    before = streams()
    async with running_stack(tmp_path / "stack") as stack:
        server = ",".join(f"{name}={where}" for name, where in stack.addresses.items())
        phone = Phone("phone", tmp_path / "phone", server=server, unseen=True)
        try:
            await phone.start()
            match_id = str((await phone.do("alone"))["match_id"])
            await phone.do("play 2")
            shown = await phone.do("shown")
            await until(lambda: streams() == before + 1)
            assert (await phone.do("pause"))["paused"]
            await phone.kill()
            await until(lambda: streams() == before)

            await phone.start()
            assert (await phone.do("wait"))["match_id"] == match_id
            again = await phone.do("shown")
            assert again["way"] == shown["way"]
            assert again["way"][-1] == ["match", {"match_id": match_id}]
            assert again["revision"] >= shown["revision"] > 0
            assert again["position"] == await _position(server, tmp_path / "phone", match_id)
            await until(lambda: streams() == before + 1)
        finally:
            await phone.stop()


async def _position(server: str, data: Path, match_id: str) -> Any:
    """Where the server stands, asked as the same player."""
    address = parse_address(server, plaintext=True)
    gateway = RemoteGateway(address, StoredAccount(Store(data), str(address)))
    try:
        return (await gateway.get_match(match_id)).position
    finally:
        await gateway.close()
