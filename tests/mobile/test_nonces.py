"""What this device adds to the dice: kept from the first moment, and looked for afterwards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.model.dice import Witness, witness
from app.model.gateway import Refused
from app.model.nonces import SIZE, Nonces
from app.model.shown import Shown
from app.model.store import Store
from app.model.values import SeatWish, Table, TableStatus
from app.net.fake import FRIEND, FakeGateway
from tests.mobile.readable import undrawn
from tests.mobile.ui import playing

PROMISE = "ab" * 32


def table(name: str = "t", promise: str = PROMISE, match_id: str = "") -> Table:
    return Table(name, "", "socker", (), TableStatus.OPEN, match_id, 0, promise=promise)


async def test_what_was_added_is_the_same_after_a_kill(tmp_path: Path) -> None:
    gateway = FakeGateway()
    gateway.tables["t"] = table()
    first = Nonces(Store(tmp_path))
    nonce = first.for_table(table())
    assert len(nonce) == SIZE
    again = Nonces(Store(tmp_path))
    assert again.for_table(table()) == nonce
    await again.add(gateway, table())
    assert gateway.nonces == {"t": nonce}
    again.started(table(match_id="m"))
    known = witness(Shown(Store(tmp_path)), Nonces(Store(tmp_path)), "m")
    assert known == Witness(PROMISE, nonce.hex())
    assert first.for_table(table("another")) != nonce


async def test_nothing_is_added_before_there_is_a_promise(tmp_path: Path) -> None:
    gateway, nonces = FakeGateway(), Nonces(Store(tmp_path))
    assert nonces.for_table(table(promise="")) == b""
    await nonces.add(gateway, table(promise=""))
    assert gateway.nonces == {}


async def test_offline_it_is_tried_again_and_after_a_no_it_is_not(tmp_path: Path) -> None:
    gateway, nonces = FakeGateway(), Nonces(Store(tmp_path))
    gateway.tables["t"] = table()
    gateway.offline = True
    await nonces.add(gateway, table())
    gateway.offline = False
    gateway.refuses = Refused("TABLE_FULL", "too late", {})
    await nonces.add(gateway, table())
    gateway.refuses = None
    await nonces.add(gateway, table())
    assert gateway.nonces == {}
    nonces.started(table(match_id="m"))
    known = witness(Shown(Store(tmp_path)), nonces, "m")
    assert known == Witness(PROMISE, ""), "nobody is blamed for what was never said to be there"


def test_who_gets_up_takes_it_along(tmp_path: Path) -> None:
    nonces = Nonces(Store(tmp_path))
    nonces.for_table(table())
    nonces.given(table())
    nonces.started(table(match_id="m"))
    nonces.taken_back("t")
    assert witness(Shown(Store(tmp_path)), nonces, "m").added == ""


def test_the_newest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.model.nonces.MOST", 3)
    nonces = Nonces(Store(tmp_path))
    for number in range(4):
        nonces.for_table(table(str(number)))
        nonces.started(table(str(number), match_id=f"m{number}"))
    kept = Nonces(Store(tmp_path))
    assert kept.of_match("m0") is None
    assert kept.of_match("m3") is not None


@pytest.mark.parametrize("spoilt", [{"tables": 7}, {"tables": [["t", 1]]}, {}])
def test_a_spoilt_file_is_no_trouble(tmp_path: Path, spoilt: dict[str, object]) -> None:
    Store(tmp_path).write("nonces", spoilt)
    assert Nonces(Store(tmp_path)).for_table(table())


async def test_who_opens_a_table_and_who_sits_down_add_something(tmp_path: Path) -> None:
    gateway = FakeGateway(agents_play=False)
    gateway.promise = PROMISE
    with undrawn():
        async with playing(tmp_path, gateway) as hands:
            mine = await gateway.open_table("r" * 16, "socker", (SeatWish.ME, SeatWish.FRIEND), {})
            hands.app.show_table(mine)
            await hands.until(lambda: gateway.nonces)
            added = gateway.nonces[mine.table_id]
            match_id = gateway.friend_joins(mine.table_id)
            await hands.on("match")
            known = hands.app.session.nonces.of_match(match_id)
            assert known is not None
            assert (known.nonce, known.given) == (added.hex(), True)
            # And at the table of somebody else.
            seats = (replace(mine.seats[0], player_id=FRIEND.player_id), mine.seats[1])
            gateway.tables["t-x"] = replace(mine, table_id="t-x", seats=seats, match_id="")
            hands.app.navigator.go("join", table_id="t-x")
            await hands.until(lambda: hands.screen.name == "join" and hands.screen.ready)
            await hands.press("sit")
            await hands.on("match")
            assert len(gateway.nonces["t-x"]) == SIZE
            assert gateway.nonces["t-x"] != added
            known = hands.app.session.nonces.of_match(hands.screen.match_id)
            assert known is not None
            assert (known.nonce, known.given) == (gateway.nonces["t-x"].hex(), True)
