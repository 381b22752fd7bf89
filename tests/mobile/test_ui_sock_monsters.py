"""Sock Monsters on the screen, touched: whole matches, every kind of decision, every size."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window
from kivy.metrics import dp, sp
from kivy.uix.behaviors import ButtonBehavior

from app.boards import house_motion
from app.boards.house_stage import BACK
from app.boards.motion import style
from app.model.sock_monsters import OVER, Phase
from app.model.sock_monsters_touch import Hand
from app.model.sock_monsters_words import choice_label, prompt, tokens_line
from app.model.values import Occupant
from app.net.fake import ME, FakeGateway
from app.screens.match import sock_monsters_placard as placard
from app.screens.match.sock_monsters_choices import READABLE_SP
from tests.mobile.at_table import ADA, BEN, CHRIS, PIP
from tests.mobile.house import RULES, cases, cell, hand_of
from tests.mobile.house_hands import (
    PAWN,
    House,
    ended,
    greedy,
    hurried,
    revealed,
)
from tests.mobile.test_sock_monsters_touch import ACT, AWAKE, MANY, position
from tests.mobile.ui import PHONE, PHONE_WIDE, SIZES, SMALL, TABLET, on_show, playing, tap_widget

MATCHES: list[tuple[dict[str, Any], tuple[Occupant, ...]]] = [
    ({}, (ADA, PIP)),
    ({"edition": "german", "silly_socks": True, "start_socks": "1"}, (PIP, ADA, PIP)),
]
ROUNDS = 2
"""Of the matches in the short run; in the long one somebody finds three pairs."""


@pytest.mark.parametrize(("options", "seats"), MATCHES, ids=["international", "german"])
async def test_a_short_match_is_played_by_touch_against_agents(
    tmp_path: Path, options: dict[str, Any], seats: tuple[Occupant, ...]
) -> None:
    house = await play(tmp_path, {**options, "round_cap": ROUNDS}, seats)
    assert len([one for one in house.events if one.actor == seats.index(ADA)]) >= 2 * ROUNDS


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("options", "seats"), MATCHES, ids=["international", "german"])
async def test_a_whole_match_is_played_by_touch_against_agents(
    tmp_path: Path, options: dict[str, Any], seats: tuple[Occupant, ...]
) -> None:
    house = await play(tmp_path, options, seats)
    assert house.hand.view.phase is Phase.THREE_PAIRS


async def play(tmp_path: Path, options: dict[str, Any], seats: tuple[Occupant, ...]) -> House:
    """From the deal to the result, against agents that play at random."""
    gateway = FakeGateway(4)
    rng = random.Random(5)
    async with playing(tmp_path, gateway) as hands:
        house = House(hands)
        await house.sit("", seats, **options)
        while house.hand.view.phase not in OVER:
            # Somebody impatient touches the board whenever something moves.
            await hands.until(lambda: hurried(house) and (house.hand.may_act or ended(house)))
            if house.hand.may_act:
                await house.make(greedy(house.hand, rng))
        await house.rest()
        await hands.until(lambda: hurried(house) and hands.screen.over)
        outcome = RULES.outcome(gateway.matches[house.match_id].state)
        assert outcome is not None
        mine = seats.index(ADA)
        assert hands.screen.result_score.split(" : ")[0] == str(outcome.scores[mine])
        shown = [len(placard.elf.pairs) for placard in hands.part.placards[: len(seats)]]
        assert tuple(shown) == outcome.scores
    return house


async def test_the_first_touch_aims_and_the_second_one_acts(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(PAWN)
        assert house.words == "Walk up to 3 steps, or stay."
        house.touch("b4")
        assert house.words == "Touch again to walk there."
        assert house.events == []
        house.touch("c4")  # changed one's mind
        assert house.hand.target == cell("c4")
        house.touch("c4")
        await hands.until(lambda: house.events)
        await house.rest()
        assert house.events[0].notation == "pawn:c4"
        assert house.words == "Lift your tile?"


async def test_a_choice_is_aimed_at_and_made_in_the_row(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(MANY)
        await house.choose("steal:1:red")
        names = [button.text for button in house.buttons]
        assert names == ["Red", "Green", "Violet", "Back"]
        await house.choose("")
        assert house.hand.opened is None
        await house.choose("steal:1:red")
        await house.choose("steal:1:green")
        assert house.button("steal:1:green").chosen
        await house.choose("steal:1:green")
        await hands.until(lambda: house.events)
        assert house.events[0].notation == "steal:1:green"
        await house.rest()
        monster = house.hand.view.monsters[1]
        assert [sock.value for sock in monster.lair] == ["green"]
        assert house.board.stage.lairs[monster.colour] == monster.lair


async def test_a_wrong_touch_says_why_and_changes_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(PAWN)
        house.touch("a1")
        assert house.words == "Elves don't step into lairs."
        house.touch("d4")
        assert house.words == "That spot is taken."
        assert house.events == []
        await hands.until(lambda: house.words == "Walk up to 3 steps, or stay.")


@pytest.mark.ruling("1.14")
async def test_a_peeked_tile_is_seen_for_a_moment_only(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(AWAKE)
        house.touch("a2")
        house.touch("a2")
        await hands.until(lambda: revealed(house, "a2"))
        await house.rest()
        assert house.hand.view.tile(cell("a2")).colour is not None  # type: ignore[union-attr] # it is
        assert house.board.stage.face(cell("a2")) == BACK
        assert not house.board.stage.air.children


@pytest.mark.ruling("1.14")
async def test_a_table_with_a_memory_keeps_it_on_show(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        text = AWAKE.replace("sock_monsters/1 2", "sock_monsters/1 2 memory_aid=true")
        await house.sit(text, memory_aid=True)
        house.touch("a2")
        house.touch("a2")
        await hands.until(lambda: house.events)
        await house.rest()
        kind, colour, motif = house.board.stage.face(cell("a2"))
        assert kind == "known"
        tile = house.hand.view.tile(cell("a2"))
        assert tile is not None
        assert (tile.colour, tile.motif) == (colour, motif)


@pytest.mark.ruling("1.14")
async def test_on_a_shared_device_each_sees_only_their_own_memory(tmp_path: Path) -> None:
    both = (ADA, Occupant(player_id=ME.player_id, display_name="Ben"))
    text = PAWN.replace("sock_monsters/1 2", "sock_monsters/1 2 memory_aid=true")
    text = text.replace("#,rc,yc,gc,bc,#", "#,rc0,yc1,gc,bc,#")
    async with playing(tmp_path) as hands:
        house = House(hands)
        for seat, name in ((0, "Ada"), (1, "Ben")):
            turn = text.replace("turn 2 0 0", f"turn 2 {seat} 0")
            house.match_id = hands.gateway.start(
                "sock_monsters", both, {"memory_aid": True}, " ".join(turn.split())
            )
            hands.app.navigator.go("match", match_id=house.match_id)
            await hands.on("match")
            assert await hands.take_phone() == name
            await hands.until(lambda: house.hand.may_act)
            known = [house.board.stage.face(cell(where))[0] for where in ("b6", "c6")]
            assert known == (["known", "back"] if seat == 0 else ["back", "known"])


async def test_of_a_placard_only_what_changed_is_drawn_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    for what in ("elf", "token", "sock"):
        real = getattr(placard, what)

        def noted(*args: Any, what: str = what, real: Any = real, **kwargs: Any) -> Any:
            drawn.append(what)
            return real(*args, **kwargs)

        monkeypatch.setattr(placard, what, noted)
    text = position(
        "monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb cwdb | socks r - | pairs - - | "
        "lairs - - - - | turn 2 1 0 | shown - | phase act 0"
    )
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(text)
        await hands.settle()
        assert set(drawn) == {"elf", "token", "sock"}
        drawn.clear()
        hands.gateway.play_as(house.match_id, "pass")
        await house.rest()
        await hands.settle()
        assert hands.part.placards[0].acting
        assert drawn == []


@pytest.mark.ruling("1.8")
async def test_a_tile_that_somebody_lifts_is_shown_before_its_socks(tmp_path: Path) -> None:
    text = position(
        "monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb cwdb | socks - - | pairs - - | "
        "lairs - - - - | turn 2 1 0 | shown - | phase act 0"
    )
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(text)
        hands.gateway.play_as(house.match_id, "lift")
        await hands.until(lambda: revealed(house, "d4"))
        assert hands.part.placards[1].elf.socks == ()
        await house.rest()
        assert len(hands.part.placards[1].elf.tokens) == 3


async def test_a_touch_on_a_placard_says_what_its_tokens_are(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(PAWN)
        assert hands.part.ids.prompt.text != tokens_line()
        tap_widget(hands.part.placards[1])
        assert hands.part.ids.prompt.text == tokens_line()


async def test_what_moves_can_be_ended_by_a_touch_that_does_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_motion, "STEP_S", 1000.0)
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(PAWN.replace("turn 2 0 0", "turn 2 1 0"))
        hands.gateway.play_as(house.match_id, "pawn:d5")
        await hands.until(lambda: not house.board.resting)
        house.touch("a3")
        assert house.board.resting
        await house.rest()
        assert house.words == "Ben searches for socks."
        assert house.board.stage.cells[1] == cell("d5")


@pytest.mark.ruling("1.14")
async def test_an_impatient_finger_does_not_cost_the_tile_that_was_peeked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_motion, "PEEK_S", 1000.0)
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(AWAKE)
        for _ in range(6):
            house.touch("a2")
        await hands.until(lambda: revealed(house, "a2"))
        house.touch("a2")
        assert revealed(house, "a2")  # too soon to have seen it
        Window.size = PHONE_WIDE  # turning the phone does not cost it either
        await hands.until(lambda: hands.part.wide)
        await hands.settle()
        assert revealed(house, "a2")
        await hands.until(lambda: hurried(house))
        assert not revealed(house, "a2")
        Window.size = PHONE


async def test_everything_moves_less_for_those_who_wish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_motion, "STEP_S", 1000.0)
    async with playing(tmp_path) as hands:
        monkeypatch.setattr(style, "less", True)
        house = House(hands)
        await house.sit(PAWN.replace("turn 2 0 0", "turn 2 1 0"))
        hands.gateway.play_as(house.match_id, "pawn:d5")
        await house.rest()  # nobody touches it
        assert house.board.stage.cells[1] == cell("d5")


async def test_less_motion_is_chosen_in_the_settings_and_kept(tmp_path: Path) -> None:
    try:
        async with playing(tmp_path) as hands:
            assert not style.less
            await hands.press("settings")
            await hands.on("settings")
            await hands.reach(hands.screen.chip("motion", 1))
            await hands.until(lambda: style.less)
            assert hands.screen.chip("motion", 1).chosen
        style.less = False
        async with playing(tmp_path) as hands:
            assert style.less
            await hands.on("settings")  # where it was left
            await hands.reach(hands.screen.chip("motion", 0))
            await hands.until(lambda: not style.less)
    finally:
        style.less = False


@pytest.mark.ruling("1.16")
async def test_a_rainbow_is_paired_on_somebody_elses_turn(tmp_path: Path) -> None:
    text = position(
        "monsters b1 b2 c6 a6 | pawns a3 c5 | tokens cwdb cwdb | socks rgw b | pairs - - | "
        "lairs - - - - | turn 2 1 0 | shown - | phase rainbow 0 pawn",
        options="silly_socks=true",
    )
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(text, silly_socks=True)
        assert [button.text for button in house.buttons] == ["Red", "Green", "Keep"]
        await house.choose("pair:green")
        await house.choose("pair:green")
        await hands.until(lambda: house.events)
        await house.rest()
        assert len(hands.part.placards[0].elf.pairs) == 1
        assert hands.screen.cheer == "A pair"


async def test_the_seats_own_placard_is_under_the_thumb(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(ACT, (BEN, ADA, CHRIS), silly_socks=True)
        placards = hands.part.placards
        assert placards[1].name == "You"
        assert placards[1].top < house.board.y < placards[0].y
        assert [placard.name for placard in placards[:3]] == ["Ben", "You", "Chris"]
        assert placards[0].acting
        assert house.words == "Ben searches for socks."
        assert not house.buttons


async def test_turning_the_phone_keeps_what_was_aimed_at(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(PAWN)
        house.touch("b4")
        Window.size = PHONE_WIDE
        await hands.until(lambda: tuple(hands.app.root.size) == PHONE_WIDE and hands.part.wide)
        await hands.settle()
        assert house.hand.target == cell("b4")
        house.touch("b4")
        await hands.until(lambda: house.events)
        Window.size = PHONE


async def test_pairs_stay_where_they_are_worn(tmp_path: Path) -> None:
    text = position(
        "monsters a1 f1 f6 a6 | pawns b1 c5 | tokens cwdb cwdb | socks r b | pairs bb,vv - | "
        "lairs r - - - | turn 2 0 0 | shown - | phase act 0"
    )
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(text)
        own = hands.part.placards[0]
        assert own.worn == own.elf.pairs
        house.touch("a1")
        house.touch("a1")
        await hands.until(lambda: ended(house))
        await house.rest()
        # Blue stays on the feet, though red comes first in the order of colours.
        assert [pair[0].value for pair in own.worn] == ["blue", "violet", "red"]
        await hands.until(lambda: hurried(house) and hands.screen.over)
        sheet = hands.screen.ids.result
        assert (sheet.title, sheet.score) == ("You won", "3 : 0")


@pytest.mark.field(31)
async def test_a_flood_of_actions_leaves_the_board_right_and_the_touch_free(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(PAWN.replace("turn 2 0 0", "turn 2 1 0"))
        match, rng = hands.gateway.matches[house.match_id], random.Random(3)
        for _ in range(300):
            if (actor := RULES.actor(match.state)) is None:
                break
            action = rng.choice(RULES.legal_actions(match.state))
            assert actor >= 0
            hands.gateway.play_as(house.match_id, RULES.format_action(action))
        await house.rest()  # without a touch: it jumps when too much waits
        assert house.hand.view.position == hands.position(house.match_id)
        figures = {who: where for where, who in house.hand.view.figures.items()}
        assert house.board.stage.cells == figures


@pytest.mark.field(2)
async def test_after_a_stale_touch_the_board_equals_the_servers(tmp_path: Path) -> None:
    async with playing(tmp_path) as hands:
        house = House(hands)
        await house.sit(PAWN)
        house.touch("b4")
        hands.gateway.play_as(house.match_id, "pawn:a4")  # on the player's other device
        house.touch("b4")
        await hands.until(lambda: hands.app.root.ids.toast.opacity)
        await house.rest()
        assert house.board.stage.cells[0] == cell("a4")
        assert house.hand.view.phase is Phase.ACT


@pytest.mark.field(34)
@pytest.mark.parametrize(
    ("seats", "size"),
    [*((4, size) for size in (*SIZES, SMALL)), (3, PHONE), (3, SMALL), (2, PHONE), (2, TABLET)],
)
async def test_everything_is_on_the_screen_and_apart(
    tmp_path: Path, seats: int, size: tuple[int, int]
) -> None:
    pawns, things = ("b1", "a2", "e5", "c3")[:seats], " ".join(["cwdb"] * seats)
    text = position(
        f"monsters a1 f1 f6 a6 | pawns {' '.join(pawns)} | tokens {things} | "
        f"socks gwo {' '.join(['g'] * (seats - 1))} | pairs {' '.join(['-'] * seats)} | "
        "lairs rv y - - | turn 2 0 0 | shown - | phase act 1",
        seats=seats,
        options="silly_socks=true",
    )
    people = (ADA, BEN, CHRIS, PIP)[:seats]
    async with playing(tmp_path, size=size) as hands:
        house = House(hands)
        await house.sit(text, people, silly_socks=True)
        part = hands.part
        boxes = [part.board, *part.placards[:seats], part.ids.prompt, part.choices]
        for one in boxes:
            assert one.x >= 0
            assert one.y >= 0
            assert one.right <= size[0] + 1
            assert one.top <= size[1] + 1
        for i, one in enumerate(boxes):
            for other in boxes[i + 1 :]:
                apart = one.right <= other.x + 1 or other.right <= one.x + 1
                assert apart or one.top <= other.y + 1 or other.top <= one.y + 1
        for widget in on_show(part):
            if isinstance(widget, ButtonBehavior):
                assert min(widget.size) >= dp(48) - 0.5, (widget, widget.size)
        # The strip over a match with people elsewhere takes 48 dp from the board. A finger that is
        # wider than a cell means the nearest one (ADR 0032).
        assert house.board.stage.layout.cell >= dp(38)
        for column in range(6):
            for row in range(6):
                middle = house.board.stage.layout.middle((column, row))
                assert house.board.stage.layout.cell_at(*middle) == (column, row)


@pytest.mark.field(34)
async def test_no_words_are_cut_off_on_a_small_phone_with_large_print(tmp_path: Path) -> None:
    async with playing(tmp_path, size=SMALL, fontscale=1.3) as hands:
        house = House(hands)
        await house.sit(PAWN)
        part = hands.part
        seen = dict(said())
        for hand in seen.values():
            part._aimed(hand)
            part.place()
            part.choices.do_layout()
            words = part.ids.prompt
            assert words.texture_size[1] <= words.height + 1, words.text
            assert words.y >= part.choices.top - 1, words.text
            for button in house.buttons:
                assert button.is_whole, (button.text, button.size)
                assert button.font_size >= sp(READABLE_SP), (button.text, button.size)
    labels = {label for _, labels in seen for label in labels}
    assert {"Boomerang", "Rainbow", "Go on", "Lift", "Keep", "Pair", "Back", "Done"} <= labels


def said() -> Iterator[tuple[tuple[str, tuple[str, ...]], Hand]]:
    """A hand for everything that can be said at once: the prompt, and what the choices are called.
    Names are left out, which are as long as people like."""
    for case in cases():
        hand = hand_of(case)
        for one in (hand, *(hand.choose(choice).hand for choice in hand.choices)):
            labels = tuple(choice_label(one, choice, ()) for choice in one.choices)
            yield (prompt(one, ()), labels), one
