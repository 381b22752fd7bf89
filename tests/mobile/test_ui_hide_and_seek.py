"""Monster Hide and Seek on the screen, touched: whole matches, every decision, every size."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.label import Label

from app.boards import seek_motion
from app.model.hide_and_seek import Face, Phase
from app.model.values import Agent, Here, MatchStatus, Occupant, SeatWish
from app.net.fake import FakeGateway
from app.screens.match.hide_and_seek_table import Setting, lay
from app.screens.match.laying import Box
from app.script import Finger
from tests.mobile.at_table import ADA, BEN_HERE, PIP
from tests.mobile.seek_hands import FULL, Seeker, position, seeking
from tests.mobile.seekers import RULES, cell
from tests.mobile.ui import SIZES, SMALL, hands_on, on_show, playing, session_on


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards turn until somebody touches something, however slow this machine is."""
    monkeypatch.setattr(seek_motion, "FLIP_S", 1000.0)


MATCHES = [
    pytest.param({}, (ADA, PIP), id="five", marks=pytest.mark.long),
    pytest.param(
        {"types": 4, "may_stop_after_match": True, "turn_cap": 12}, (PIP, ADA, PIP), id="four"
    ),
    pytest.param({"types": 3, "flip_together": True, "memory_aid": True}, (ADA, PIP), id="three"),
]


@pytest.mark.parametrize(("options", "seats"), MATCHES)
async def test_a_whole_match_is_played_by_touch_against_agents(
    tmp_path: Path, options: dict[str, Any], seats: tuple[Occupant, ...]
) -> None:
    async with playing(tmp_path, FakeGateway(4), size=SMALL) as hands:
        seeker = Seeker(hands)
        await seeker.sit("", seats, **options)
        made = await seeker.play(random.Random(5))
        mine = [event for event in seeker.events if event.actor == seats.index(ADA)]
        assert len(mine) == made >= 3
        await hands.until(lambda: hands.screen.over)
        match = hands.gateway.seen(hands.gateway.matches[seeker.match_id])
        assert match.outcome is not None
        scores = sorted(map(str, match.outcome.scores))
        assert sorted(hands.screen.result_score.split(" : ")) == scores
        assert hands.screen.result_reason


async def test_two_opponents_of_one_kind_are_told_apart_to_the_end(tmp_path: Path) -> None:
    async with playing(tmp_path, FakeGateway(4), size=SMALL) as hands:
        seeker = Seeker(hands)
        await seeker.sit("", (ADA, PIP, PIP), types=3, turn_cap=6)
        assert [one.name for one in hands.part.placards[:3]] == ["You", "Pip", "Pip 2"]
        await seeker.play(random.Random(5))
        await hands.until(lambda: hands.screen.over)
        await hands.until(lambda: hands.screen.ids.result.ids.numbers.children)
        said = [one.text for one in hands.screen.ids.result.ids.numbers.children[::-1]]
        assert [text for text in said if text in ("You", "Pip", "Pip 2")] == ["You", "Pip", "Pip 2"]


async def test_two_people_on_one_device_are_told_whose_turn_it_is(tmp_path: Path) -> None:
    async with playing(tmp_path, FakeGateway(4), size=SMALL) as hands:
        seeker = Seeker(hands)
        await seeker.sit("", (ADA, BEN_HERE), types=3)
        asked = set()

        def look() -> None:
            name = ("Ada", "Ben")[seeker.hand.view.turn or 0]
            assert seeker.words.startswith(f"{name}: ")
            assert [one.name for one in hands.part.placards if one.acting] == [name]
            asked.add(name)

        made = await seeker.play(random.Random(2), look)
        assert asked == {"Ada", "Ben"}
        assert made == sum(event.actor >= 0 for event in seeker.events)
        assert not hands.screen.ids.curtain.closed
        await hands.until(lambda: hands.screen.over)


async def test_a_match_without_a_network_is_played_by_two_people_and_an_agent(
    tmp_path: Path,
) -> None:
    session = session_on(tmp_path)
    async with hands_on(session, size=SMALL) as hands:
        seats = (SeatWish.ME, Here("Ben"), Agent("random", "hide_and_seek", 1))
        table = await session.here.open_table("r", "hide_and_seek", seats, {"types": 3})
        hands.app.navigator.go("match", match_id=table.match_id)
        await hands.on("match")
        seeker = Seeker(hands)
        await hands.until(lambda: seeker.hand.view.cards and seeker.board.resting)
        await hands.settle()
        await seeker.play(random.Random(3))
        await hands.until(lambda: hands.screen.over)
        match = await session.here.get_match(table.match_id)
        assert match.status is MatchStatus.FINISHED
        assert seeker.hand.view.position == match.position


async def test_from_home_to_the_first_card_without_a_network(tmp_path: Path) -> None:
    async with hands_on(session_on(tmp_path), size=SMALL) as hands:
        await hands.press("play")
        await hands.choose("hide_and_seek")
        await hands.press("play")
        await hands.on("match")
        seeker = Seeker(hands)
        await hands.until(lambda: seeker.hand.may_act and seeker.board.resting)
        await hands.settle()
        where = next(iter(seeker.hand.cards))
        seeker.touch(where)
        await hands.until(lambda: seeker.hand.view.flipped == where)


# --- touches --------------------------------------------------------------------------------------


async def test_a_finger_that_slides_away_flips_nothing(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position(FULL, "first 0"))
        before = list(seeker.events)
        finger = Finger(*seeker.where("a1"))
        EventLoop.post_dispatch_input("begin", finger)
        x, y = seeker.where("b1")
        finger.move({"x": x / (Window.width - 1), "y": y / (Window.height - 1)})
        EventLoop.post_dispatch_input("update", finger)
        EventLoop.post_dispatch_input("end", finger)
        await seeker.hands.settle()
        assert seeker.events == before
        seeker.touch("a1")
        await seeker.hands.until(lambda: len(seeker.events) > len(before))
        assert seeker.events[-1].notation == "flip:a1"


@pytest.mark.usefixtures("slowly")
async def test_a_second_card_can_be_touched_while_the_first_still_turns(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position(FULL, "first 0"))
        count = len(seeker.events)
        seeker.touch("a1")
        await seeker.hands.until(lambda: not seeker.board.resting)
        seeker.touch("e1")
        await seeker.hands.until(lambda: len(seeker.events) == count + 2)
        await seeker.hands.until(lambda: not seeker.board.resting)
        seeker.hurry()
        await seeker.rest()
        assert [event.notation for event in seeker.events[count:]] == ["flip:a1", "flip:e1"]


@pytest.mark.ruling("3.6")
async def test_a_candy_is_aimed_at_before_it_is_taken(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position(FULL, "first 0"))
        count = len(seeker.events)
        seeker.touch("d2")
        assert set(seeker.hand.found) == {cell("c2"), cell("e2"), cell("d1")}
        assert seeker.words == "Touch again to take it. The lit cards turn over."
        seeker.touch("d2")
        await seeker.hands.until(lambda: len(seeker.events) > count)
        await seeker.rest()
        assert seeker.hands.part.placards[0].ids.stars.count == 2


async def test_a_wrong_touch_says_why(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position("..,Ba,..,*,Ca/Aa,Ac,Bc,Cb,Cc", "again 0", piles="AB,BB -"))
        seeker.touch("a2")
        assert seeker.words == "Nobody hides there any more."
        seeker.touch("d2")
        assert seeker.words == "No candy after a match. Turn a card."
        await seeker.hands.until(lambda: seeker.words == "A pair. Go on: turn a card.")


@pytest.mark.ruling("3.4")
async def test_one_may_stop_after_a_match_where_the_table_allows_it(tmp_path: Path) -> None:
    options = "may_stop_after_match=true"
    cards = "..,Ba,..,*,Ca/Aa,Ac,Bc,Cb,Cc"
    async with seeking(tmp_path) as seeker:
        await seeker.sit(
            position(cards, "again 0", options, "AB,BB -"), types=3, may_stop_after_match=True
        )
        count = len(seeker.events)
        await seeker.hands.press("stop")
        await seeker.hands.until(lambda: len(seeker.events) > count)
        await seeker.rest()
        assert seeker.hand.view.turn == 1
        await seeker.hands.until(lambda: seeker.hands.part.ids.stop.disabled)


async def test_a_pile_shows_both_sides_of_its_cards_until_a_touch(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position("..,Ba,..,*,Ca/Aa,Ac,Bc,Cb,Cc", "first 1", piles="AB,BB -"))
        sheet = seeker.hands.part.ids.sheet
        for seat, title in ((0, "You: 2 stars"), (1, "Ben: 0 stars")):
            seeker.hands.tap(seeker.hands.part.placards[seat])
            await seeker.hands.settle()
            assert sheet.shown
            assert sheet.title == title
            seeker.touch("a1")
            await seeker.hands.settle()
            assert not sheet.shown
        assert sheet.words == "Ben has found nobody yet."
        seeker.hands.tap(seeker.hands.part.placards[0])
        await seeker.hands.settle()
        assert seeker.hands.back_key()
        assert not sheet.shown
        assert seeker.hands.screen.name == "match"


# --- what is shown --------------------------------------------------------------------------------


@pytest.mark.usefixtures("slowly")
async def test_what_somebody_else_flips_is_seen_to_turn(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position(FULL, "first 1"))
        shown = []
        seeker.board.bind(on_shown=lambda _, hand: shown.append(hand.view.phase))
        night = dict(seeker.board.borders.night)
        seeker.hands.gateway.play_as(seeker.match_id, "flip:c2")
        await seeker.hands.until(lambda: not seeker.board.resting)
        assert shown == []
        seeker.hurry()
        await seeker.rest()
        assert shown == [Phase.SECOND]
        assert seeker.words == "Ben looks for the other one."
        # A double: the other border is all that tells (RULINGS 3.3).
        card = seeker.hand.view.card(cell("c2"))
        assert card is not None
        assert card.shown is Face.B
        changed = {where for where, up in seeker.board.borders.night.items() if up != night[where]}
        assert changed == {cell("c2")}


@pytest.mark.usefixtures("slowly")
async def test_any_touch_ends_a_motion(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position(FULL, "first 1"))
        count = len(seeker.events)
        touches: tuple[Callable[[], None], ...] = (lambda: seeker.touch("a1"), seeker.hurry)
        for touch in touches:
            seeker.hands.gateway.play_as(
                seeker.match_id, "flip:c2" if seeker.hand.view.flipped is None else "flip:a2"
            )
            await seeker.hands.until(lambda: not seeker.board.resting)
            touch()
            assert seeker.board.resting
        # The touch on a card only ended the motion.
        assert len(seeker.events) == count + 2


@pytest.mark.ruling("3.10")
async def test_no_earlier_face_is_shown_unless_the_table_remembers(tmp_path: Path) -> None:
    cards = "AB,Ba,BB,*,Ca/Aa,CA,Bc,Cb,Cc"
    for aid in (False, True):
        async with seeking(tmp_path) as seeker:
            await seeker.sit(position(cards, "first 0", "memory_aid=true" if aid else ""))
            sides = seeker.board.stage.sides
            known = {where: side.known for where, side in sides.items() if side.known is not None}
            remembered = {cell("a2"): Face.B, cell("b1"): Face.A, cell("c2"): Face.B}
            assert known == (remembered if aid else {})


@pytest.mark.field(2)
async def test_an_action_that_came_too_late_is_taken_back(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position(FULL, "first 0"))
        gateway = seeker.hands.gateway
        match = gateway.matches[seeker.match_id]
        match.commit(match.step(RULES.parse_action("flip:e1"), gateway.rng, 0))
        seeker.touch("a1")
        await seeker.hands.until(lambda: seeker.toast)
        assert seeker.toast == "The match had moved on. This is how it stands."
        match.news.set()
        await seeker.rest()
        assert seeker.hand.view.flipped == cell("e1")
        assert seeker.board.stage.sides[cell("a1")].face is Face.A


@pytest.mark.field(6)
async def test_what_a_lost_connection_hid_is_told_when_it_is_back(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position(FULL, "first 1"))
        gateway = seeker.hands.gateway
        match = gateway.matches[seeker.match_id]
        for text in ("flip:c2", "flip:a2", "flip:e1"):
            match.commit(match.step(RULES.parse_action(text), gateway.rng, 0))
        match.news.set()
        await seeker.rest()
        assert seeker.hand.view.position == seeker.hands.position(seeker.match_id)
        truth = {card.cell: card.shown for card in seeker.hand.view.cards}
        shown = {where: side.face for where, side in seeker.board.stage.sides.items()}
        assert shown == truth


# --- sizes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4])
async def test_cards_are_large_and_nothing_is_cut_off(tmp_path: Path, seats: int) -> None:
    others = tuple(
        Occupant(player_id=f"p-{n}", display_name=name)
        for n, name in enumerate(("Ben", "Chris", "Dana"))
    )
    async with seeking(tmp_path, size=SMALL, fontscale=1.3) as seeker:
        await seeker.sit("", (ADA, *others[: seats - 1]))
        for size in (SMALL, *SIZES):
            await seeker.hands.turn_to(size)
            await seeker.hands.until(partial(laid_for, seeker, size))
            assert cut_off(seeker, seats) == [], size


def laid_for(seeker: Seeker, size: tuple[int, int]) -> bool:
    """Whether the board lies as this window does."""
    return bool(seeker.board.stage.layout.turned == (size[0] < size[1]))


def cut_off(seeker: Seeker, seats: int) -> list[str]:
    """Cards and placards too small for a finger, and words that do not fit."""
    part = seeker.hands.part
    side = seeker.board.stage.layout.side
    wrong = [] if side >= dp(48) else [f"cards of {side}"]
    wrong += [
        f"{one.name} in {one.size}" for one in part.placards[:seats] if min(one.size) < dp(48)
    ]
    for widget in on_show(part):
        if isinstance(widget, Label) and widget.text and not widget.shorten:
            width, height = widget.texture_size
            if width > widget.width + 1 or height > widget.height + 1:
                wrong.append(f"{widget.text}: {widget.texture_size} in {widget.size}")
    return wrong


async def test_turning_the_phone_keeps_what_was_begun(tmp_path: Path) -> None:
    async with seeking(tmp_path) as seeker:
        await seeker.sit(position(FULL, "first 0"))
        count = len(seeker.events)
        seeker.touch("a1")
        await seeker.hands.until(lambda: len(seeker.events) > count)
        await seeker.rest()
        Window.size = (Window.height, Window.width)
        await seeker.hands.until(lambda: not seeker.board.stage.layout.turned)
        await seeker.hands.settle()
        assert seeker.hand.view.flipped == cell("a1")
        count = len(seeker.events)
        seeker.touch("e2")
        await seeker.hands.until(lambda: len(seeker.events) > count)
        assert seeker.events[-1].notation == "flip:e2"


@pytest.mark.parametrize(("left", "corner_right"), [(False, False), (False, True), (True, False)])
def test_a_table_is_laid_without_overlaps(*, left: bool, corner_right: bool) -> None:
    for width, height in ((320, 568), (568, 320), (390, 844), (844, 390), (1024, 768), (768, 1024)):
        for seats in (2, 3, 4):
            for mine in range(seats):
                for grid in ((7, 4), (6, 3), (5, 2)):
                    setting = Setting(
                        room=Box(0, 0, width, height),
                        dp=1,
                        seats=seats,
                        mine=mine,
                        grid=grid,
                        stops=True,
                        words=46,
                        left=left,
                        corner_right=corner_right,
                    )
                    table = lay(setting)
                    boxes = [table.board, table.beside, table.stop, table.back]
                    boxes += table.placards.values()
                    assert sorted(table.placards) == list(range(seats))
                    for number, one in enumerate(boxes):
                        assert min(one.width, one.height) > 40
                        assert 0 <= one.x < one.x + one.width <= width
                        assert 0 <= one.y < one.top <= height
                        for other in boxes[number + 1 :]:
                            assert apart(one, other), (setting, one, other)


def apart(one: Box, other: Box) -> bool:
    """Whether two rectangles share nothing."""
    beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    return beside or one.top <= other.y or other.top <= one.y
