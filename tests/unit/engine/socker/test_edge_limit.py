"""RULINGS 2.6: how many of the own sockers may be on goal rows and side columns."""

from __future__ import annotations

import pytest

from services.engine.core import InvalidNotation
from tests.unit.engine.socker.table import allows, body, edge_limit, legal, play, stage, turn

THREE = "a3 a5 a7"

pytestmark = pytest.mark.ruling("2.6")


def test_three_may_stay_on_the_edge() -> None:
    state = play(turn("south", S=f"{THREE} e4"), "e4-e3")
    assert allows(state, "end")


def test_goal_rows_side_columns_and_lying_ones_count_together() -> None:
    state = turn("south", "1/3", S="e1 i4 h5", s="a3")
    assert not allows(play(state, "h5-i5"), "end")


def test_the_turn_does_not_end_with_four() -> None:
    state = play(turn("south", S=f"{THREE} b9"), "b9-a9")
    assert not allows(state, "end")
    assert allows(play(state, "a9-b9"), "end")


def test_the_last_action_may_not_make_it_four() -> None:
    state = turn("south", "2/3", S=f"{THREE} b9")
    assert not allows(state, "b9-a9")
    assert not allows(state, "b9-a10")
    assert allows(state, "b9-b10")


def test_the_limit_may_be_exceeded_during_the_turn() -> None:
    state = play(turn("south", S=f"{THREE} b9"), "b9-a9", "a3-b3")
    assert allows(state, "end")


def test_nothing_is_allowed_after_which_three_is_out_of_reach() -> None:
    five = turn("south", "1/3", S=f"{THREE} b9 b10")
    assert allows(five, "b9-a9")
    # One action would be left for two too many.
    assert not allows(play(five, "b9-a9"), "b10-a10")
    # Nobody who stands could step off again: a9 and its neighbours are full, the rest lies.
    stuck = turn("south", "1/3", s=THREE, S="b9", N="a8 b8 a10 b10", ball="e6")
    assert allows(stuck, "b9-a9")
    assert not allows(turn("south", "2/3", s=THREE, S="b9", N="a8 b8", ball="e6"), "b9-a9")


def test_pushes_by_the_opponent_may_exceed_it() -> None:
    state = play(turn("north", N="g6", S="h6 i2 i3 i4", ball="b2"), "g6xh6", "end")
    assert stage(state) == "south:0/3"
    assert edge_limit(state) == 3
    # i6 lies in South's turn, so one of the others has to come off.
    state = play(state, "i4-i5")
    assert not allows(state, "end")
    assert allows(play(state, "i5-h5"), "end")


def test_only_the_movers_own_sockers_are_counted() -> None:
    state = play(turn("south", N="a8 a9 a10 i8", S="e4", ball="b2"), "e4-e5")
    assert allows(state, "end")


def test_a_goal_counts_as_a_continuation() -> None:
    to_go = turn("south", "1/3", s=THREE, S="b9 e9", N="b8 c8 c9 c10 b10", ball="e10")
    # b9 can step to a8, a9 or a10 and, being alone there, not back in two actions; a goal is left.
    assert allows(to_go, "b9-a9")
    blocked = turn("south", "2/3", s=THREE, S="b9 e9", N="b8 c8 c9 c10 b10", ball="e10")
    assert not allows(blocked, "b9-a9")
    assert allows(blocked, "e9*e10")


def test_an_own_goal_counts_as_a_continuation_too() -> None:
    state = turn("south", "1/3", s=THREE, S="b9 e3", ball="e2")
    assert allows(state, "b9-a9")
    after = play(state, "b9-a9", "e3*e2")
    assert body(after).endswith("over:goals goals=0-1 turns=1-0")


def test_a_goal_needs_no_edge_check() -> None:
    state = turn("south", "2/3", "edge=5", S="a3 a5 a7 i9 e9", ball="e10")
    assert body(play(state, "e9*e10")).endswith("over:goals goals=1-0 turns=1-0")


def test_worked_case_the_opponents_pick_is_the_worst_one() -> None:
    pieces = {"s": "a3 a5 a7", "S": "e11 g9", "N": "e9 d10 f10", "ball": "h9"}
    one_left = turn("south", "1/3", **pieces)
    assert not allows(one_left, "g9*h9")
    assert allows(one_left, "e11-e10")
    two_left = turn("south", "0/3", **pieces)
    # Now South can sock d10 or f10 away even if North picks e10.
    assert allows(two_left, "g9*h9")


def test_worked_case_the_limit_of_this_turn_is_four() -> None:
    state = turn("south", s="a3 a6 i4 d1", S="e3", ball="e2")
    assert edge_limit(state) == 4
    assert allows(state, "e3*e2")
    assert allows(state, "e3-e4")
    assert allows(play(state, "e3-e4"), "end")


def test_worked_case_every_line_ends_in_a_goal() -> None:
    state = turn("south", S="a3", s="a2 a4 b3 b4", ball="b2")
    assert edge_limit(state) is None
    assert legal(state) == {"a3*b2"}


def test_a_raised_limit_is_the_smallest_count_within_reach() -> None:
    # Five on the edge, four of them lying; e1 can step off.
    state = turn("south", s="a3 a6 i4 d1", S="f1", N="e9", ball="b5")
    assert edge_limit(state) == 4
    assert not allows(play(state, "f1-g1"), "end")
    assert allows(play(state, "f1-f2"), "end")
    # Here it can only go to i10 and back.
    state = turn("south", s="h11 i9 a3 a6", S="i11", N="g8 g9 h9 g10", ball="h10")
    assert edge_limit(state) == 5
    assert legal(state) == {"i11-i10"}
    assert legal(play(state, "i11-i10")) == {"i10-i11", "end"}


def test_at_or_below_the_raised_limit_is_a_legal_end() -> None:
    # Three lie on the edge, and e1, f1 stand: 3 is within reach, so the limit is not raised.
    assert edge_limit(turn("south", s="a3 a6 i4", S="e1 f1", N="e9", ball="b5")) == 3
    state = turn("south", s="a3 a6 i4 d1", S="e3", ball="e2")
    state = play(state, "e3-f3")
    assert allows(state, "end")
    assert not allows(state, "f3*e2")  # d1 is taken


def test_the_limit_is_worked_out_with_the_fourth_action() -> None:
    # Two have to come off; each needs two steps, since all cells next to the row are taken.
    pieces = {"s": "a3 a6 i4", "S": "d1 h1", "N": "c2 d2 e2 g2", "ball": "h2"}
    assert edge_limit(turn("south", "0/3", **pieces)) == 4
    assert edge_limit(turn("south", "0/4", **pieces)) == 3


def test_a_pass_is_never_checked() -> None:
    state = turn("south", s="a3 a6 i4 d1 e1", N="e9")
    assert legal(state) == {"pass"}
    assert stage(play(state, "pass")) == "north:0/3"


def test_the_limit_holds_for_one_turn() -> None:
    state = turn("south", s="a3 a6 i4 d1", S="e3", ball="e2", N="e9")
    state = play(state, "e3-e4", "end")
    assert edge_limit(state) == 3
    state = play(state, "e9-e8", "end")
    assert edge_limit(state) == 3  # South's sockers stand again and can step off


def test_a_wrong_limit_is_refused() -> None:
    with pytest.raises(InvalidNotation, match="edge limit of this turn is 4: 'edge=3'"):
        turn("south", "0/3", "edge=3", s="a3 a6 i4 d1", S="e3", ball="e2")
    with pytest.raises(InvalidNotation, match="can't be brought to an end"):
        turn("south", "2/3", s="a3 a6 i4 d1", S="e3", ball="e6")
