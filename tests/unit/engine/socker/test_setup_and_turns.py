"""RULINGS 2.1 to 2.5: the field, the setup, turns, actions, lying sockers."""

from __future__ import annotations

import pytest

from services.engine.core import CHANCE, InvalidNotation
from services.engine.games.socker import RULESET
from tests.unit.engine.socker.table import (
    SETUP,
    allows,
    board,
    body,
    goal_turn,
    legal,
    play,
    set_up,
    stage,
    start,
    turn,
)


def cells(columns: str, rows: range) -> set[str]:
    return {f"{column}{row}" for column in columns for row in rows}


# --- 2.1 the field ----------------------------------------------------------------------------


@pytest.mark.ruling("2.1")
@pytest.mark.parametrize("column", "abcdefghi")
@pytest.mark.parametrize("seat", ["south", "north"])
def test_every_cell_of_the_far_row_is_goal(column: str, seat: str) -> None:
    # The ball can't stand on a or i, so the corners are reached on a diagonal.
    behind = {"a": "c", "i": "g"}.get(column, column)
    beside = {"a": "b", "i": "h"}.get(column, column)
    if seat == "south":
        state = turn("south", S=f"{behind}9", ball=f"{beside}10")
        after = play(state, f"{behind}9*{beside}10")
        assert body(after).endswith("over:goals goals=1-0 turns=1-0")
    else:
        state = turn("north", N=f"{behind}3", ball=f"{beside}2")
        after = play(state, f"{behind}3*{beside}2")
        assert body(after).endswith("over:goals goals=0-1 turns=0-1")


@pytest.mark.ruling("2.1")
def test_worked_case_goal_in_the_corner() -> None:
    after = play(turn("south", S="c9", ball="b10"), "c9*b10")
    assert RULESET.observe(after, 0).ball == (0, 10)
    outcome = RULESET.outcome(after)
    assert outcome is not None
    assert outcome.winners == (0,)


@pytest.mark.ruling("2.1")
@pytest.mark.parametrize("row", range(2, 11))
@pytest.mark.parametrize("column", "ai")
def test_side_cells_are_out_of_bounds(column: str, row: int) -> None:
    kicker, ball = ("c", "b") if column == "a" else ("g", "h")
    after = play(
        turn("south", S=f"{kicker}{row}", ball=f"{ball}{row}"), f"{kicker}{row}*{ball}{row}"
    )
    assert RULESET.observe(after, 0).ball == (4, row - 1)


@pytest.mark.ruling("2.1")
@pytest.mark.parametrize("cell", ["a2", "a6", "i10", "i2", "a1", "e1", "e11", "i11"])
def test_the_ball_rests_in_the_field_only(cell: str) -> None:
    with pytest.raises(InvalidNotation, match=f"rest on {cell}"):
        turn("south", S="e4", ball=cell)


@pytest.mark.ruling("2.1")
def test_the_ball_starts_in_the_middle() -> None:
    assert RULESET.observe(start(), 0).ball == (4, 5)


# --- 2.2 the setup ----------------------------------------------------------------------------


@pytest.mark.ruling("2.2")
def test_chance_tosses_first() -> None:
    state = RULESET.initial({}, 2)
    assert RULESET.actor(state) == CHANCE
    assert legal(state) == {"toss:south", "toss:north"}
    assert [outcome.weight for outcome in RULESET.chance_outcomes(state)] == [1, 1]


@pytest.mark.ruling("2.2")
@pytest.mark.parametrize(("first", "second"), [("south", "north"), ("north", "south")])
def test_the_winner_places_all_then_the_other_then_the_winner_moves(
    first: str, second: str
) -> None:
    seats = {"south": 0, "north": 1}
    state = play(RULESET.initial({}, 2), f"toss:{first}")
    for seat in (first, second):
        for place in SETUP[seat]:
            assert RULESET.actor(state) == seats[seat]
            state = play(state, place)
    assert stage(state) == f"{first}:0/3"
    assert RULESET.actor(state) == seats[first]


@pytest.mark.ruling("2.2")
def test_places_are_the_own_half_without_the_cells_next_to_the_ball() -> None:
    south = play(RULESET.initial({}, 2), "toss:south")
    expected = cells("abcdefghi", range(1, 6)) - {"d5", "e5", "f5"}
    assert legal(south) == {f"@{cell}" for cell in expected}
    north = play(RULESET.initial({}, 2), "toss:north")
    expected = cells("abcdefghi", range(7, 12)) - {"d7", "e7", "f7"}
    assert legal(north) == {f"@{cell}" for cell in expected}


@pytest.mark.ruling("2.2")
def test_a_place_is_taken_for_good() -> None:
    state = play(RULESET.initial({}, 2), "toss:south", "@e4")
    assert not allows(state, "@e4")
    assert not any(text.startswith("e4") for text in legal(state))


@pytest.mark.ruling("2.2")
@pytest.mark.parametrize("edge", [("a1", "e1", "i1"), ("a2", "a3", "i5"), ("a1", "b1", "i4")])
def test_at_most_three_on_goal_and_side_cells(edge: tuple[str, str, str]) -> None:
    state = play(RULESET.initial({}, 2), "toss:south", *(f"@{cell}" for cell in edge))
    inside = cells("bcdefgh", range(2, 6)) - {"d5", "e5", "f5"}
    assert legal(state) == {f"@{cell}" for cell in inside}


@pytest.mark.ruling("2.2")
def test_the_other_seat_may_have_three_on_the_edge_too() -> None:
    state = play(RULESET.initial({}, 2), "toss:south", "@a1", "@b1", "@c1", "@c3", "@d3")
    state = play(state, "@a11", "@b11")
    assert allows(state, "@c11")
    assert not allows(play(state, "@i9"), "@c11")


# --- 2.3 turns --------------------------------------------------------------------------------


@pytest.mark.ruling("2.3")
def test_at_least_one_action_at_most_three() -> None:
    state = turn("south", S="e3", N="e9")
    assert not allows(state, "end")
    state = play(state, "e3-e4")
    assert allows(state, "end")
    state = play(state, "e4-d4")
    assert stage(play(state, "end")) == "north:0/3"
    assert stage(play(state, "d4-d3")) == "north:0/3"


@pytest.mark.ruling("2.3")
def test_one_socker_may_act_three_times_and_step_out_and_back() -> None:
    state = play(turn("south", S="e3", N="e9"), "e3-f4", "f4-e3")
    assert stage(state) == "south:2/3"
    assert allows(state, "e3-f4")
    state = play(turn("south", S="a5 h9", N="e9"), "a5-b5", "b5-a5", "end")
    assert RULESET.observe(state, 0).sockers[0].cell == (0, 4)


@pytest.mark.ruling("2.3")
def test_a_player_without_any_action_passes() -> None:
    state = turn("south", s="d4 e3", N="e9")
    assert legal(state) == {"pass"}
    after = play(state, "pass")
    assert body(after).endswith("north:0/3 turns=1-0")


@pytest.mark.ruling("2.3")
def test_an_enclosed_player_passes() -> None:
    # a1 stands, but its neighbours do not make way: the lying ones are its own, and the ball
    # can't be kicked onto the socker behind it.
    state = turn("south", S="a1", s="a2 b1 c3", ball="b2", N="e9")
    assert legal(state) == {"pass"}


@pytest.mark.ruling("2.3")
def test_nobody_passes_who_can_act() -> None:
    assert not allows(turn("south", S="e3", s="d4", N="e9"), "pass")
    only_a_kick = turn("south", S="a1", s="a2 b1", ball="b2", N="e9")
    assert legal(only_a_kick) == {"a1*b2"}


@pytest.mark.ruling("2.3")
def test_no_pass_in_mid_turn() -> None:
    state = play(turn("south", S="e3", N="e9"), "e3-e4")
    assert not allows(state, "pass")


# --- 2.4 moves, kicks, socks ------------------------------------------------------------------


@pytest.mark.ruling("2.4")
def test_worked_case_dribbling() -> None:
    after = play(turn("south", S="e4"), "e4-e5", "e5*e6", "e5-e6")
    assert body(after).startswith(board(S="e6", ball="e7"))


@pytest.mark.ruling("2.4")
def test_worked_case_a_sock_needs_an_empty_cell() -> None:
    after = play(turn("south", S="d6", N="e7", ball="b2"), "d6xe7")
    assert body(after).startswith(board(S="d6", n="f8", ball="b2"))
    assert not allows(turn("south", S="d6", N="e7", ball="f8"), "d6xe7")
    assert not allows(turn("south", S="d6", N="e7 f8", ball="b2"), "d6xe7")
    assert not allows(turn("south", S="d6 f8", N="e7", ball="b2"), "d6xe7")


@pytest.mark.ruling("2.4")
def test_worked_case_nobody_is_pushed_off_the_board() -> None:
    assert not allows(turn("south", S="h6", N="i6", ball="b2"), "h6xi6")
    after = play(turn("south", S="g6", N="h6 i2 i3 i4", ball="b2"), "g6xh6")
    assert body(after).startswith(board(S="g6", n="i6", N="i2 i3 i4", ball="b2"))


@pytest.mark.ruling("2.4")
def test_moves_go_to_all_empty_neighbours() -> None:
    state = turn("south", S="b10", N="c9", ball="b9")
    moves = {text for text in legal(state) if "-" in text}
    assert moves == {f"b10-{cell}" for cell in ("a9", "a10", "c10", "a11", "b11", "c11")}


@pytest.mark.ruling("2.4")
@pytest.mark.parametrize(
    ("ball", "lands"),
    [
        ("d5", "c6"),
        ("e5", "e6"),
        ("f5", "g6"),
        ("d4", "c4"),
        ("f4", "g4"),
        ("d3", "c2"),
        ("e3", "e2"),
    ],
)
def test_a_kick_goes_directly_away(ball: str, lands: str) -> None:
    after = play(turn("south", S="e4", N="a9", ball=ball), f"e4*{ball}")
    assert body(after).startswith(board(S="e4", N="a9", ball=lands))


@pytest.mark.ruling("2.4")
def test_a_kick_needs_an_empty_cell() -> None:
    assert not allows(turn("south", S="e4", N="e6", ball="e5"), "e4*e5")
    assert not allows(turn("south", S="e4 e6", ball="e5"), "e4*e5")
    assert not allows(turn("south", S="g7", N="i7", ball="h7"), "g7*h7")
    assert not allows(turn("south", S="d9", N="f11", ball="e10"), "d9*e10")


@pytest.mark.ruling("2.4")
def test_nobody_socks_the_own_side_or_from_afar() -> None:
    state = turn("south", S="e4 e5", N="e7", ball="b2")
    assert not any("x" in text for text in legal(state))


@pytest.mark.ruling("2.4")
def test_pushes_into_goal_and_side_cells_are_legal() -> None:
    state = turn("south", S="e9 c5", N="e10 b5", ball="h2")
    after = play(state, "e9xe10", "c5xb5")
    assert body(after).startswith(board(S="e9 c5", n="e11 a5", ball="h2"))


# --- 2.5 lying sockers ------------------------------------------------------------------------


@pytest.mark.ruling("2.5")
def test_a_socked_socker_misses_its_owners_next_turn() -> None:
    state = play(turn("south", S="d6", N="e7 b9", ball="h2"), "d6xe7", "end")
    assert stage(state) == "north:0/3"
    assert {text[:2] for text in legal(state)} == {"b9"}
    state = play(state, "b9-b8", "end")
    assert "n" not in body(state).split()[0]
    state = play(state, "d6-d5", "end")
    assert allows(state, "f8-f7")


@pytest.mark.ruling("2.5")
def test_socking_again_does_not_prolong_it() -> None:
    state = turn("south", S="d6 g9", N="e7 b9", ball="h2")
    state = play(state, "d6xe7", "g9xf8", "end")
    assert body(state).startswith(board(S="d6 g9", n="e7", N="b9", ball="h2"))
    state = play(state, "b9-b8", "end")
    assert body(state).startswith(board(S="d6 g9", N="e7 b8", ball="h2"))


@pytest.mark.ruling("2.5")
def test_after_that_it_may_be_socked_anew() -> None:
    state = play(turn("south", S="d6", N="e7 b9", ball="h2"), "d6xe7", "end", "b9-b8", "end")
    state = play(state, "d6-e7", "e7xf8", "end")
    assert body(state).startswith(board(S="e7", n="g9", N="b8", ball="h2"))


@pytest.mark.ruling("2.5")
def test_lying_sockers_can_be_in_the_way_and_are_pushed() -> None:
    state = turn("south", "1/3", S="e4", n="e5", N="a9", ball="b2")
    assert not allows(state, "e4-e5")
    assert allows(state, "e4xe5")


@pytest.mark.ruling("2.5")
def test_a_pass_makes_them_stand_up_too() -> None:
    state = play(turn("south", s="d4 e3", N="e9"), "pass")
    assert body(state).startswith(board(S="d4 e3", N="e9"))


@pytest.mark.ruling("2.5")
def test_a_goal_clears_all() -> None:
    state = start(goals_to_win=2)
    state = play(goal_turn(state, "south"), "e9*e10")
    state = set_up(state, "north")
    assert not any(socker.lying for socker in RULESET.observe(state, 0).sockers)
