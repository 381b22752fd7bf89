"""What is kept on the device survives a kill at any moment."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from app.model.account import StoredAccount
from app.model.names import guest_name
from app.model.people import People
from app.model.session import Session
from app.model.store import Notebook, Store
from app.model.values import Player, Tokens
from app.net.fake import FakeGateway

ADA = Player("p1", "Ada")
TOKENS = Tokens("access", 1, "refresh", 2)


def test_an_account_comes_back_after_a_restart(tmp_path: Path) -> None:
    StoredAccount(Store(tmp_path), "a:1").keep(ADA, TOKENS)
    again = StoredAccount(Store(tmp_path), "a:1")
    assert (again.player, again.tokens) == (ADA, TOKENS)


def test_another_server_knows_nothing_of_it(tmp_path: Path) -> None:
    StoredAccount(Store(tmp_path), "a:1").keep(ADA, TOKENS)
    other = StoredAccount(Store(tmp_path), "b:1")
    assert (other.player, other.tokens) == (None, None)
    other.keep(Player("p2", "Ben"), TOKENS)
    assert StoredAccount(Store(tmp_path), "a:1").player == ADA


def test_a_sign_in_is_repeated_under_one_id_also_after_a_kill(tmp_path: Path) -> None:
    first = StoredAccount(Store(tmp_path), "a:1").sign_in_id()
    again = StoredAccount(Store(tmp_path), "a:1")
    assert again.sign_in_id() == first
    assert len(first) >= 16
    again.keep(ADA, TOKENS)
    assert StoredAccount(Store(tmp_path), "a:1").sign_in_id() != first


def test_a_write_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    store.write("thing", {"a": 1})

    def full(_handle: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        store.write("thing", {"a": 2})
    assert store.read("thing") == {"a": 1}
    Notebook(tmp_path).write("thing", {"a": 3})
    assert store.read("thing") == {"a": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["thing.json"]


def test_a_damaged_file_is_set_aside_not_lost(tmp_path: Path) -> None:
    (tmp_path / "account.json").write_text("{half a")
    assert StoredAccount(Store(tmp_path), "a:1").player is None
    assert (tmp_path / "account.json.damaged").read_text() == "{half a"


def test_a_file_of_another_version_costs_a_sign_in_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "account.json").write_text(json.dumps({"a:1": {"player": {"x": 1}, "tokens": {}}}))
    assert StoredAccount(Store(tmp_path), "a:1").tokens is None


def test_tokens_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    StoredAccount(Store(tmp_path), "a:1").keep(ADA, TOKENS)
    assert stat.S_IMODE((tmp_path / "account.json").stat().st_mode) == 0o600


def test_screens_that_can_not_be_read_are_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path)
    session = Session(store, People(store), FakeGateway(), lambda _: FakeGateway(), "s")
    session.remember_screens([("home", {}), ("match", {"match_id": "m"})])
    assert session.remembered_screens() == [("home", {}), ("match", {"match_id": "m"})]
    (tmp_path / "screens.json").write_text('{"screens": [{"name": "home"}]}')
    assert session.remembered_screens() == []


def test_a_guest_has_a_friendly_name_and_keeps_it_when_asking_again() -> None:
    assert guest_name("abc") == guest_name("abc")
    names = {guest_name(str(i)) for i in range(500)}
    assert len(names) > 150
    assert all(len(name) <= 24 for name in names)


def test_the_owner_of_a_device_has_a_name_from_the_start_and_keeps_it(tmp_path: Path) -> None:
    name = People(Store(tmp_path)).me
    assert name
    assert People(Store(tmp_path)).me == name
    People(Store(tmp_path)).rename_me("  Ada \n ")
    assert People(Store(tmp_path)).me == "Ada"
    People(Store(tmp_path)).rename_me("  ")
    assert People(Store(tmp_path)).me == "Ada"


def test_people_met_last_are_offered_first_and_nobody_twice(tmp_path: Path) -> None:
    people = People(Store(tmp_path))
    for name in ("Mia", "Tom", "Mia", " "):
        people.met(name)
    again = People(Store(tmp_path))
    assert again.offered()[:2] == ["Mia", "Tom"]
    assert len(set(again.offered())) == len(again.offered()) > 6
    for number in range(30):
        people.met(f"Guest {number}")
    assert len(People(Store(tmp_path)).others) == 12


@pytest.mark.parametrize("kept", ['{"me": 3, "others": "Mia"}', "[]", "{"])
def test_names_that_can_not_be_read_are_made_anew(tmp_path: Path, kept: str) -> None:
    (tmp_path / "people.json").write_text(kept)
    people = People(Store(tmp_path))
    assert people.me
    assert people.others == []
