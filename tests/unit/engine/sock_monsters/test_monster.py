"""RULINGS 1.12 to 1.15: the monster phase of the international edition."""

from __future__ import annotations

import pytest

from services.engine.core import CHANCE, SPECTATOR, InvalidOption
from services.engine.games.sock_monsters import RULESET
from services.engine.games.sock_monsters.state import State
from tests.unit.engine.sock_monsters.table import (
    Things,
    ids,
    legal,
    phase,
    play,
    position,
    section,
    tile,
)


def cells(names: str) -> set[str]:
    return set(names.split())


# --- 1.12 -------------------------------------------------------------------------------------


@pytest.mark.ruling("1.12")
def test_worked_case_red_monster_on_a1() -> None:
    state = position("move red 0", pawns="c1 f5")
    assert legal(state) == {f"move:{cell}" for cell in cells("b1 a2 b2 c2 b3 a3 a4")}


@pytest.mark.ruling("1.12")
def test_it_enters_and_crosses_lairs() -> None:
    # From b1 only the lair a1 is free, and behind it a2 and a3.
    state = position("move green 0", monsters="c1 f1 b1 b2", pawns="f5 b3")
    assert legal(state, "move") == cells("a1 a2 a3")


@pytest.mark.ruling("1.12")
def test_it_ends_on_another_cell_than_it_began() -> None:
    # One free neighbour: out and back would be two steps.
    state = position("move green 0", monsters="c1 f1 a1 b1", pawns="a3 b2 d4")
    assert legal(state, "move") == {"a2"}


@pytest.mark.ruling("1.12")
def test_worked_case_a_blocked_monster_misses_its_turn() -> None:
    """Blue rolled; blue monster f1, pawns e1 and f2: nothing revealed, the pawn part follows."""
    state = play(position("roll", monsters="a1 a6 f6 f1", pawns="e1 f2"), "roll:blue")
    assert (phase(state), RULESET.actor(state)) == ("pawn", 0)
    assert section(state, "shown") == "-"


@pytest.mark.ruling("1.12")
def test_worked_case_no_monster_can_move() -> None:
    """Four-colour face; monsters a1 b1 a2 b2, pawns c1 c2 a3 b3: the phase is skipped."""
    state = position("roll", monsters="a1 b1 a2 b2", pawns="c1 c2 a3 b3")
    assert phase(play(state, "roll:any")) == "pawn"
    for colour in ("red", "yellow", "green", "blue"):
        assert phase(play(state, f"roll:{colour}")) == "pawn"


@pytest.mark.ruling("1.12")
def test_the_four_colour_face_lets_pick_any_monster_that_can_move() -> None:
    state = play(position("roll", monsters="a1 b1 a2 e4", pawns="c1 b2 a3 d4"), "roll:any")
    assert phase(state) == "pick"
    assert legal(state) == {"monster:blue"}
    state = play(position("roll"), "roll:any")
    assert legal(state, "monster") == cells("red yellow green blue")
    assert phase(play(state, "monster:green")) == "move green 0"


# --- 1.13 -------------------------------------------------------------------------------------


@pytest.mark.ruling("1.13")
def test_a_closed_eye_ends_the_phase() -> None:
    state = play(position("roll"), "roll:red", "move:a2")
    assert (phase(state), RULESET.actor(state)) == ("eye red 1", CHANCE)
    assert phase(play(state, "eye:closed")) == "pawn"


@pytest.mark.ruling("1.13")
def test_an_open_eye_asks_for_exactly_one_action() -> None:
    state = play(position("roll", socks="- r", pawns="f5 b3"), "roll:red", "move:a2", "eye:open")
    assert legal(state) == {"peek:a3", "peek:b2", "steal:1:red", "go"}
    assert phase(play(state, "peek:a3")) == "pawn"
    assert phase(play(state, "steal:1:red")) == "pawn"


@pytest.mark.ruling("1.13")
def test_going_on_rolls_the_eye_afresh() -> None:
    state = play(position("roll"), "roll:red", "move:a2", "eye:open", "go")
    assert phase(state) == "move red 1"
    state = play(state, "move:a1")
    assert phase(state) == "eye red 2"
    assert phase(play(state, "eye:closed")) == "pawn"
    state = play(state, "eye:open")
    assert phase(state) == "open red 2"
    assert legal(state) == {"peek:a2", "peek:b1", "go"}


@pytest.mark.ruling("1.13")
def test_after_a_hundred_moves_there_is_no_going_on() -> None:
    assert "go" in legal(position("open red 99", monsters="c3 f1 f6 a6", pawns="f5 e5"))
    state = position("open red 100", monsters="c3 f1 f6 a6", pawns="f5 e5")
    assert legal(state) == {f"peek:{cell}" for cell in cells("c2 c4 b3 d3")}


@pytest.mark.ruling("1.13")
def test_the_phase_ends_when_nothing_else_is_possible() -> None:
    # On a1 with face-up neighbours and nobody near: nothing but going on.
    up = {"a2": "rc+", "b1": "yc+"}
    state = position("eye red 99", pawns="f5 e5", tokens="wdb wdb", tiles=up)
    assert legal(play(state, "eye:open")) == {"go"}
    state = position("eye red 100", pawns="f5 e5", tokens="wdb wdb", tiles=up)
    assert phase(play(state, "eye:open")) == "pawn"
    german = position("eye red 100", options="edition=german", pawns="f5 e5", tiles=up)
    assert phase(play(german, "eye:open")) == "pawn"


@pytest.mark.ruling("1.13")
def test_a_monster_back_on_its_lair_still_goes_on() -> None:
    state = play(position("roll", monsters="b1 f1 f6 a6"), "roll:red", "move:a1", "eye:open")
    assert "go" in legal(state)


# --- 1.14 -------------------------------------------------------------------------------------


def awake(**changes: str) -> State:
    """The worked case: monster b2; own pawn b1, c2 face up, monster b3, a2 face down, c3 robbed."""
    return position(
        "open red 1",
        monsters="b2 b3 f6 a6",
        pawns="b1 c3",
        socks=changes.get("socks", "- y"),
        tiles={"c2": "yc+", "a2": "gd"},
        tokens="cwdb wdb",
        options=changes.get("options", ""),
    )


@pytest.mark.ruling("1.14")
def test_worked_case_peek_steal_or_go_on() -> None:
    assert legal(awake()) == {"peek:a2", "steal:1:yellow", "go"}


@pytest.mark.ruling("1.14")
def test_no_peeking_into_a_lair() -> None:
    state = position("open green 1", monsters="a1 f1 b1 a6", pawns="c3 d4")
    assert legal(state, "peek") == cells("c1 b2")


@pytest.mark.ruling("1.14")
def test_only_the_peeker_sees_the_tile() -> None:
    state = play(awake(), "peek:a2")
    assert tile(state, "a2") == "gd0"
    assert section(state, "shown") == "a2 0"
    a2 = 6
    seen = {
        viewer: {t.cell: t.type for t in RULESET.observe(state, viewer).tiles}[a2]
        for viewer in (0, 1, SPECTATOR)
    }
    assert seen[0] is not None
    assert seen[1] is seen[SPECTATOR] is None
    for viewer in (1, SPECTATOR):
        known = {t.cell: t for t in RULESET.information(state, viewer).tiles}[a2]
        assert known.type is None
        assert known.peekers == (0,)


@pytest.mark.ruling("1.14")
def test_a_tile_is_shown_until_somebody_acts_again() -> None:
    state = play(awake(), "peek:a2", "pawn:b1")
    shown = {t.cell: t.type for t in RULESET.observe(state, 0).tiles}[6]
    known = {t.cell: t.type for t in RULESET.information(state, 0).tiles}[6]
    assert shown is None
    assert known is not None


@pytest.mark.ruling("1.14")
def test_the_memory_aid_keeps_it_in_view_for_those_who_saw_it() -> None:
    state = play(awake(options="memory_aid=true"), "peek:a2", "pawn:b1")
    assert {t.cell: t.type for t in RULESET.observe(state, 0).tiles}[6] is not None
    assert {t.cell: t.type for t in RULESET.observe(state, 1).tiles}[6] is None
    assert {t.cell: t.type for t in RULESET.observe(state, SPECTATOR).tiles}[6] is None


@pytest.mark.ruling("1.14")
def test_the_log_names_cells_not_tiles() -> None:
    state = awake()
    (peek,) = ids("peek:a2")
    for viewer in (0, 1, SPECTATOR):
        assert RULESET.visible_action(state, peek, viewer) == "peek:a2"


@pytest.mark.ruling("1.14")
def test_the_deal_is_hidden_from_all() -> None:
    state = RULESET.initial({}, 2)
    for viewer in (0, 1, SPECTATOR):
        for outcome in RULESET.chance_outcomes(state):
            assert RULESET.visible_action(state, outcome.action, viewer) == "?"


# --- 1.15 -------------------------------------------------------------------------------------


NEIGHBOURS = "b2 c2 d2 b3 d3 b4 c4 d4"


@pytest.mark.ruling("1.15")
@pytest.mark.parametrize("cell", NEIGHBOURS.split())
def test_it_steals_from_all_eight_neighbours(cell: str) -> None:
    state = position("open red 1", monsters="c3 f1 f6 a6", pawns=f"f5 {cell}", socks="- rg")
    assert legal(state, "steal") == {"1:red", "1:green"}


@pytest.mark.ruling("1.15")
def test_four_neighbours_by_option() -> None:
    for cell in NEIGHBOURS.split():
        state = position(
            "open red 1",
            options="steal_adjacency=four",
            monsters="c3 f1 f6 a6",
            pawns=f"f5 {cell}",
            socks="- r",
        )
        beside = cell in ("c2", "b3", "d3", "c4")
        assert legal(state, "steal") == ({"1:red"} if beside else set())


@pytest.mark.ruling("1.15")
def test_nobody_further_away_is_robbed() -> None:
    state = position("open red 1", monsters="c3 f1 f6 a6", pawns="e3 c5", socks="r g")
    assert legal(state, "steal") == set()


@pytest.mark.ruling("1.15")
def test_the_edges_of_the_board_are_no_neighbours() -> None:
    # f2 and a3 follow each other in the numbering of cells, but not on the board.
    state = position("open red 1", monsters="f2 f1 f6 a6", pawns="a3 a2", socks="r g")
    assert legal(state, "steal") == set()
    assert legal(state, "peek") == cells("e2 f3")


@pytest.mark.ruling("1.15")
def test_the_sock_goes_to_the_lair_of_the_monsters_colour() -> None:
    # The blue monster stands on the red lair.
    state = position("open blue 1", monsters="c1 f1 f6 a1", pawns="f5 b2", socks="- rgb")
    state = play(state, "steal:1:green")
    assert section(state, "lairs") == "- - - g"
    assert (section(state, "socks"), phase(state)) == ("- rb", "pawn")


@pytest.mark.ruling("1.15")
def test_pairs_are_safe() -> None:
    state = position("open red 1", monsters="c3 f1 f6 a6", pawns="f5 d3", pairs="- rr,gg")
    assert legal(state, "steal") == set()


@pytest.mark.ruling("1.15")
def test_victim_and_sock_are_picked_oneself_included() -> None:
    things: Things = {
        "monsters": "c3 f1 f6 a6",
        "pawns": "d4 d2 b3",
        "socks": "rv y gb",
        "turn": "2 1 0",
    }
    state = position("open red 1", **things)
    assert legal(state, "steal") == cells("0:red 0:violet 1:yellow 2:green 2:blue")
    things["options"] = "steal_from_self=false"
    state = position("open red 1", **things)
    assert legal(state, "steal") == cells("0:red 0:violet 2:green 2:blue")


@pytest.mark.ruling("1.15")
def test_an_unknown_adjacency_is_refused() -> None:
    with pytest.raises(InvalidOption, match="steal_adjacency=six"):
        RULESET.initial({"steal_adjacency": "six"}, 2)
