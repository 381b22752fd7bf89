"""What a touch in Sock Monsters means, by the rules of docs/rules/RULINGS.md section 1."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.model.sock_monsters import SIDE, Kind, Phase, SockMonstersAct
from app.model.sock_monsters_touch import Choice, Hand
from tests.mobile.house import Case, cases, cell, hand, hand_of, kinds

CELLS = [(column, row) for column in range(SIDE) for row in range(SIDE)]


def made(held: Hand, depth: int = 3) -> set[SockMonstersAct]:
    """Every action that up to `depth` touches make, whatever is touched."""
    found: set[SockMonstersAct] = set()
    edge = [held]
    met = {(held.aimed, held.opened)}
    for _ in range(depth):
        reached: list[Hand] = []
        for one in edge:
            touches = [one.touch(where) for where in CELLS]
            touches += [one.choose(choice) for choice in one.choices]
            for touched in touches:
                if touched.act is not None:
                    found.add(touched.act)
                elif (touched.hand.aimed, touched.hand.opened) not in met:
                    met.add((touched.hand.aimed, touched.hand.opened))
                    reached.append(touched.hand)
        edge = reached
    return found


def test_the_positions_have_every_kind_of_decision() -> None:
    phases = {hand_of(case).view.phase for case in cases()}
    assert phases == {
        Phase.PLACE,
        Phase.GIFT,
        Phase.RAINBOW,
        Phase.PICK,
        Phase.MOVE,
        Phase.OPEN,
        Phase.PAWN,
        Phase.ACT,
        Phase.TAKE,
    }
    pairing = {hand_of(case).view.phase for case in cases() if "pair" in kinds(case.state)}
    assert pairing >= {Phase.RAINBOW, Phase.MOVE, Phase.PAWN, Phase.ACT}
    met = {act.kind for case in cases() for act in hand_of(case).legal}
    chance = {Kind.DEAL, Kind.FIRST, Kind.DRAW, Kind.ROLL, Kind.EYE}
    assert met == set(Kind) - chance
    assert len(cases()) > 300


def test_touches_reach_every_legal_action_and_no_other() -> None:
    for case in cases():
        held = hand_of(case)
        assert made(held) == set(held.legal), held.view.position


def test_no_single_touch_does_anything() -> None:
    for case in cases():
        assert made(hand_of(case), depth=1) == set(), hand_of(case).view.position


def test_every_touch_on_the_board_is_answered() -> None:
    for case in cases():
        held = hand_of(case)
        for where in CELLS:
            touched = held.touch(where)
            assert (touched.hand != held) or touched.hint, (held.view.position, where)
            assert bool(touched.hint) == (where not in held.lit)


def test_a_hand_that_is_not_to_act_does_nothing_and_says_so() -> None:
    for case in cases(1):
        held = waiting(case)
        assert held.choices == ()
        assert held.lit == frozenset()
        assert held.touch((2, 2)).hint == "Wait a moment: it is not your turn."
        sent = replace(held, waits=True).touch((2, 2))
        assert (sent.act, sent.hint) == (None, "One moment: your last move is still on its way.")
        assert made(held) == set()


def waiting(case: Case) -> Hand:
    """The same hand while an answer is under way."""
    held = hand_of(case)
    return Hand(held.view, (), held.seat, held.german)


def test_choices_are_few_enough_for_a_small_phone() -> None:
    for case in cases():
        held = hand_of(case)
        assert len(held.choices) <= 8, held.view.position
        for choice in held.choices:
            opened = held.choose(choice).hand
            assert len(opened.choices) <= 9, held.view.position


ROOMS = (
    "tiles #,rc,yc,gc,bc,# rw,yw,gw,bw,rd,yd gd,bd,rb,yb,gb,bb "
    "rc,yc,gc,bc,rw,yw gw,bw,rd,yd,gd,bd #,rb,yb,gb,bb,#"
)


def position(rest: str, seats: int = 2, options: str = "") -> str:
    """A position with those tiles."""
    return f"sock_monsters/1 {seats} {options} | {ROOMS} | {rest}"


@pytest.mark.ruling("1.12")
def test_a_rolled_monster_lights_the_cells_it_can_reach() -> None:
    held = hand(
        position(
            "monsters a1 f1 f6 a6 | pawns c1 e5 | tokens cwdb cwdb | socks r g | pairs - - | "
            "lairs - - - - | turn 2 1 0 | shown - | phase move red 0"
        )
    )
    # The worked case of RULINGS: b1 a2 b2 c2 b3 a3 a4.
    assert held.lit == {cell(name) for name in ("b1", "a2", "b2", "c2", "b3", "a3", "a4")}
    assert held.touch(cell("c1")).hint == "That spot is taken."
    assert held.touch(cell("a1")).hint == "It can't stay where it is."
    assert held.touch(cell("d5")).hint == "Three steps at most."
    assert held.touch(cell("d1")).hint == "It can't get there. The lit spots are free."


AWAKE = position(
    "monsters b3 b2 f6 a6 | pawns b1 c3 | tokens cwdb cwdb | socks - y | pairs - - | "
    "lairs - - - - | turn 2 0 0 | shown - | phase open yellow 1"
).replace("gw,bw,rd,yd,gd,bd", "gw,bw,rd+,yd,gd,bd")


@pytest.mark.ruling("1.13")
@pytest.mark.ruling("1.15")
def test_an_awake_monster_peeks_steals_or_goes_on() -> None:
    held = hand(AWAKE)
    # The worked case of RULINGS: only a2 can be peeked at, the diagonal c3 can be robbed.
    assert held.lit == {cell("a2"), cell("c3"), cell("b2")}
    assert [choice.acts[0].notation for choice in held.choices] == ["steal:1:yellow", "go"]
    assert held.touch(cell("c2")).hint == "That tile lies open already."
    assert held.touch(cell("b1")).hint == "There is no single sock to steal."
    assert held.touch(cell("d4")).hint == "It can only peek right beside itself."
    assert held.touch(cell("b3")).hint == "Only the monster that is awake does something."
    assert held.touch(cell("f1")).hint == "There is nothing to peek at in a lair."


def test_aiming_shows_what_a_second_touch_does_as_a_choice() -> None:
    aimed = hand(AWAKE).touch(cell("a2")).hand
    assert aimed.aimed is not None
    assert aimed.aimed.notation == "peek:a2"
    assert aimed.choices[0].act == aimed.aimed
    assert aimed.choose(aimed.choices[0]).act == aimed.aimed
    assert aimed.touch(cell("a2")).act == aimed.aimed


def test_a_touch_beside_everything_lays_down_what_was_aimed_at() -> None:
    aimed = hand(AWAKE).touch(cell("a2")).hand
    assert aimed.touch(cell("d4")).hand.aimed is None
    assert aimed.touch((-1, 3)).hand.aimed is None


MANY = position(
    "monsters b3 b2 f6 a6 | pawns b1 c3 | tokens cwdb cwdb | socks - rgv | pairs - - | "
    "lairs - - - - | turn 2 0 0 | shown - | phase open yellow 1"
)


def test_a_victim_with_several_socks_shows_them_one_by_one() -> None:
    opened = hand(MANY).touch(cell("c3")).hand
    assert opened.aimed is None
    names = [choice.act.notation if choice.act else "" for choice in opened.choices]
    assert names == ["steal:1:red", "steal:1:green", "steal:1:violet", ""]
    aimed = opened.choose(opened.choices[1]).hand
    assert aimed.aimed is not None
    assert aimed.choices == opened.choices  # the socks stay where they are
    assert aimed.choose(aimed.choices[1]).act == aimed.aimed
    assert aimed.choose(Choice(())).hand == hand(MANY)
    assert opened.touch(cell("c3")).hand == hand(MANY)


ACT = position(
    "monsters a1 f1 f6 a6 | pawns e2 a2 e5 | tokens cwdb cwdb cwdb | socks go - g | pairs - - - | "
    "lairs - - - - | turn 2 0 0 | shown - | phase act 1",
    seats=3,
    options="silly_socks=true",
)


@pytest.mark.ruling("1.18")
def test_a_boomerang_is_thrown_along_rows_and_columns() -> None:
    held = hand(ACT)
    # The worked case of RULINGS: B on a2 has no singles, so only C can be named.
    assert [choice.acts[0].notation for choice in held.choices] == ["lift", "throw:2", "pass"]
    assert held.lit == {cell("e2"), cell("e5")}
    assert held.touch(cell("a2")).hint == "There is no single sock to win there."
    assert held.touch(cell("f1")).hint == "Only from right beside a lair."
    assert held.touch(cell("d2")).hint == "You have walked. Lift your tile, or end your turn."


@pytest.mark.ruling("1.22")
def test_in_the_german_edition_a_sock_comes_from_the_bag_beside_a_lair() -> None:
    rest = (
        "monsters a1 f1 f6 a6 | pawns b1 c3 | tokens {tokens} cwdb | socks r - | pairs - - | "
        "lairs - - - - | turn 2 0 0 | shown - | phase act 0"
    )
    held = hand(position(rest.format(tokens="c"), options="edition=german"))
    assert [choice.acts[0].notation for choice in held.choices] == ["lift", "bag"]
    bag = held.touch(cell("a1")).hand.aimed
    assert bag is not None
    assert bag.kind is Kind.BAG
    assert held.touch(cell("c2")).hint == "Lift the tile you stand on."
    options = "edition=german bag_sock_when=tokens_used"
    later = hand(position(rest.format(tokens="c"), options=options))
    assert later.touch(cell("a1")).hint == "Not yet: some of your tokens are still up."


@pytest.mark.ruling("1.5")
def test_a_pawn_may_stay_and_says_what_stands_in_its_way() -> None:
    held = hand(
        position(
            "monsters b1 b2 f6 a6 | pawns a3 d4 | tokens cwdb cwdb | socks r g | pairs - - | "
            "lairs - - - - | turn 2 0 0 | shown - | phase pawn"
        )
    )
    assert cell("a3") in held.lit
    assert held.touch(cell("a1")).hint == "Elves don't step into lairs."
    assert held.touch(cell("e3")).hint == "Three steps at most."
    assert held.touch(cell("d4")).hint == "That spot is taken."


@pytest.mark.ruling("1.17")
def test_a_gift_is_chosen_from_the_lair_in_the_row() -> None:
    held = hand(
        position(
            "monsters b1 b2 c6 a6 | pawns a3 c5 | tokens cwdb cwdb | socks r r | pairs gg,vv - | "
            "lairs - - rbs - | turn 2 1 0 | shown - | phase gift green 0",
            options="silly_socks=true",
        )
    )
    assert held.seat == 0
    assert [choice.acts[0].notation for choice in held.choices] == ["gift:red", "gift:blue"]
    assert held.touch((0, 0)).hint == "Choose one of the socks below."
