"""The app adds to the seeds of real services, and finds what it has added in the draws."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.model import dice
from app.model.account import MemoryAccount
from app.model.nonces import Nonces
from app.model.shown import Shown
from app.model.store import Store
from app.model.values import MatchStatus, SeatWish, Table
from app.net.address import parse_address
from app.net.remote import RemoteGateway
from tests.fixtures.stack import running_stack
from tests.mobile.gateways import SHORT, act, fresh, legal


class Device:
    """Somebody with a device of their own."""

    def __init__(self, folder: Path, addresses: dict[str, str], name: str) -> None:
        where = ",".join(f"{one}={addresses[one]}" for one in ("rules", "matchmaking", "ai"))
        address = parse_address(where, plaintext=True)
        self.gateway = RemoteGateway(address, MemoryAccount(), display_name=name)
        self.store = Store(folder)
        self.nonces = Nonces(self.store)

    def knows(self, match_id: str) -> dice.Witness:
        """What this device can say about the dice of a match."""
        return dice.witness(Shown(self.store), self.nonces, match_id)


@pytest.fixture
async def devices(tmp_path: Path) -> AsyncIterator[tuple[Device, Device]]:
    async with running_stack(tmp_path) as stack:
        two = [Device(tmp_path / name, stack.addresses, name) for name in ("Ada", "Ben")]
        yield two[0], two[1]
        for one in two:
            await one.gateway.close()


async def started(ada: Device, ben: Device) -> Table:
    """A table that Ada has opened and Ben sat down at, both as the app does it."""
    seats = (SeatWish.ME, SeatWish.FRIEND)
    table = await ada.gateway.open_table(fresh(), "sock_monsters", seats, SHORT["sock_monsters"])
    assert len(table.promise) == 64
    await ada.nonces.add(ada.gateway, table)
    looked_at = await ben.gateway.find_table(table.link)
    nonce = ben.nonces.for_table(looked_at)
    table = await ben.gateway.sit_down(fresh(), code=table.link, nonce=nonce)
    ben.nonces.given(table)
    while not table.match_id:
        table = await ben.gateway.get_table(table.table_id)
    for one in (ada, ben):
        one.nonces.started(table)
    return table


async def test_both_find_in_the_dice_what_they_have_added(
    devices: tuple[Device, Device],
) -> None:
    ada, ben = devices
    match_id = (await started(ada, ben)).match_id
    assert ada.knows(match_id).added
    assert ada.knows(match_id).added != ben.knows(match_id).added
    assert ada.knows(match_id).promise == ben.knows(match_id).promise
    rng = random.Random(1)
    match = await ada.gateway.get_match(match_id)
    while match.status is MatchStatus.RUNNING:
        for one in devices:
            match = await one.gateway.get_match(match_id)
            if match.acting_view is not None:
                await act(one.gateway, match, rng.choice(legal(match)))
    record = await ada.gateway.export_match(match_id)
    for one in devices:
        known = one.knows(match_id)
        events = await one.gateway.list_events(match_id)
        assert dice.check(record, match_id, known, events) is None
        assert dice.verdict(None, known).endswith("with what this device has added.")
    # A server that had left out what one of them added, and told so, or had told otherwise.
    known = ada.knows(match_id)
    other = dice.Witness(known.promise, "11" * 32)
    left_out = dice.check(record, match_id, other, ())
    assert left_out is not None
    assert dice.verdict(left_out, other) == "What this device has added to the dice was left out."
    document = json.loads(record)
    document["seats"][0]["nonce"] = ""
    assert dice.check(json.dumps(document), match_id, known, ()) is not None
