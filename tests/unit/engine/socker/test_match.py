"""RULINGS 2.9 and 2.10: repetition, and how a match goes and ends."""

from __future__ import annotations

import pytest

from services.engine.core import CHANCE, InvalidOption
from services.engine.games.socker import RULESET
from services.engine.games.socker.state import State
from tests.unit.engine.socker.table import (
    allows,
    board,
    body,
    legal,
    parse,
    play,
    set_up,
    shoot,
    stage,
    start,
    turn,
)

ROUND = ("e4-d4", "end", "e8-d8", "end", "d4-e4", "end", "d8-e8", "end")
"""South and North step out and back: the position of before, the same to move."""


# --- 2.9 --------------------------------------------------------------------------------------


@pytest.mark.ruling("2.9")
def test_a_repeated_position_gives_a_fourth_action() -> None:
    state = start()
    assert stage(state) == "south:0/3"
    state = play(state, *ROUND)
    assert stage(state) == "south:0/4"
    state = play(state, "e4-e5", "e5*e6", "e5-e6")
    assert stage(state) == "south:3/4"
    assert stage(play(state, "e6-d6")) == "north:0/3"


@pytest.mark.ruling("2.9")
def test_the_fourth_action_is_optional() -> None:
    state = play(start(), *ROUND, "e4-e5")
    assert stage(state) == "south:1/4"
    assert stage(play(state, "end")) == "north:0/3"


@pytest.mark.ruling("2.9")
def test_every_further_occurrence_gives_it_again() -> None:
    state = play(start(), *ROUND, "e4-d4", "end")
    assert stage(state) == "north:0/4"  # North's first position has come again as well
    state = play(state, *ROUND[2:], *ROUND)
    assert stage(state) == "south:0/4"


@pytest.mark.ruling("2.9")
def test_another_placement_is_no_repetition() -> None:
    state = play(start(), "e4-d4", "end", "e8-d8", "end", "d4-e4", "end", "d8-d7", "end")
    assert stage(state) == "south:0/3"


@pytest.mark.ruling("2.9")
def test_which_socker_stands_where_makes_no_difference() -> None:
    state = turn("south", S="b3 c3", N="e9", ball="h6")
    state = play(state, "b3-b4", "c3-b3", "b4-c3")
    state = play(state, "e9-e8", "e8-e9", "end")
    assert stage(state) == "south:0/4"


@pytest.mark.ruling("2.9")
def test_who_lies_makes_a_difference() -> None:
    state = turn("south", S="d6", N="e7 b9", ball="h2")
    state = play(state, "d6xe7", "end")  # North to move, f8 lies
    state = play(state, "b9-b8", "end")
    # Back to where North was to move, but with f8 standing.
    state = play(state, "d6-d5", "end", "b8-b9", "end", "d5-d6", "end")
    assert stage(state) == "north:0/3"


@pytest.mark.ruling("2.9")
def test_the_seat_to_move_counts_unless_the_table_chose_otherwise() -> None:
    same_board = ("e4-d4", "d4-e4", "end")
    assert stage(play(start(), *same_board)) == "north:0/3"
    lenient = start(repetition_ignores_mover=True)
    assert stage(play(lenient, *same_board)) == "north:0/4"


@pytest.mark.ruling("2.9")
def test_a_setup_forgets_what_was_before() -> None:
    state = start(goals_to_win=5)
    state = set_up(shoot(state, "south"), "north")
    state = set_up(shoot(state, "north"), "south")
    assert stage(state) == "south:0/3"
    assert "seen" not in RULESET.format_state(state)


@pytest.mark.ruling("2.9")
def test_a_starts_history_can_be_written_down() -> None:
    seen = f"seen=S:{board(S='e4', N='e9')}"
    state = turn("north", "0/3", seen, S="e4", N="d9")
    assert stage(play(state, "d9-e9", "end")) == "south:0/4"


# --- 2.10 -------------------------------------------------------------------------------------


def outcome(state: State) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    found = RULESET.outcome(state)
    assert found is not None
    assert RULESET.actor(state) is None
    assert legal(state) == set()
    return found.reason, found.winners, found.scores


@pytest.mark.ruling("2.10")
def test_one_goal_wins_by_default() -> None:
    assert outcome(shoot(start(), "north")) == ("goals", (1,), (0, 1))


@pytest.mark.ruling("2.10")
def test_goals_to_win() -> None:
    state = start(goals_to_win=2)
    state = shoot(state, "south")
    assert stage(state) == "setup:north"  # who did not score places and moves first
    state = set_up(state, "north")
    assert stage(state) == "north:0/3"
    state = shoot(state, "north")
    assert stage(state) == "setup:south"
    state = shoot(set_up(state, "south"), "south")
    assert outcome(state) == ("goals", (0,), (2, 1))


def pass_turns(state: State, count: int) -> State:
    """`count` turns in which a socker steps aside and back."""
    for _ in range(count):
        north = stage(state).startswith("north")
        state = play(state, *(("e8-d8", "d8-e8") if north else ("e4-d4", "d4-e4")), "end")
    return state


@pytest.mark.ruling("2.10")
def test_most_goals_after_the_turn_limit() -> None:
    state = start(turn_limit=3)
    state = set_up(shoot(state, "south"), "north")  # goals_to_win does not apply
    assert "goals=1-0 turns=1-0" in body(state)  # a turn ended by a goal counts
    state = pass_turns(state, 4)
    assert "turns=3-2" in body(state)  # reached when both have taken that many
    assert outcome(pass_turns(state, 1)) == ("turn_limit", (0,), (1, 0))


@pytest.mark.ruling("2.10")
def test_a_goal_in_the_last_turn_counts() -> None:
    state = pass_turns(start(turn_limit=2), 3)
    assert outcome(shoot(state, "north")) == ("turn_limit", (1,), (0, 1))


@pytest.mark.ruling("2.10")
def test_whoever_is_ahead_in_turns_plays_on() -> None:
    # After an own goal South moves again, so South has taken more turns than North.
    state = turn("south", "0/3", "turns=1-1", options="turn_limit=3", S="e3", N="e9", ball="e2")
    state = set_up(play(state, "e3*e2"), "south")
    assert "goals=0-1 turns=2-1" in body(state)
    state = pass_turns(state, 3)
    assert "turns=4-2" in body(state)
    assert outcome(pass_turns(state, 1)) == ("turn_limit", (1,), (0, 1))


@pytest.mark.ruling("2.10")
@pytest.mark.parametrize(
    ("options", "reason"),
    [("turn_limit=3", "turn_limit"), ("goals_to_win=9 turn_cap=3", "turn_cap")],
)
def test_own_goals_without_end_do_end_the_match(options: str, reason: str) -> None:
    # Whoever concedes moves first, so South alone takes the turns: twice the limit is the end.
    def own_goal(taken: int) -> State:
        extra = f"goals=0-1 turns={taken}-1"
        before = turn("south", "0/3", extra, options=options, S="e3", N="e9", ball="e2")
        return play(before, "e3*e2")

    assert RULESET.outcome(own_goal(4)) is None
    assert outcome(own_goal(5)) == (reason, (1,), (0, 2))
    for state in (own_goal(4), own_goal(5)):
        assert RULESET.parse_state(RULESET.format_state(state)) == state


@pytest.mark.ruling("2.10")
def test_level_at_the_turn_limit_means_sudden_death_with_two_sockers() -> None:
    state = pass_turns(start(turn_limit=2), 4)
    assert body(state) == f"{board()} toss sudden"
    assert RULESET.actor(state) == CHANCE
    assert legal(state) == {"toss:south", "toss:north"}
    state = set_up(play(state, "toss:north"), "north", count=2)
    assert stage(state) == "north:0/3"
    assert len(RULESET.observe(state, 0).sockers) == 4
    assert outcome(shoot(state, "south")) == ("sudden_death", (0,), (1, 0))


@pytest.mark.ruling("2.10")
def test_the_sudden_death_goal_counts_in_the_score() -> None:
    state = turn("south", "0/3", "goals=2-2 sudden", options="turn_limit=9", S="e9", ball="e10")
    assert outcome(play(state, "e9*e10")) == ("sudden_death", (0,), (3, 2))


@pytest.mark.ruling("2.10")
def test_the_sudden_cap_is_a_draw_and_counts_from_its_toss() -> None:
    state = pass_turns(start(turn_limit=4, sudden_cap=2), 8)
    state = set_up(play(state, "toss:south"), "south", count=2)
    state = pass_turns(state, 3)
    assert "turns=2-1 sudden" in body(state)
    assert outcome(pass_turns(state, 1)) == ("draw", (), (0, 0))


@pytest.mark.ruling("2.10")
def test_the_turn_cap_ends_a_match_for_goals() -> None:
    state = start(turn_cap=3, goals_to_win=5)
    state = pass_turns(set_up(shoot(state, "south"), "north"), 5)
    assert outcome(state) == ("turn_cap", (0,), (1, 0))
    level = pass_turns(start(turn_cap=3, goals_to_win=5), 6)
    assert body(level) == f"{board()} toss sudden"


@pytest.mark.ruling("2.10")
def test_a_pass_counts_as_a_turn() -> None:
    state = turn("south", "0/3", "turns=1-2", options="turn_limit=2", s="e3 d4", N="e9")
    assert body(play(state, "pass")) == f"{board()} toss sudden"


@pytest.mark.ruling("2.10")
def test_the_last_goal_of_the_cap_may_level_the_score() -> None:
    extra = "goals=1-0 turns=3-2"
    state = turn("north", "0/3", extra, options="turn_limit=3", N="e3", S="a9", ball="e2")
    assert body(play(state, "e3*e2")) == f"{board()} toss goals=1-1 sudden"


@pytest.mark.ruling("2.10")
def test_in_two_socker_play_both_may_lie() -> None:
    state = turn("north", "0/3", "sudden", N="d6", S="e7 c5", ball="h2")
    state = play(state, "d6xe7", "d6xc5", "end")
    assert legal(state) == {"pass"}
    assert allows(play(state, "pass"), "d6-d7")


@pytest.mark.ruling("2.10")
@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"goals_to_win": 0}, "goals_to_win"),
        ({"turn_cap": 0}, "turn_cap"),
        ({"sudden_cap": 0}, "sudden_cap"),
        ({"turn_limit": 201}, "turn_limit"),
        ({"turn_limit": 11, "turn_cap": 10}, "turn_limit"),
        ({"turn_limit": True}, "turn_limit"),
        ({"goals": 2}, "goals"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, int], name: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        RULESET.initial(options, 2)
    assert caught.value.name == name


@pytest.mark.ruling("2.10")
def test_a_match_that_is_over_can_be_written_down() -> None:
    state = parse(f"{board(S='e9', ball='e11')} over:goals goals=1-0 turns=4-3")
    assert outcome(state) == ("goals", (0,), (1, 0))
