"""The app has itself called by the real service: where, for whom, and not any more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.model.account import StoredAccount
from app.model.calls import Calls, NoNotes
from app.model.gateway import Offline
from app.model.people import People
from app.model.session import Session
from app.model.store import Store
from app.net.address import parse_address
from app.net.local import LocalGateway
from app.net.local_shelf import Shelf
from app.net.remote import RemoteGateway
from oddsocks.rules.v1 import calls_internal_service_pb2 as calls_pb
from tests.contract.matchmaking.finders import swept
from tests.contract.matchmaking.firebase import Firebase, firebase
from tests.contract.matchmaking.world import World, fresh_id, running_world
from tests.fixtures.local import free_port

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


class Phone:
    """A platform with push, in a test's hands."""

    able = True

    def __init__(self) -> None:
        self.name, self.zone = "phone", "Europe/Berlin"
        self.dropped: list[str] = []

    async def token(self) -> str:
        return self.name

    async def drop(self) -> None:
        self.dropped.append(self.name)

    def time_zone(self) -> str:
        return self.zone


class App:
    """What of the app has to do with being called, on a folder of its own."""

    def __init__(self, folder: Path, server: str) -> None:
        self.phone = Phone()
        store = Store(folder)

        def connect(address: str) -> RemoteGateway:
            account = StoredAccount(store, address)
            return RemoteGateway(parse_address(address, plaintext=True), account)

        here = LocalGateway(Shelf(Store(folder / "matches")), lambda: "Ada")
        self.session = Session(store, People(store), here, connect, server)
        self.calls = Calls(self.session, self.phone, NoNotes())

    def want(self, *, wanted: bool = True) -> None:
        """What the settings say."""
        self.session.settings.change(tell_turns=wanted)

    async def player_id(self) -> str:
        """Who plays here."""
        return (await self.session.online.sign_in()).player_id


@pytest.fixture
def fcm(tmp_path: Path) -> Any:
    with firebase(tmp_path) as service:
        yield service


@pytest.fixture
async def world(copied_sqlite_url: str, tmp_path: Path, fcm: Firebase) -> AsyncIterator[World]:
    """On SQLite only: that both databases keep devices alike is tested elsewhere."""
    settings = {"fcm_credentials_file": fcm.credentials(), "fcm_url": fcm.url}
    async with running_world(copied_sqlite_url, tmp_path, **settings) as world:
        world.clock.advance((11 * HOUR_MS - world.clock()) % DAY_MS)  # noon in Berlin
        yield world


@pytest.fixture
async def app(world: World, tmp_path: Path) -> AsyncIterator[App]:
    app = App(tmp_path / "app", f"127.0.0.1:{world.service.server.public_port}")
    yield app
    await app.session.close()


class Turns:
    """Lets it be somebody's turn, in another match each time."""

    def __init__(self, world: World, fcm: Firebase) -> None:
        self._world, self._fcm, self._count = world, fcm, 0

    async def __call__(self, player_id: str) -> list[str]:
        """The tokens of the devices that were called for it."""
        self._count += 1
        self._world.rules.calls.append(
            calls_pb.Call(
                match_id=f"{self._count:032}",
                player_id=player_id,
                kind=calls_pb.CALL_KIND_TURN,
                turn_revision=1,
            )
        )
        self._fcm.messages.clear()
        await swept(self._world, "push")
        return [message["token"] for message in self._fcm.messages]


@pytest.fixture
def turn(world: World, fcm: Firebase) -> Turns:
    return Turns(world, fcm)


async def test_only_who_wants_it_is_called_and_not_any_more_afterwards(
    app: App, turn: Turns
) -> None:
    me = await app.player_id()
    await app.calls.sync()
    assert await turn(me) == []
    app.want()
    await app.calls.sync()
    assert await turn(me) == ["phone"]
    app.want(wanted=False)
    await app.calls.sync()
    assert await turn(me) == []


async def test_another_token_or_time_zone_is_told_and_the_old_token_forgotten(
    app: App, world: World, turn: Turns
) -> None:
    me = await app.player_id()
    app.want()
    await app.calls.sync()
    assert "Europe/Berlin" in await world.dump()
    app.phone.zone = "Asia/Seoul"
    await app.calls.sync()
    assert "Asia/Seoul" in await world.dump()
    assert "Europe/Berlin" not in await world.dump()
    app.phone.name = "phone since the update"
    await app.calls.sync()
    app.phone.zone = "Europe/Berlin"  # where it is not night
    await app.calls.sync()
    assert await turn(me) == ["phone since the update"]


async def test_nobody_is_called_at_night(app: App, world: World, turn: Turns) -> None:
    me = await app.player_id()
    app.want()
    await app.calls.sync()
    world.clock.advance(9 * HOUR_MS)
    assert await turn(me) == []


async def test_somebody_else_on_the_device_is_called_instead(
    app: App, tmp_path: Path, turn: Turns
) -> None:
    ben = App(tmp_path / "ben", app.session.server)
    first, second = await app.player_id(), await ben.player_id()
    app.want()
    await app.calls.sync()
    await app.calls.leave()
    assert await turn(first) == [], "nor while the other one's code is on its way"
    await app.session.online.link(fresh_id(), await ben.session.online.make_link_code())
    await app.calls.sync()
    assert await turn(first) == []
    assert await turn(second) == ["phone"]
    await ben.session.close()


async def test_a_deleted_account_is_called_nowhere(app: App, turn: Turns) -> None:
    me = await app.player_id()
    app.want()
    await app.calls.sync()
    await app.session.online.delete_account()
    app.calls.forgotten()
    await app.calls.sync()
    assert await turn(me) == []
    assert await turn(await app.player_id()) == ["phone"], "whoever is made for the next call"


async def test_a_device_that_was_left_is_called_for_nobody(app: App, turn: Turns) -> None:
    me = await app.player_id()
    app.want()
    await app.calls.sync()
    await app.calls.leave()
    assert await turn(me) == []
    await app.calls.sync()
    assert await turn(me) == ["phone"], "whoever plays here now wants it still"


async def test_signing_out_everywhere_forgets_the_other_devices_only(app: App, turn: Turns) -> None:
    me = await app.player_id()
    app.want()
    await app.calls.sync()
    await app.session.online.sign_out_everywhere()
    assert await turn(me) == []
    app.calls.forgotten()
    await app.calls.sync()
    assert await turn(me) == ["phone"]


async def test_a_server_that_does_not_answer_is_left_by_a_worthless_token(
    app: App, world: World
) -> None:
    app.want()
    await app.calls.sync()
    await world.service.server.stop(0)
    await app.calls.leave()
    assert app.phone.dropped == ["phone"]
    await app.calls.leave()
    assert app.phone.dropped == ["phone"], "there is nothing to leave any more"
    with pytest.raises(Offline):
        await app.calls.sync()


async def test_without_a_server_or_push_nothing_happens(tmp_path: Path) -> None:
    app = App(tmp_path, "")
    app.want()
    await app.calls.sync()
    await app.calls.leave()
    app.session.settings.change(tell_turns=True)
    nowhere = App(tmp_path, f"127.0.0.1:{free_port()}")
    nowhere.phone.able = False
    await nowhere.calls.sync()
    assert not nowhere.calls.able
    assert not nowhere.calls.wanted
