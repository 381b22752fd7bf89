"""The agent `socker_search`: what it has to see, and how it fares against `random`."""

from __future__ import annotations

from random import Random

import pytest

from services.engine.agents import Agent, Budget, agent
from services.engine.agents.socker_lines import STUCK, scoring_line, take_back, try_action
from services.engine.core import CHANCE
from services.engine.core.chance import draw
from services.engine.games.socker import RULESET
from services.engine.games.socker.kernel_board import possible
from services.engine.games.socker.layout import LYING, MOVER, NOTHING, PHASE, TURN
from services.engine.games.socker.state import State, thaw
from tests.conformance.shelf import Variant, samples
from tests.unit.engine.socker.table import legal, play, turn

SEARCH = agent("socker_search")
ITERATIONS = Budget(None, 2000)


def choose(player: Agent, state: State, rng: Random) -> str:
    information = RULESET.information(state, RULESET.actor(state) or 0)
    action = player.choose(RULESET, information, ITERATIONS, rng, lambda: False, lambda: 0.0)
    return RULESET.format_action(RULESET.check(state, action))


def finish_turn(state: State) -> State:
    """The state after the agent has played the whole turn, or the match."""
    seat, rng = RULESET.actor(state), Random(3)
    while RULESET.actor(state) == seat:
        state = play(state, choose(SEARCH, state, rng))
    return state


@pytest.mark.parametrize(
    "state",
    [
        turn("south", S="e9", N="a5", ball="e10"),
        turn("south", S="e8", N="a5", ball="e9"),
        turn("south", S="e8", N="e11", ball="e9"),
        turn("south", S="e7 d8 g9", N="a5", ball="e8"),
        turn("north", N="e4", S="a5", ball="e3"),
        turn("south", "0/4", S="d7", N="a5", ball="e9"),
        turn("south", "1/3", s="a3 a5 a7", S="b9 e9", N="a8 b8 b10 c10", ball="e10"),
    ],
    ids=[
        "a kick",
        "kick, move, kick",
        "past a keeper",
        "three kicks",
        "north",
        "a fourth action",
        "in mid-turn",
    ],
)
def test_it_takes_a_goal_within_the_turn(state: State) -> None:
    seat = RULESET.actor(state)
    outcome = RULESET.outcome(finish_turn(state))
    assert outcome is not None
    assert outcome.winners == (seat,)


@pytest.mark.parametrize("seed", range(5))
def test_it_scores_no_own_goal(seed: int) -> None:
    state = turn("south", S="d3 f3 e4", N="d9", ball="e2")
    rng = Random(seed)
    while RULESET.actor(state) == 0:
        state = play(state, choose(SEARCH, state, rng))
    assert RULESET.outcome(state) is None


def test_it_does_not_leave_a_goal_to_the_other_seat() -> None:
    # North stands behind the ball, two rows from its goal: South has to do something about it.
    state = finish_turn(turn("south", S="c4 g5", N="e4 a9", ball="e3"))
    assert RULESET.outcome(state) is None
    assert scoring_line(thaw(state), 3) < 0


def test_it_ends_a_turn_only_where_it_may() -> None:
    state = turn("south", s="a3 a5 a7", S="b9", N="e9", ball="e6")
    assert choose(SEARCH, state, Random(1)) in legal(state)


def test_trying_and_taking_back_leaves_no_trace() -> None:
    tried = 0
    for state in samples(Variant("socker", 2), 60):
        buffer = thaw(state)
        if buffer[PHASE] != TURN:
            continue
        before = list(buffer)
        for slot in range(5 * buffer[MOVER], 5 * buffer[MOVER] + 5):
            for direction in range(8):
                kind = possible(buffer, slot, direction)
                if buffer[LYING + slot] == 1 or kind == NOTHING:
                    continue
                token = try_action(buffer, slot, direction, kind)
                if token != STUCK:
                    assert list(buffer) != before
                    take_back(buffer, slot, direction, kind, token)
                    tried += 1
                assert list(buffer) == before
    assert tried > 500


def match(first: Agent, second: Agent, seed: int) -> tuple[int, ...]:
    """The winners of one match with default options."""
    rng, state = Random(seed), RULESET.initial({}, 2)
    while (actor := RULESET.actor(state)) is not None:
        if actor == CHANCE:
            state = RULESET.apply(state, draw(RULESET, state, rng))
        else:
            state = play(state, choose((first, second)[actor], state, rng))
    outcome = RULESET.outcome(state)
    assert outcome is not None
    return outcome.winners


def wins(matches: int) -> int:
    """Matches won against `random`, in each seat in turn."""
    player, other = SEARCH, agent("random")
    won = 0
    for seed in range(matches):
        seat = seed % 2
        pair = (player, other) if seat == 0 else (other, player)
        won += match(*pair, seed) == (seat,)
    return won


def test_it_beats_random() -> None:
    # An agent that wins 95 of 100 would win fewer than 17 of 20 in 1 of 60 such samples; this one
    # is fixed by its seeds, so the test either holds or does not.
    assert wins(20) >= 17


@pytest.mark.long
def test_it_wins_at_least_95_of_100_against_random() -> None:
    assert wins(100) >= 95
