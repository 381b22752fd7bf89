"""RULINGS 1.16 to 1.18: rainbow, smelly and boomerang socks."""

from __future__ import annotations

from typing import Unpack

import pytest

from services.engine.core import CHANCE
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
    weights,
    won,
)


def silly(where: str, **things: Unpack[Things]) -> State:
    things.setdefault("options", "silly_socks=true")
    return position(where, **things)


def test_twelve_socks_more_are_in_the_bag_before_the_starting_draw() -> None:
    state = play(fresh({"silly_socks": True}), "first:0")
    assert weights(state) == {
        **{f"draw:{name}": 8 for name in ("red", "yellow", "green", "blue", "violet")},
        **{f"draw:{name}": 4 for name in ("rainbow", "smelly", "boomerang")},
    }
    assert len(weights(play(fresh(), "first:0"))) == 5


# --- 1.16 -------------------------------------------------------------------------------------


@pytest.mark.ruling("1.16")
def test_after_a_gain_its_owner_may_pair_or_keep() -> None:
    state = silly("act 0", pawns="b1 d4", lairs="g - - -", socks="rw -")
    state = play(state, "lair:red:green")
    assert (phase(state), RULESET.actor(state)) == ("rainbow 0 end", 0)
    assert legal(state) == {"pair:red", "pair:green", "keep"}
    paired = play(state, "pair:green")
    assert (section(paired, "socks"), section(paired, "pairs")) == ("r -", "gw -")
    assert (phase(paired), section(paired, "turn")) == ("roll", "2 1 0")
    kept = play(state, "keep")
    assert (section(kept, "socks"), phase(kept)) == ("rgw -", "roll")


@pytest.mark.ruling("1.16")
def test_whatever_was_gained() -> None:
    # The rainbow was kept before; now a boomerang is drawn.
    state = silly("draw 0 1 end", socks="rw -")
    assert phase(play(state, "draw:boomerang")) == "rainbow 0 end"
    assert phase(play(state, "draw:smelly")) == "rainbow 0 end"


@pytest.mark.ruling("1.16")
def test_as_often_as_possible() -> None:
    state = play(silly("draw 0 1 end", socks="ryww -"), "draw:rainbow", "pair:yellow")
    assert (phase(state), section(state, "socks")) == ("rainbow 0 end", "rww -")
    assert legal(state) == {"pair:red", "pair:rainbow", "keep"}
    state = play(state, "pair:red")
    assert (phase(state), section(state, "pairs")) == ("roll", "rw,yw -")


@pytest.mark.ruling("1.16")
def test_equal_colours_pair_first() -> None:
    state = play(silly("draw 0 1 end", socks="rw -"), "draw:red")
    assert (section(state, "socks"), section(state, "pairs")) == ("w -", "rr -")
    assert phase(state) == "roll"


@pytest.mark.ruling("1.16")
def test_two_rainbows_pair_by_choice_and_never_by_themselves() -> None:
    state = play(silly("draw 0 1 end", socks="w -"), "draw:rainbow")
    assert legal(state) == {"pair:rainbow", "keep"}
    assert section(play(state, "keep"), "socks") == "ww -"
    assert section(play(state, "pair:rainbow"), "pairs") == "ww -"


@pytest.mark.ruling("1.16")
def test_smelly_and_boomerang_never_pair() -> None:
    state = play(silly("draw 0 1 end", socks="wso -"), "draw:smelly")
    assert (phase(state), section(state, "socks")) == ("roll", "wsso -")


@pytest.mark.ruling("1.16")
@pytest.mark.parametrize("where", ["pick", "move red 0", "open red 1", "pawn", "act 0", "take 1 0"])
def test_at_any_decision_of_ones_own_turn(where: str) -> None:
    def at(pairs: str) -> State:
        return silly(where, monsters="b1 f1 f6 a6", pawns="c3 c5", socks="gwo y", pairs=pairs)

    state = at("- -")
    assert legal(state, "pair") == {"green"}
    after = play(state, "pair:green")
    assert (phase(after), section(after, "pairs")) == (where, "gw -")
    assert legal(after) == legal(state) - {"pair:green"}
    assert won(play(at("rr,yy -"), "pair:green")) == ("three_pairs", (0,))


@pytest.mark.ruling("1.16")
@pytest.mark.ruling("1.13")
def test_who_pairs_away_the_last_thing_to_do_ends_the_phase() -> None:
    # Nobody to rob but oneself, nothing to peek at, and a hundred moves made.
    up = {"a2": "rc+", "b1": "yc+"}
    state = silly("open red 100", pawns="b2 e5", tokens="wdb wdb", tiles=up, socks="rw -")
    assert legal(state) == {"steal:0:red", "steal:0:rainbow", "pair:red"}
    assert phase(play(state, "pair:red")) == "pawn"
    going_on = silly("open red 99", pawns="b2 e5", tokens="wdb wdb", tiles=up, socks="rw -")
    assert legal(play(going_on, "pair:red")) == {"go"}


@pytest.mark.ruling("1.16")
def test_before_taking_ones_own_gift_too() -> None:
    state = silly("gift red 0", socks="gw -", lairs="rs - - -")
    assert legal(state) == {"gift:red", "pair:green"}
    assert phase(play(state, "pair:green")) == "gift red 0"
    assert legal(silly("gift red 1", socks="- gw", lairs="rs - - -")) == {"gift:red"}


@pytest.mark.ruling("1.16")
def test_not_on_the_turn_of_others_and_not_while_placing() -> None:
    assert legal(silly("pawn", socks="- gw"), "pair") == set()
    state = fresh({"silly_socks": True, "start_socks": "2"})
    state = play(state, "first:0", "draw:rainbow", "draw:red", "keep", "draw:red", "draw:green")
    assert legal(state) == {f"place:{cell}" for cell in ("c3", "d3", "c4", "d4")}


@pytest.mark.ruling("1.16")
def test_a_gain_on_the_turn_of_another() -> None:
    # The victim of seat 0's monster gets blue, and may pair their rainbow at once.
    state = silly("gift green 1", socks="- rw", lairs="- - bvs -")
    assert RULESET.actor(state) == 1
    state = play(state, "gift:blue")
    assert (phase(state), RULESET.actor(state)) == ("rainbow 1 pawn", 1)
    assert legal(state) == {"pair:red", "pair:blue", "keep"}
    state = play(state, "pair:red")
    assert (phase(state), RULESET.actor(state)) == ("pawn", 0)


@pytest.mark.ruling("1.16")
def test_a_rainbow_wins_on_the_turn_of_another() -> None:
    state = silly("gift green 1", socks="- rw", lairs="- - bs -", pairs="- gg,vv")
    assert won(play(state, "gift:blue", "pair:red")) == ("three_pairs", (1,))


# --- 1.17 -------------------------------------------------------------------------------------


@pytest.mark.ruling("1.17")
def test_worked_case_the_gift_wins_on_the_turn_of_another() -> None:
    """B: two pairs, red + smelly; green lair red, blue; A's green monster steals; B takes red."""
    state = silly(
        "open green 1",
        monsters="a1 f1 c3 a6",
        pawns="f5 d4",
        socks="- rs",
        pairs="- yy,gg",
        lairs="- - rb -",
    )
    assert legal(state, "steal") == {"1:smelly"}
    state = play(state, "steal:1:smelly")
    assert section(state, "lairs") == "- - rbs -"
    assert (phase(state), RULESET.actor(state)) == ("gift green 1", 1)
    assert legal(state) == {"gift:red", "gift:blue"}
    assert won(play(state, "gift:red")) == ("three_pairs", (1,))


@pytest.mark.ruling("1.17")
def test_the_smelly_just_delivered_is_no_gift_but_an_older_one_is() -> None:
    assert legal(silly("gift green 1", lairs="- - rs -")) == {"gift:red"}
    state = silly("gift green 1", lairs="- - rss -")
    assert legal(state) == {"gift:red", "gift:smelly"}
    state = play(state, "gift:smelly")
    assert (section(state, "socks"), section(state, "lairs")) == ("- s", "- - rs -")
    assert phase(state) == "pawn"


@pytest.mark.ruling("1.17")
def test_an_empty_lair_gives_from_the_bag() -> None:
    state = silly("open green 1", monsters="a1 f1 c3 a6", pawns="f5 d4", socks="- rs")
    state = play(state, "steal:1:smelly")
    assert (phase(state), RULESET.actor(state)) == ("draw 1 1 pawn", CHANCE)
    state = play(state, "draw:red")
    assert (section(state, "pairs"), phase(state)) == ("- rr", "pawn")


NO_BAG = "rrrrrrrrvvvvvvvvwwwwooo yyyyyyyyggggggggs - bbbbbbbbss"
"""All socks but one boomerang and one smelly."""


@pytest.mark.ruling("1.17")
def test_an_empty_lair_and_an_empty_bag_give_nothing() -> None:
    state = silly(
        "open green 1",
        monsters="a1 f1 c3 a6",
        pawns="f5 d4",
        socks="o s",
        lairs=NO_BAG,
    )
    state = play(state, "steal:1:smelly")
    assert (phase(state), section(state, "socks")) == ("pawn", "o -")


@pytest.mark.ruling("1.17")
def test_the_gift_is_mandatory_and_belongs_to_the_victim_also_of_oneself() -> None:
    state = silly(
        "open red 1", monsters="c3 f1 f6 a6", pawns="d4 f4", socks="gs -", lairs="v - - -"
    )
    assert legal(state, "steal") == {"0:smelly"}
    state = play(state, "steal:0:smelly")
    assert (phase(state), RULESET.actor(state)) == ("gift red 0", 0)
    assert legal(state) == {"gift:violet"}


@pytest.mark.ruling("1.17")
def test_other_players_socks_may_be_stolen_instead() -> None:
    state = silly("open red 1", monsters="c3 f1 f6 a6", pawns="f4 d4 b2", socks="- gs rb")
    assert legal(state, "steal") == {"1:smelly", "2:red", "2:blue"}


@pytest.mark.ruling("1.17")
def test_a_smelly_is_no_shield_against_boomerangs() -> None:
    assert legal(silly("take 1 0", pawns="c3 c5", socks="o gs"), "take") == {"green", "smelly"}


# --- 1.18 -------------------------------------------------------------------------------------


WORKED: Things = {
    "monsters": "c2 f1 f6 a6",
    "pawns": "c4 a2 e5",
    "socks": "go - g",
    "tiles": {"e2": "rc"},
}
"""A stops on e2 with boomerang + green; a monster on c2; B on a2 without singles; C on e5."""


@pytest.mark.ruling("1.18")
def test_worked_case_only_c_can_be_named() -> None:
    state = play(silly("pawn", **WORKED), "pawn:e2")
    assert phase(state) == "act 1"
    assert legal(state, "throw") == {"2"}
    state = play(state, "throw:2")
    assert (phase(state), RULESET.actor(state)) == ("throw 2 0", CHANCE)
    assert weights(state) == weights(position("roll"))


@pytest.mark.ruling("1.18")
def test_worked_case_four_colours_take_a_sock_for_the_boomerang() -> None:
    state = play(silly("pawn", **WORKED), "pawn:e2", "throw:2", "roll:any")
    assert (phase(state), RULESET.actor(state)) == ("take 2 0", 0)
    state = play(state, "take:green")
    assert section(state, "pairs") == "gg - -"
    assert section(state, "socks") == "- - o"
    assert phase(state) == "act 0"
    assert legal(state) == {"lift", "pass"}
    assert section(play(state, "lift", "draw:red", "draw:red"), "pairs") == "rr,gg - -"


@pytest.mark.ruling("1.18")
@pytest.mark.parametrize("face", ["red", "yellow", "green", "blue"])
def test_worked_case_else_it_is_kept_and_the_action_follows(face: str) -> None:
    state = play(silly("pawn", **WORKED), "pawn:e2", "throw:2", f"roll:{face}")
    assert (phase(state), section(state, "socks")) == ("act 0", "go - g")
    assert legal(state) == {"lift", "pass"}


@pytest.mark.ruling("1.18")
def test_as_many_throws_as_boomerangs_and_the_same_target_again() -> None:
    state = play(silly("pawn", pawns="c3 c5", socks="roo gv"), "pawn:c3")
    assert phase(state) == "act 2"
    state = play(state, "throw:1", "roll:red")
    assert (phase(state), legal(state, "throw")) == ("act 1", {"1"})
    state = play(state, "throw:1", "roll:any", "take:violet")
    assert (phase(state), section(state, "socks")) == ("act 0", "rvo go")


@pytest.mark.ruling("1.18")
def test_one_gained_after_the_movement_waits() -> None:
    state = play(silly("pawn", pawns="c3 c5", socks="oo o"), "pawn:c3")
    state = play(state, "throw:1", "roll:any", "take:boomerang")
    assert (section(state, "socks"), phase(state)) == ("oo o", "act 1")
    state = play(state, "throw:1", "roll:blue")
    assert legal(state) == {"lift", "pass"}


@pytest.mark.ruling("1.18")
def test_one_gained_before_the_movement_flies() -> None:
    state = play(
        silly("gift red 0", pawns="c3 c5", socks="- g", lairs="so - - -"), "gift:boomerang"
    )
    assert phase(play(state, "pawn:d3")) == "act 1"


@pytest.mark.ruling("1.18")
def test_the_takers_rainbow_and_win_come_before_the_boomerang_passes() -> None:
    state = silly("take 1 0", pawns="c3 c5", socks="wo g", pairs="rr,yy -")
    state = play(state, "take:green")
    assert (phase(state), section(state, "socks")) == ("rainbow 0 boomerang 1 0", "gwo -")
    assert won(play(state, "pair:green")) == ("three_pairs", (0,))
    state = play(state, "keep")
    assert (phase(state), section(state, "socks")) == ("act 0", "gw o")


@pytest.mark.ruling("1.18")
def test_then_the_target_has_their_rainbow_choice() -> None:
    state = play(silly("take 1 1", pawns="c3 c5", socks="yoo rgw"), "take:red")
    assert (phase(state), RULESET.actor(state)) == ("rainbow 1 act 1", 1)
    assert legal(state) == {"pair:green", "keep"}
    state = play(state, "pair:green")
    assert (phase(state), RULESET.actor(state)) == ("act 1", 0)
    assert section(state, "socks") == "ryo o"


@pytest.mark.ruling("1.18")
def test_nothing_to_throw_at() -> None:
    # Another row and column; no unpaired sock; oneself.
    assert legal(silly("act 1", pawns="c3 d4", socks="ro g"), "throw") == set()
    assert legal(silly("act 1", pawns="c3 c4", socks="ro -", pairs="- gg"), "throw") == set()


@pytest.mark.ruling("1.18")
def test_the_tile_or_lair_action_ends_the_throwing() -> None:
    state = silly("act 1", pawns="b1 b4", socks="ro g", lairs="v - - -")
    assert phase(play(state, "lair:red:violet")) == "roll"
    assert phase(play(state, "pass")) == "roll"


@pytest.mark.ruling("1.18")
@pytest.mark.parametrize("action", ["lift", "lair:red:violet", "pass"])
def test_throws_left_over_leave_no_trace(action: str) -> None:
    state = silly("act 2", pawns="b1 b4", socks="roo g", lairs="v - - -", tiles={"b1": "rc"})
    state = play(state, action)
    assert RULESET.parse_state(RULESET.format_state(state)) == state
