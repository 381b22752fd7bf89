"""Connecting over networks that swallow packets: a way through is found as soon as there is one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.model.gateway import Offline
from app.net import channel
from app.net.address import parse_address
from app.net.remote import RemoteGateway
from tests.fixtures.lossy import Lossy, lossy
from tests.mobile.servers import Certified, Script, serving


@dataclass
class Line:
    """A gateway whose connections all go through a lossy line."""

    made: RemoteGateway
    line: Lossy
    troubles: list[dict[str, object]] = field(default_factory=list)


@asynccontextmanager
async def far_away(folder: Path, **settings: float) -> AsyncGenerator[Line]:
    # With TLS, since only its handshake shows on a connection that carries nothing.
    certified = Certified(folder)
    async with serving(Script(), certified.credentials) as port, lossy(port) as line:
        made = RemoteGateway(
            parse_address(f"127.0.0.1:{line.port}", ca_file=certified.ca_file),
            **settings,  # type: ignore[arg-type]  # all of the others are numbers
        )
        found = Line(made, line)
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: found.troubles.append(context))
        yield found
        await made.close()
        await asyncio.sleep(0)
        assert found.troubles == []


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "STAGGER_S", 0.05)


async def test_a_call_gets_through_once_the_line_is_good_again(quick: None, tmp_path: Path) -> None:
    async with far_away(tmp_path) as far:
        far.line.drop_packets()
        call = asyncio.create_task(far.made.list_agents("socker"))
        async with asyncio.timeout(30):
            while far.line.hanging < 2:  # noqa: ASYNC110  # the line has no event for it
                await asyncio.sleep(0.01)
        assert not call.done()
        far.line.restore()
        assert (await asyncio.wait_for(call, 30))[0].name == "random"


async def test_attempts_do_not_pile_up(quick: None, tmp_path: Path) -> None:
    async with far_away(tmp_path, call_timeout_s=1.0) as far:
        far.line.drop_packets()
        with pytest.raises(Offline):
            await far.made.list_agents("socker")
        async with asyncio.timeout(30):
            while far.line.open:  # noqa: ASYNC110  # likewise
                await asyncio.sleep(0.01)
        assert far.line.most_hanging <= channel.MOST_AT_ONCE


async def test_who_waits_for_a_connection_that_is_given_up_is_told_at_once(
    quick: None, tmp_path: Path
) -> None:
    async with far_away(tmp_path, call_timeout_s=30.0) as far:
        far.line.drop_packets()
        call = asyncio.create_task(far.made.list_agents("socker"))
        async with asyncio.timeout(30):
            while not far.line.hanging:  # noqa: ASYNC110  # likewise
                await asyncio.sleep(0.01)
        await far.made.close()
        with pytest.raises(Offline):
            await asyncio.wait_for(call, 20)
