"""Letting chance act with a given random number generator."""

from __future__ import annotations

from random import Random
from typing import Any

from services.engine.core.ruleset import Ruleset, State
from services.engine.core.types import CHANCE, Action


def draw(ruleset: Ruleset[State, Any, Any], state: State, rng: Random) -> Action:
    """One outcome of the chance that acts in `state`, by its weight."""
    outcomes = ruleset.chance_outcomes(state)
    number = rng.randrange(sum(outcome.weight for outcome in outcomes))
    for outcome in outcomes:
        number -= outcome.weight
        if number < 0:
            return outcome.action
    raise AssertionError("unreachable: the weights add up")


def settle(ruleset: Ruleset[State, Any, Any], state: State, rng: Random) -> State:
    """The next state in which a seat acts or the game is over: `state` itself if it is one."""
    while ruleset.actor(state) == CHANCE:
        state = ruleset.apply(state, draw(ruleset, state, rng))
    return state
