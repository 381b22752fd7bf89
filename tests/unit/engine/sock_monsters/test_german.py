"""RULINGS 1.19 to 1.22: what is different in the German edition."""

from __future__ import annotations

from typing import Unpack

import pytest

from services.engine.core import CHANCE, InvalidNotation, InvalidOption
from services.engine.games.sock_monsters import RULESET
from services.engine.games.sock_monsters.state import State
from tests.unit.engine.sock_monsters.table import (
    Things,
    fresh,
    legal,
    phase,
    play,
    position,
    section,
    text,
    tile,
    weights,
    won,
)


def german(where: str, more: str = "", **things: Unpack[Things]) -> State:
    things["options"] = f"edition=german {more}".strip()
    return position(where, **things)


def cells(names: str) -> set[str]:
    return set(names.split())


# --- 1.19 -------------------------------------------------------------------------------------


@pytest.mark.ruling("1.19")
def test_monsters_move_in_one_straight_line() -> None:
    state = german("move red 0", monsters="c3 f1 f6 a6", pawns="f5 e5")
    assert legal(state, "move") == cells("a3 b3 d3 e3 f3 c1 c2 c4 c5 c6")
    state = german("move red 0", pawns="c1 a3")
    assert legal(state, "move") == cells("b1 a2")


@pytest.mark.ruling("1.19")
def test_three_cells_at_most_and_not_none() -> None:
    state = german("move red 0", pawns="f5 e5")
    assert legal(state, "move") == cells("b1 c1 d1 a2 a3 a4")


@pytest.mark.ruling("1.19")
def test_lairs_are_entered() -> None:
    state = german("move green 0", monsters="b2 f1 b1 a6", pawns="f5 e5")
    assert legal(state, "move") == cells("a1 c1 d1 e1")


@pytest.mark.ruling("1.19")
def test_a_blocked_monster_misses_its_turn() -> None:
    state = german("roll", monsters="a1 a6 f6 f1", pawns="e1 f2")
    assert phase(play(state, "roll:blue")) == "pawn"


@pytest.mark.ruling("1.19")
def test_the_first_player_moves_a_monster_too() -> None:
    state = play(fresh({"edition": "german"}), "first:1", "place:c3", "place:d4")
    assert (phase(state), section(state, "turn")) == ("roll", "1 1 1")
    state = play(state, "roll:any", "monster:red", "move:a2", "eye:closed")
    assert (phase(state), RULESET.actor(state)) == ("pawn", 1)


@pytest.mark.ruling("1.19")
def test_the_action_of_an_awake_monster_may_be_declined() -> None:
    state = german("open red 1", monsters="c3 f1 f6 a6", pawns="f5 e5")
    assert legal(state) == {"peek:c2", "peek:b3", "peek:d3", "peek:c4", "go", "pass"}
    after = play(state, "pass")
    assert (phase(after), section(after, "shown")) == ("pawn", "-")


# --- 1.20 -------------------------------------------------------------------------------------


def robbing(more: str = "", **things: Unpack[Things]) -> State:
    """The red monster of seat 0 is awake on c3, beside the pawn of seat 1 on d4."""
    things.setdefault("monsters", "c3 f1 f6 a6")
    things.setdefault("pawns", "f5 d4")
    return german("open red 1", more, **things)


@pytest.mark.ruling("1.20")
def test_the_stolen_sock_goes_to_the_thief() -> None:
    state = play(robbing(socks="r gv"), "steal:1:violet")
    assert (section(state, "socks"), section(state, "lairs")) == ("rv g", "- - - -")
    assert (phase(state), RULESET.actor(state)) == ("pawn", 0)


@pytest.mark.ruling("1.20")
def test_it_may_pair_and_win_at_once() -> None:
    state = play(robbing(socks="g g", pairs="rr -"), "steal:1:green")
    assert section(state, "pairs") == "rr,gg -"
    state = robbing(socks="g g", pairs="rr,yy -")
    assert won(play(state, "steal:1:green")) == ("three_pairs", (0,))


@pytest.mark.ruling("1.20")
def test_never_from_oneself() -> None:
    state = german("open red 1", monsters="c3 f1 f6 a6", pawns="d4 b2", socks="g r")
    assert legal(state, "steal") == {"1:red"}


@pytest.mark.ruling("1.20")
def test_the_victim_stands_next_to_the_monster() -> None:
    near = german("open red 1", monsters="c3 f1 f6 a6", pawns="f5 b2", socks="- r")
    assert legal(near, "steal") == {"1:red"}
    four = german(
        "open red 1", "steal_adjacency=four", monsters="c3 f1 f6 a6", pawns="f5 b2", socks="- r"
    )
    assert legal(four, "steal") == set()


@pytest.mark.ruling("1.20")
def test_the_thief_gets_the_smelly_and_the_victim_a_gift_from_the_bag() -> None:
    state = robbing("silly_socks=true", socks="r gs")
    assert legal(state, "steal") == {"1:smelly"}
    state = play(state, "steal:1:smelly")
    assert section(state, "socks") == "rs g"
    assert (phase(state), RULESET.actor(state)) == ("draw 1 1 pawn", CHANCE)
    state = play(state, "draw:green")
    assert (section(state, "pairs"), phase(state)) == ("- gg", "pawn")


@pytest.mark.ruling("1.20")
def test_the_thiefs_rainbow_choice_comes_before_the_gift() -> None:
    state = robbing("silly_socks=true", socks="rw gs", pairs="- yy,bb")
    state = play(state, "steal:1:smelly")
    assert (phase(state), RULESET.actor(state)) == ("rainbow 0 gift 1", 0)
    state = play(state, "keep")
    assert phase(state) == "draw 1 1 pawn"
    assert won(play(state, "draw:green")) == ("three_pairs", (1,))


@pytest.mark.ruling("1.20")
def test_no_gift_from_an_empty_bag() -> None:
    state = robbing(
        "silly_socks=true",
        socks="o s",
        lairs="rrrrrrrrvvvvvvvvwwwwooo yyyyyyyyggggggggs - bbbbbbbbss",
    )
    state = play(state, "steal:1:smelly")
    assert (phase(state), section(state, "socks")) == ("pawn", "so -")


# --- 1.21 -------------------------------------------------------------------------------------


@pytest.mark.ruling("1.21")
def test_a_matching_tile_gives_one_sock() -> None:
    state = play(german("act 0", tiles={"c3": "rw"}), "lift")
    assert phase(state) == "draw 0 1 end"
    state = play(state, "draw:violet")
    assert (section(state, "socks"), section(state, "tokens")) == ("v -", "cdb cwdb")
    assert (tile(state, "c3"), phase(state)) == ("rw+", "roll")


@pytest.mark.ruling("1.21")
def test_with_the_token_used_it_goes_back_down() -> None:
    state = play(german("act 0", tokens="cdb cwdb", tiles={"c3": "rw", "c4": "rw+"}), "lift")
    assert (tile(state, "c3"), tile(state, "c4")) == ("rw*", "rw+")
    assert (phase(state), section(state, "socks")) == ("roll", "- -")


@pytest.mark.ruling("1.21")
def test_a_tile_that_lies_face_up_stays() -> None:
    state = play(german("act 0", tokens="cdb cwdb", tiles={"c3": "rw+"}), "lift")
    assert (tile(state, "c3"), phase(state)) == ("rw+", "roll")


@pytest.mark.ruling("1.21")
def test_another_colour_goes_back_down() -> None:
    assert tile(play(german("act 0", tiles={"c3": "yw"}), "lift"), "c3") == "yw*"


# --- 1.22 -------------------------------------------------------------------------------------


@pytest.mark.ruling("1.22")
def test_lifting_is_mandatory() -> None:
    assert legal(german("act 0")) == {"lift"}


@pytest.mark.ruling("1.22")
@pytest.mark.parametrize("cell", ["b1", "a2", "e1", "f2", "a5", "b6", "e6", "f5"])
def test_next_to_a_lair_a_sock_from_the_bag_instead(cell: str) -> None:
    state = german("act 0", pawns=f"{cell} d4", lairs="r r r r")
    assert legal(state) == {"lift", "bag"}
    state = play(state, "bag")
    assert phase(state) == "draw 0 1 end"
    assert weights(state)["draw:red"] == 4
    state = play(state, "draw:blue")
    assert (section(state, "socks"), phase(state)) == ("b -", "roll")


@pytest.mark.ruling("1.22")
def test_diagonally_is_not_next_to_it() -> None:
    assert legal(german("act 0", pawns="b2 e5")) == {"lift"}


@pytest.mark.ruling("1.22")
def test_an_empty_bag_is_not_offered() -> None:
    lairs = "rrrrrrrrvvvvvvvv yyyyyyyy gggggggg bbbbbbbb"
    assert legal(german("act 0", pawns="b1 d4", lairs=lairs)) == {"lift"}


@pytest.mark.ruling("1.22")
def test_tokens_used_waits_for_all_four_tokens() -> None:
    option = "bag_sock_when=tokens_used"
    assert legal(german("act 0", option, pawns="b1 d4", tokens="d -")) == {"lift"}
    assert legal(german("act 0", option, pawns="b1 d4", tokens="- cwdb")) == {"lift", "bag"}
    others = german("act 0", option, pawns="d4 b1", tokens="- d", turn="2 1 0")
    assert legal(others) == {"lift"}


@pytest.mark.ruling("1.22")
def test_socks_from_the_lair_by_option() -> None:
    more = "start_socks=1 lair_source=lair"
    state = robbing(more, socks="- gv")
    state = play(state, "steal:1:violet")
    assert (section(state, "socks"), section(state, "lairs")) == ("- g", "v - - -")
    at_lair = german("act 0", more, pawns="b1 d4", lairs="gv - - -")
    assert legal(at_lair) == {"lift", "lair:red:green", "lair:red:violet"}
    assert legal(german("act 0", more, pawns="b1 d4")) == {"lift"}


@pytest.mark.ruling("1.22")
def test_socks_from_the_lair_whatever_bag_sock_when_says() -> None:
    more = "start_socks=1 bag_sock_when=tokens_used lair_source=lair"
    state = german("act 0", more, pawns="b1 d4", lairs="v - - -")
    assert legal(state) == {"lift", "lair:red:violet"}


@pytest.mark.ruling("1.22")
def test_then_the_smelly_goes_to_the_lair_and_never_from_oneself() -> None:
    more = "start_socks=1 silly_socks=true lair_source=lair"
    state = robbing(more, pawns="b2 d4", socks="r gs", lairs="bv - - -")
    assert legal(state, "steal") == {"1:smelly"}
    state = play(state, "steal:1:smelly")
    assert (phase(state), RULESET.actor(state)) == ("gift red 1", 1)
    assert legal(state) == {"gift:blue", "gift:violet"}


@pytest.mark.ruling("1.22")
@pytest.mark.parametrize("socks", ["edition", "0"])
def test_the_lair_as_source_needs_starting_socks(socks: str) -> None:
    options = {"edition": "german", "lair_source": "lair", "start_socks": socks}
    with pytest.raises(InvalidOption, match="lair_source=lair"):
        RULESET.initial(options, 2)
    position_text = text("pawn", options="edition=german lair_source=lair")
    with pytest.raises(InvalidNotation, match="lair_source=lair"):
        RULESET.parse_state(position_text)
    RULESET.initial({**options, "start_socks": "1"}, 2)


@pytest.mark.ruling("1.22")
def test_options_of_the_other_edition_have_no_effect() -> None:
    options = "bag_sock_when=tokens_used lair_source=lair"
    state = position("act 0", options=options, pawns="b1 d4", lairs="v - - -")
    assert legal(state) == {"lift", "lair:red:violet", "pass"}
    state = robbing("steal_from_self=false", socks="- g")
    assert legal(state, "steal") == {"1:green"}
