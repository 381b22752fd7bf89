"""RULINGS 2.7 and 2.8: goals, and the ball that is kicked out of bounds."""

from __future__ import annotations

import pytest

from services.engine.games.socker import RULESET
from tests.unit.engine.socker.table import allows, board, body, legal, play, stage, start, turn


def picks(cells: str) -> set[str]:
    return {f"={cell}" for cell in cells.split()}


# --- 2.7 --------------------------------------------------------------------------------------


@pytest.mark.ruling("2.7")
@pytest.mark.parametrize(
    ("seat", "kicker", "ball", "goals"),
    [
        ("south", {"S": "e9"}, "e10", "goals=1-0 turns=1-0"),
        ("south", {"S": "e3"}, "e2", "goals=0-1 turns=1-0"),
        ("north", {"N": "e3"}, "e2", "goals=0-1 turns=0-1"),
        ("north", {"N": "e9"}, "e10", "goals=1-0 turns=0-1"),
    ],
)
def test_the_far_row_decides_whose_goal_it_is(
    seat: str, kicker: dict[str, str], ball: str, goals: str
) -> None:
    cell = next(iter(kicker.values()))
    after = play(turn(seat, **kicker, ball=ball), f"{cell}*{ball}")
    assert body(after).endswith(f"over:goals {goals}")


@pytest.mark.ruling("2.7")
def test_a_goal_ends_the_round_at_once() -> None:
    state = turn("south", options="goals_to_win=2", S="e9 c3", N="e3", ball="e10")
    after = play(state, "e9*e10")
    assert body(after) == f"{board()} setup:north goals=1-0 turns=1-0"


@pytest.mark.ruling("2.7")
def test_an_own_goal_loses_sudden_death() -> None:
    state = turn("south", "0/3", "sudden", S="e3", N="b9", ball="e2")
    outcome = RULESET.outcome(play(state, "e3*e2"))
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.scores) == ("sudden_death", (1,), (0, 1))


# --- 2.8 --------------------------------------------------------------------------------------


@pytest.mark.ruling("2.8")
def test_worked_case_the_ball_goes_to_the_middle_column() -> None:
    state = turn("south", S="g7", ball="h7")
    assert body(play(state, "g7*h7")).startswith(board(S="g7", ball="e7"))
    assert not allows(turn("south", S="g7", N="i7", ball="h7"), "g7*h7")
    assert not allows(turn("south", S="g7 i7", ball="h7"), "g7*h7")


@pytest.mark.ruling("2.8")
def test_it_is_the_row_of_the_side_cell_that_counts() -> None:
    after = play(turn("south", S="g6", ball="h7"), "g6*h7")
    assert RULESET.observe(after, 0).ball == (4, 7)


@pytest.mark.ruling("2.8")
def test_worked_case_the_opponent_picks_in_mid_turn() -> None:
    state = play(turn("south", S="g7", N="e7", ball="h7"), "g7*h7")
    assert RULESET.actor(state) == 1
    assert legal(state) == picks("d6 e6 f6 d7 f7 d8 e8 f8")
    after = play(state, "=e8")
    assert stage(after) == "south:1/3"
    assert RULESET.observe(after, 0).ball == (4, 7)


@pytest.mark.ruling("2.8")
def test_worked_case_after_a_third_action_the_turn_is_over() -> None:
    state = play(turn("south", "2/3", S="g7", N="e7", ball="h7"), "g7*h7")
    assert stage(state) == "south:3/3"
    assert RULESET.actor(state) == 1
    assert stage(play(state, "=d6")) == "north:0/3"


@pytest.mark.ruling("2.8")
def test_worked_case_the_owner_picks_and_never_a_goal_cell() -> None:
    state = play(turn("south", S="e10 g10", ball="h10"), "g10*h10")
    assert RULESET.actor(state) == 0
    assert legal(state) == picks("d9 e9 f9 d10 f10")


@pytest.mark.ruling("2.8")
def test_the_owner_of_a_lying_socker_picks_as_well() -> None:
    state = play(turn("south", "1/3", S="g7", n="e7", N="b9", ball="h7"), "g7*h7")
    assert RULESET.actor(state) == 1
    state = play(turn("south", S="g7", s="e7", N="b9", ball="h7"), "g7*h7")
    assert RULESET.actor(state) == 0


@pytest.mark.ruling("2.8")
def test_only_empty_cells_can_be_picked() -> None:
    state = play(turn("south", S="g7 d6", N="e7 f8", ball="h7"), "g7*h7")
    assert legal(state) == picks("e6 f6 d7 f7 d8 e8")


@pytest.mark.ruling("2.8")
def test_with_no_empty_neighbour_the_nearest_free_cells_are_offered() -> None:
    around = {"S": "d4 e4 f4 d5 g5", "N": "e5 f5 d6 e6 f6"}
    state = play(turn("south", **around, ball="h5"), "g5*h5")
    assert RULESET.actor(state) == 1
    ring = "c3 d3 e3 f3 g3 c4 g4 c5 c6 g6 c7 d7 e7 f7 g7"  # g5 holds the kicker
    assert legal(state) == picks(ring)


@pytest.mark.ruling("2.8")
def test_near_the_goal_row_the_nearest_cells_exclude_it() -> None:
    around = {"S": "e10 g10", "N": "d9 e9 f9 d10 f10"}
    state = play(turn("south", **around, ball="h10"), "g10*h10")
    assert RULESET.actor(state) == 0
    assert legal(state) == picks("c8 d8 e8 f8 g8 c9 g9 c10")


@pytest.mark.ruling("2.8")
def test_the_option_lets_goal_cells_be_picked() -> None:
    options = "recentre_into_goal=true"
    state = play(turn("south", options=options, S="e10 g10", ball="h10"), "g10*h10")
    assert legal(state) == picks("d9 e9 f9 d10 f10 d11 e11 f11")
    assert body(play(state, "=e11")).endswith("over:goals goals=1-0 turns=1-0")
    away = play(turn("south", options=options, S="e8 g8", ball="h8"), "g8*h8")
    assert legal(away) == picks("d7 e7 f7 d8 f8 d9 e9 f9")


@pytest.mark.ruling("2.8")
def test_with_the_option_the_opponent_may_score_in_mid_turn() -> None:
    options = "recentre_into_goal=true"
    state = play(turn("south", options=options, S="g2", N="e2", ball="h2"), "g2*h2")
    assert RULESET.actor(state) == 1
    after = play(state, "=d1")
    assert body(after).endswith("over:goals goals=0-1 turns=1-0")


@pytest.mark.ruling("2.8")
def test_with_the_option_goal_cells_come_before_far_cells() -> None:
    around = {"S": "e10 g10", "N": "d9 e9 f9 d10 f10"}
    state = turn("south", options="recentre_into_goal=true", **around, ball="h10")
    assert legal(play(state, "g10*h10")) == picks("d11 e11 f11")


@pytest.mark.ruling("2.8")
@pytest.mark.ruling("2.6")
def test_a_pick_of_ones_own_obeys_the_edge_limit() -> None:
    # The ball has to leave e10 free, or else e11 could not come back with the one action left.
    sockers = {"S": "e11", "s": "a3 a5 a7 e9", "N": "d10 f10"}
    state = turn("south", "2/3", "pick=e9", **sockers, ball="")
    assert legal(state) == picks("d8 e8 f8 d9 f9")
    two_left = turn("south", "1/3", "pick=e9", **sockers, ball="")
    assert "=e10" in legal(two_left)


@pytest.mark.ruling("2.8")
@pytest.mark.ruling("2.6")
def test_a_goal_cell_the_opponent_may_pick_is_a_legal_continuation_but_no_end() -> None:
    # North's only picks are goal cells.
    around = {"N": "e2 d2 f2 d3 e3", "s": "f3 a5 a6 a7", "ball": "h2"}
    state = turn("south", options="recentre_into_goal=true", S="g2", **around)
    assert allows(state, "g2*h2")
    assert legal(play(state, "g2*h2")) == picks("d1 e1 f1")


@pytest.mark.ruling("2.7")
def test_the_side_that_conceded_starts_again() -> None:
    state = start(goals_to_win=3)
    position = turn("south", options="goals_to_win=3", S="e3", N="e9", ball="e2")
    assert stage(play(position, "e3*e2")) == "setup:south"
    assert stage(state) == "south:0/3"
