"""The result of a match: its numbers, and whether its dice were what was promised."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.i18n import LANGUAGES, use_language
from app.model import dice
from app.model.hide_and_seek import HideAndSeekAct
from app.model.hide_and_seek import Kind as SeekKind
from app.model.sock_monsters import Kind as HouseKind
from app.model.sock_monsters import SockMonstersAct
from app.model.socker import Kind as SockerKind
from app.model.socker import SockerAct
from app.model.statistics import rows
from app.model.store import Store
from app.model.values import CHANCE, Act, Event, Match, MatchStatus, Occupant, UnknownAct
from app.net.fake import FakeGateway
from app.net.local import LocalGateway
from app.net.local_shelf import Shelf
from app.screens.match.result import NumberLabel
from tests.mobile.fitting import wrong_on
from tests.mobile.gateways import opened, play_out
from tests.mobile.positions import NEARLY, SEATS
from tests.mobile.readable import undrawn
from tests.mobile.ui import PHONE_WIDE, SMALL, Hands, playing, tap_widget


def told(game: str, *acts: tuple[int, Act], seats: int = 2) -> dict[str, tuple[int, ...]]:
    """What is counted of a match in which this happened."""
    events = [Event(revision, actor, act) for revision, (actor, act) in enumerate(acts)]
    match = Match(
        "m", game, (Occupant("p"),) * seats, len(events), MatchStatus.FINISHED, None, (), None
    )
    return {row.label: row.values for row in rows(match, events)}


def test_socker_counts_what_each_side_did() -> None:
    kick, step, sock = (
        SockerAct(kind, (0, 0), (0, 1))
        for kind in (SockerKind.KICK, SockerKind.MOVE, SockerKind.SOCK)
    )
    counted = told("socker", (0, kick), (0, kick), (0, step), (1, sock), (1, UnknownAct()))
    assert counted == {"Kicks": (2, 0), "Steps": (1, 0), "Laid to sleep": (0, 1)}


def test_sock_monsters_counts_rooms_thefts_and_the_luckiest_die() -> None:
    def eye(*, opened: bool) -> tuple[int, Act]:
        return (CHANCE, SockMonstersAct(HouseKind.EYE, eye_open=opened))

    move, lift = SockMonstersAct(HouseKind.MOVE, cell=(1, 1)), SockMonstersAct(HouseKind.LIFT)
    steal = SockMonstersAct(HouseKind.STEAL, seat=0)
    counted = told(
        "sock_monsters",
        *((0, move), eye(opened=True), (0, move), eye(opened=True), (0, lift)),
        *((1, move), eye(opened=True), (1, steal), (1, move), eye(opened=False)),
        *((0, move), eye(opened=False), (0, move), eye(opened=True)),
    )
    assert counted["Open eyes in a row"] == (2, 1)
    assert counted["Rooms searched"] == (1, 0)
    assert counted["Socks stolen"] == (0, 1)


def test_hide_and_seek_counts_cards_and_candies() -> None:
    flip = HideAndSeekAct(SeekKind.FLIP, cell=(0, 0))
    both = HideAndSeekAct(SeekKind.BOTH, cell=(0, 0), other=(1, 0))
    candy = HideAndSeekAct(SeekKind.CANDY, cell=(2, 0))
    counted = told("hide_and_seek", (0, flip), (1, both), (0, candy), (2, flip), seats=3)
    assert counted == {"Pairs": (0, 0, 0), "Candies": (1, 0, 0), "Cards turned": (1, 2, 1)}
    assert told("ludo") == {}


# --- the dice -------------------------------------------------------------------------------------


@pytest.fixture
async def record(tmp_path: Path) -> tuple[dict[str, Any], str, tuple[Event, ...]]:
    """A match played on this device: its record, its promise and its events."""
    gateway = LocalGateway(Shelf(Store(tmp_path)), lambda: "Ada", pace_s=0)
    table = await opened(gateway, "sock_monsters")
    promise = (await gateway.get_match(table.match_id)).promise
    await play_out(gateway, table.match_id, random.Random(1))
    events = await gateway.list_events(table.match_id)
    text = await gateway.export_match(table.match_id)
    await gateway.close()
    # It is the same after a restart: the seed is kept with the match.
    again = LocalGateway(Shelf(Store(tmp_path)), lambda: "Ada", pace_s=0)
    assert json.loads(await again.export_match(table.match_id)) == json.loads(text)
    await again.close()
    return json.loads(text), promise, events


def found(record: tuple[dict[str, Any], str, tuple[Event, ...]], **changes: Any) -> str:
    """The kind of the first fault in a changed record; "" if it holds."""
    document, promise, events = record
    said = json.dumps({**document, **changes})
    fault = dice.check(
        said, "m" if changes.get("other") else document["match_id"], dice.Witness(promise), events
    )
    return "" if fault is None else fault.kind


async def test_an_honest_match_holds(record: Any) -> None:
    assert found(record) == ""
    assert dice.verdict(None, dice.Witness(record[1])).startswith("All dice")


async def test_a_die_that_was_turned_is_found(record: Any) -> None:
    history = [dict(event) for event in record[0]["history"]]
    turned = next(event for event in history if event["action"].startswith("eye:"))
    turned["action"] = "eye:closed" if turned["action"] == "eye:open" else "eye:open"
    assert found(record, history=history) == "die"


async def test_another_seed_than_was_promised_is_found(record: Any) -> None:
    assert (
        dice.check(json.dumps(record[0]), record[0]["match_id"], dice.Witness("00" * 32), ())
        is not None
    )
    fault = dice.check(
        json.dumps(record[0]), record[0]["match_id"], dice.Witness("00" * 32), record[2]
    )
    assert fault is not None
    assert fault.kind == "seed"
    assert (
        dice.verdict(fault, dice.Witness())
        == "The dice were not promised like this before the match."
    )


async def test_another_match_than_was_seen_here_is_found(record: Any) -> None:
    assert found(record, other=True) == "control"
    document, promise, events = record
    number = next(i for i, event in enumerate(events) if event.actor >= 0)
    another = replace(events[number], act=SockMonstersAct(HouseKind.PASS))
    seen = (*events[:number], another, *events[number + 1 :])
    fault = dice.check(json.dumps(document), document["match_id"], dice.Witness(promise), seen)
    assert fault is not None
    assert fault.ply == number
    assert str(number + 1) in dice.verdict(fault, dice.Witness())


async def test_what_is_no_record_is_said_so() -> None:
    for text in ("", "{}", '{"format": "oddsocks-match/1", "match_id": "m"}'):
        with pytest.raises(dice.UnreadableRecord):
            dice.check(text, "m", dice.Witness(), ())


# --- on the screen --------------------------------------------------------------------------------


async def scored(hands: Hands, seed: str = "") -> Any:
    """The sheet after a match of Socker that ended by the rules."""
    hands.gateway.seed = seed
    match_id = hands.gateway.start("socker", SEATS, {"turn_cap": 2}, "" if seed else NEARLY)
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.part is not None and hands.screen.look is not None)
    match = hands.gateway.matches[match_id]
    if not seed:
        hands.gateway.play_as(match_id, "e9*e10")
    while match.actor is not None:
        legal = match.rules.legal_actions(match.state)
        hands.gateway.play_as(match_id, match.rules.format_action(hands.gateway.rng.choice(legal)))

    def over() -> bool:
        hands.part.skip()
        return bool(hands.screen.over)

    await hands.until(over)
    await hands.settle()
    return hands.screen.ids.result


async def test_the_result_shows_numbers_and_the_best_of_them(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        sheet = await scored(hands)
        await hands.until(lambda: sheet.ids.numbers.children)
        labels = [one for one in sheet.ids.numbers.children if isinstance(one, NumberLabel)]
        assert [one.text for one in reversed(labels)][:6] == ["", "You", "Ben", "Kicks", "1", "0"]
        assert [one.text for one in labels if one.best] == ["1"]


async def test_the_dice_are_checked_by_a_touch(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        sheet = await scored(hands, seed="5e" * 32)
        tap_widget(sheet.ids.check)
        await hands.until(lambda: sheet.checked or sheet.trouble)
        assert sheet.checked == "All dice and draws are as they were promised before the match."
        assert sheet.ids.reason.text == sheet.checked


async def test_a_match_first_seen_after_its_end_was_promised_to_nobody_here(tmp_path: Path) -> None:
    """What the server says of the seed only then proves nothing about before."""
    with undrawn():
        async with playing(tmp_path, size=SMALL, fontscale=1.3) as hands:
            await _first_seen_after_its_end(hands)


async def _first_seen_after_its_end(hands: Hands) -> None:
    hands.gateway.seed = "5e" * 32
    match_id = hands.gateway.start("socker", SEATS, {"turn_cap": 2})
    match = hands.gateway.matches[match_id]
    while match.actor is not None:
        legal = match.rules.legal_actions(match.state)
        chosen = match.rules.format_action(hands.gateway.rng.choice(legal))
        hands.gateway.play_as(match_id, chosen)
    for _ in range(2):  # Looking once more does not make it earlier.
        hands.app.navigator.go("match", match_id=match_id)
        await hands.until(lambda: hands.screen.name == "match" and hands.screen.over)
        await hands.settle()
        tap_widget(hands.screen.ids.result.ids.check)
        await hands.until(lambda: hands.screen.checked or hands.screen.trouble)
        assert "saw no promise before the end" in hands.screen.checked
        hands.app.navigator.home()
    # And what is found fits under the result, in all languages.
    hands.app.navigator.go("match", match_id=match_id)
    await hands.until(lambda: hands.screen.name == "match" and hands.screen.over)
    for size in (SMALL, PHONE_WIDE):
        await hands.turn_to(size)
        for language in LANGUAGES:
            use_language(language)
            hands.screen.checked = dice.verdict(None, dice.Witness())
            await hands.settle()
            assert wrong_on(hands, hands.screen.checked) == []


async def test_dice_that_can_not_be_checked_say_why(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        sheet = await scored(hands)
        tap_widget(sheet.ids.check)
        await hands.until(lambda: sheet.trouble)
        assert sheet.trouble == "The dice of this match were thrown without a promise."
        hands.gateway.go_offline()
        tap_widget(sheet.ids.check)
        await hands.until(lambda: sheet.trouble == "The server doesn't answer.")


async def test_a_record_of_a_newer_server_is_said_so_and_is_no_fault_of_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def newer(*_: object) -> str:
        return "{}"

    with undrawn():
        async with playing(tmp_path) as hands:
            sheet = await scored(hands, "5e" * 32)
            monkeypatch.setattr(hands.gateway, "export_match", newer)
            tap_widget(sheet.ids.check)
            await hands.until(lambda: sheet.trouble)
            assert sheet.trouble == "This match needs a newer app."
            assert hands.app.troubles == []


async def test_a_result_without_numbers_is_one_too(tmp_path: Path) -> None:
    class Forgetful(FakeGateway):
        """Goes away when the match is over."""

        async def list_events(self, match_id: str) -> tuple[Event, ...]:
            self.offline = True
            return await super().list_events(match_id)

    async with playing(tmp_path, Forgetful(agents_play=False)) as hands:
        sheet = await scored(hands)
        assert (sheet.title, sheet.score) == ("You won", "1 : 0")
        assert not sheet.ids.numbers.children
