"""RULINGS 1.5 to 1.11: the pawn, pairs and the end."""

from __future__ import annotations

import pytest

from services.engine.core import InvalidOption
from services.engine.games.sock_monsters import RULESET
from services.engine.games.sock_monsters.state import State
from tests.unit.engine.sock_monsters.table import (
    Things,
    legal,
    phase,
    play,
    position,
    section,
    tile,
    weights,
    won,
)

ROOMS = {f"{column}{row}" for column in "abcdef" for row in range(1, 7)} - {"a1", "f1", "f6", "a6"}


def cells(names: str) -> set[str]:
    return set(names.split())


# --- 1.5 --------------------------------------------------------------------------------------


@pytest.mark.ruling("1.5")
def test_up_to_three_king_steps_on_an_open_board() -> None:
    state = position("pawn", pawns="c3 f5")
    assert legal(state, "pawn") == ROOMS - {"f5"}
    state = position("pawn", pawns="b1 f5")
    assert legal(state, "pawn") == {cell for cell in ROOMS if cell[0] <= "e" and int(cell[1]) <= 4}


@pytest.mark.ruling("1.5")
def test_a_diagonal_between_two_figures_is_open() -> None:
    # a2 is shut in by the lair, b1, b2 and a3 except for the diagonal to b3.
    state = position("pawn", pawns="a2 a3", monsters="b1 b2 f6 a6")
    assert legal(state, "pawn") == cells("a2 b3 a4 b4 c2 c3 c4 a5 b5 c5 d1 d2 d3 d4 d5 c1")


@pytest.mark.ruling("1.5")
def test_figures_and_lairs_block_the_way() -> None:
    # Out of b1 there is only c1, and from there only d1 and d2.
    state = position("pawn", pawns="b1 c2 d2", monsters="a2 b2 f6 a6")
    assert legal(state, "pawn") == cells("b1 c1 d1 e1 e2")


@pytest.mark.ruling("1.5")
def test_staying_still_permits_the_action() -> None:
    state = play(position("pawn", tiles={"c3": "rc"}), "pawn:c3", "lift", "draw:red")
    assert section(state, "socks") == "r -"


# --- 1.6 --------------------------------------------------------------------------------------


ENCLOSED: Things = {"pawns": "b1 c1 a2 c2", "monsters": "b2 f1 f6 a6"}


@pytest.mark.ruling("1.6")
def test_an_enclosed_pawn_crosses_figures() -> None:
    state = position("pawn", **ENCLOSED)
    two_steps = "a3 b3 c3 d1 d2 d3"
    three_steps = "a4 b4 c4 d4 e1 e2 e3 e4"
    assert legal(state, "pawn") == cells(f"b1 {two_steps} {three_steps}")


@pytest.mark.ruling("1.6")
def test_crossed_cells_count_as_steps() -> None:
    # A second wall: every second step ends on a figure, so three steps just get over it.
    state = position("pawn", pawns="b1 c1 a2 d1", monsters="b2 c2 d2 f6")
    assert legal(state, "pawn") == cells("b1 a3 b3 c3 d3 a4 b4 c4 d4 e1 e2 e3 e4")


@pytest.mark.ruling("1.6")
def test_one_free_neighbour_and_no_figure_is_crossed() -> None:
    state = position("pawn", pawns="b1 a2 c2", monsters="b2 d1 d2 a6")
    assert legal(state, "pawn") == cells("b1 c1")


@pytest.mark.ruling("1.6")
def test_no_lair_is_entered_not_even_when_enclosed() -> None:
    state = position("pawn", pawns="e1 d1 d2 e2", monsters="f2 a1 f6 a6")
    targets = legal(state, "pawn")
    assert "f1" not in targets
    assert targets == cells("e1 f3 e3 d3 c3 c2 c1 f4 e4 d4 c4 b4 b3 b2 b1")


@pytest.mark.ruling("1.6")
def test_an_enclosed_pawn_may_stay() -> None:
    assert phase(play(position("pawn", **ENCLOSED), "pawn:b1")) == "act 0"


# --- 1.7 --------------------------------------------------------------------------------------


@pytest.mark.ruling("1.7")
def test_lift_or_take_one_sock_of_ones_choice_or_nothing() -> None:
    state = position("act 0", pawns="b1 d4", lairs="rbb g - -", monsters="a3 f1 f6 a6")
    assert legal(state) == {"lift", "lair:red:red", "lair:red:blue", "pass"}
    state = play(state, "lair:red:blue")
    assert (section(state, "socks"), section(state, "lairs")) == ("b -", "rb g - -")
    assert (phase(state), section(state, "turn")) == ("roll", "2 1 0")


@pytest.mark.ruling("1.7")
def test_only_an_orthogonal_neighbour_is_next_to_a_lair() -> None:
    assert legal(position("act 0", pawns="b2 d4", lairs="r - - -")) == {"lift", "pass"}
    assert legal(position("act 0", pawns="a2 d4", lairs="r - - -"), "lair") == {"red:red"}


@pytest.mark.ruling("1.7")
def test_an_empty_lair_offers_nothing() -> None:
    assert legal(position("act 0", pawns="f2 d4", lairs="r - g b")) == {"lift", "pass"}


@pytest.mark.ruling("1.7")
@pytest.mark.parametrize(
    ("pawn", "lair"), [("b1", "red"), ("e1", "yellow"), ("f5", "green"), ("a5", "blue")]
)
def test_a_monster_on_the_lair_does_not_block(pawn: str, lair: str) -> None:
    state = position("act 0", pawns=f"{pawn} d4", lairs="v v v v")
    assert legal(state, "lair") == {f"{lair}:violet"}


# --- 1.8 --------------------------------------------------------------------------------------


@pytest.mark.ruling("1.8")
def test_worked_case_first_turn() -> None:
    """A first, pawn c3 moves b2, c1, which hides A's chest; A holds blue, draws blue, green."""
    state = position("pawn", turn="1 0 0", socks="b r", tiles={"c1": "rc"})
    assert "c1" in legal(state, "pawn")
    state = play(state, "pawn:c1", "lift", "draw:blue", "draw:green")
    assert tile(state, "c1") == "rc+"
    assert section(state, "tokens") == "wdb cwdb"
    assert (section(state, "pairs"), section(state, "socks")) == ("bb -", "g r")
    assert (phase(state), section(state, "turn")) == ("roll", "1 1 0")


@pytest.mark.ruling("1.8")
def test_worked_case_second_chest_with_the_token_down() -> None:
    state = position("act 0", tokens="wdb cwdb", tiles={"c3": "rc", "b1": "rc+"})
    state = play(state, "lift")
    assert tile(state, "c3") == "rc+"
    assert (section(state, "socks"), phase(state)) == ("- -", "roll")


@pytest.mark.ruling("1.8")
@pytest.mark.parametrize("name", ["yc", "gb"])
def test_another_colour_goes_back_down_seen_by_all(name: str) -> None:
    state = play(position("act 0", tiles={"c3": name}), "lift")
    assert tile(state, "c3") == f"{name}*"
    assert (section(state, "tokens"), phase(state)) == ("cwdb cwdb", "roll")
    for viewer in (0, 1, -2):
        known = RULESET.information(state, viewer).tiles
        assert [seen.cell for seen in known if seen.type is not None] == [2 + 6 * 2]


@pytest.mark.ruling("1.8")
@pytest.mark.parametrize("name", ["rc+", "yc+"])
def test_lifting_a_tile_that_lies_face_up_has_no_effect(name: str) -> None:
    state = play(position("act 0", tokens="wdb wdb", tiles={"c3": name}), "lift")
    assert tile(state, "c3") == name
    assert (section(state, "tokens"), phase(state)) == ("wdb wdb", "roll")


# --- 1.9 --------------------------------------------------------------------------------------

ALL_BUT_ONE = "rrrrrrrrvvvvvvv yyyyyyyy gggggggg bbbbbbbb"
ALL = "rrrrrrrrvvvvvvvv yyyyyyyy gggggggg bbbbbbbb"


@pytest.mark.ruling("1.9")
def test_a_bag_with_one_sock_gives_one() -> None:
    state = play(position("act 0", tiles={"c3": "rd"}, lairs=ALL_BUT_ONE), "lift")
    assert weights(state) == {"draw:violet": 1}
    state = play(state, "draw:violet")
    assert (section(state, "socks"), section(state, "tokens")) == ("v -", "cwb cwdb")
    assert phase(state) == "roll"


@pytest.mark.ruling("1.9")
def test_an_empty_bag_gives_nothing_and_the_token_turns_all_the_same() -> None:
    state = play(position("act 0", tiles={"c3": "rd"}, lairs=ALL), "lift")
    assert (section(state, "tokens"), phase(state)) == ("cwb cwdb", "roll")
    assert tile(state, "c3") == "rd+"


@pytest.mark.ruling("1.9")
def test_the_last_sock_still_makes_a_pair() -> None:
    # One violet lies unpaired with A, one in the bag.
    lairs = ALL_BUT_ONE.replace("vvvvvvv", "vvvvvv")
    state = position("act 0", tiles={"c3": "rd"}, lairs=lairs, socks="v -")
    state = play(state, "lift", "draw:violet")
    assert (section(state, "socks"), section(state, "pairs")) == ("- -", "vv -")


# --- 1.10 -------------------------------------------------------------------------------------


def lifting(socks: str, pairs: str) -> State:
    return play(position("act 0", tiles={"c3": "rc"}, socks=socks, pairs=pairs), "lift")


@pytest.mark.ruling("1.10")
def test_two_drawn_socks_are_one_gain() -> None:
    state = play(lifting("b -", "rr,gg -"), "draw:blue")
    assert (phase(state), section(state, "socks")) == ("draw 0 1 end", "bb -")
    assert RULESET.outcome(state) is None
    assert won(play(state, "draw:green")) == ("three_pairs", (0,))


@pytest.mark.ruling("1.10")
def test_three_of_a_colour_are_a_pair_and_a_single() -> None:
    state = play(lifting("b -", "- -"), "draw:blue", "draw:blue")
    assert (section(state, "socks"), section(state, "pairs")) == ("b -", "bb -")


@pytest.mark.ruling("1.10")
def test_one_colour_may_make_several_pairs() -> None:
    state = play(lifting("- -", "bb,bb -"), "draw:blue", "draw:blue")
    assert section(state, "pairs") == "bb,bb,bb -"
    assert won(state) == ("three_pairs", (0,))


@pytest.mark.ruling("1.10")
def test_two_draws_may_make_the_fourth_pair() -> None:
    state = play(lifting("gb -", "rr,yy -"), "draw:blue", "draw:green")
    assert won(state) == ("three_pairs", (0,))
    assert RULESET.scores(state) == (4, 0)


@pytest.mark.ruling("1.10")
def test_a_sock_from_a_lair_pairs_at_once() -> None:
    state = position("act 0", pawns="b1 d4", lairs="b - - -", socks="b -", pairs="rr,gg vv")
    state = play(state, "lair:red:blue")
    assert won(state) == ("three_pairs", (0,))
    assert RULESET.scores(state) == (3, 1)


# --- 1.11 -------------------------------------------------------------------------------------


def last_turn(pairs: str, socks: str = "- -", options: str = "round_cap=5") -> State:
    """After the last turn of round 5: seat 1 began, so seat 0 is last of two."""
    state = position("act 0", options=options, turn="5 0 1", pairs=pairs, socks=socks)
    return play(state, "pass")


@pytest.mark.ruling("1.11")
def test_the_game_ends_after_the_last_full_round() -> None:
    before = play(position("act 0", options="round_cap=5", turn="5 1 1"), "pass")
    assert (phase(before), section(before, "turn")) == ("roll", "5 0 1")
    assert RULESET.outcome(before) is None
    before = play(position("act 0", options="round_cap=5", turn="4 0 1"), "pass")
    assert section(before, "turn") == "5 1 1"
    state = last_turn(pairs="rr -")
    assert won(state) == ("round_cap", (0,))
    assert (phase(state), section(state, "turn")) == ("over round_cap", "5 0 1")


@pytest.mark.ruling("1.11")
def test_most_pairs_then_most_single_socks_then_shared() -> None:
    assert won(last_turn(pairs="rr yy,gg", socks="rygbv -")) == ("round_cap", (1,))
    assert won(last_turn(pairs="rr yy", socks="gb v")) == ("round_cap", (0,))
    assert won(last_turn(pairs="rr yy", socks="g b")) == ("round_cap", (0, 1))
    things: Things = {
        "pawns": "c3 d3 d4",
        "pairs": "- yy gg",
        "socks": "rgbv y r",
        "turn": "60 0 1",
    }
    assert won(play(position("act 0", **things), "pass")) == ("round_cap", (1, 2))


@pytest.mark.ruling("1.11")
def test_silly_socks_count_as_single_socks() -> None:
    state = last_turn("gg yy", "r sso", "round_cap=5 silly_socks=true")
    assert won(state) == ("round_cap", (1,))


@pytest.mark.ruling("1.11")
def test_a_win_in_the_last_turn_is_a_win() -> None:
    state = position(
        "act 0",
        options="round_cap=5",
        turn="5 0 1",
        pawns="b1 d4",
        lairs="r - - -",
        socks="r -",
        pairs="gg,bb -",
    )
    assert won(play(state, "lair:red:red")) == ("three_pairs", (0,))


@pytest.mark.ruling("1.11")
def test_sixty_rounds_by_default_and_at_least_one() -> None:
    assert RULESET.options(RULESET.initial({}, 2))["round_cap"] == 60
    state = play(position("act 0", turn="60 1 0"), "pass")
    assert won(state) == ("round_cap", (0, 1))
    with pytest.raises(InvalidOption, match="round_cap=0"):
        RULESET.initial({"round_cap": 0}, 2)
    one = play(position("act 0", options="round_cap=1", turn="1 1 0", pairs="- gg"), "pass")
    assert won(one) == ("round_cap", (1,))
