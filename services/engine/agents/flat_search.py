"""A search for any game that knows nothing but its rules: each action is tried by random play."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import Any, Final

from services.engine.agents.base import Analysis, Budget, Clock, Meter, Stop, Weighed
from services.engine.core import CHANCE, Action, Ruleset

_CURIOSITY: Final = 0.7
_PLIES: Final = 1000
"""Play is broken off after so many actions; everybody then has an equal share of the win."""


class FlatSearch:
    """Upper confidence bounds over the legal actions. One iteration is one match played out."""

    def __init__(self, attention: float = 1.0, fade: float = 0.0) -> None:
        self._attention = attention
        del fade  # whoever knows no game knows no memory of it either

    def choose(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Any,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
    ) -> Action:
        """See `Agent.choose`."""
        return self._weigh(ruleset, information, Meter(budget, stop, now, looks=1), rng).best

    def analyse(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Any,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
        also: Sequence[Action] = (),
    ) -> Analysis:
        """See `Search.analyse`."""
        del also  # all are tried
        return self._weigh(ruleset, information, Meter(budget, stop, now, looks=1), rng)

    def _weigh(
        self, ruleset: Ruleset[Any, Any, Any], information: Any, meter: Meter, rng: Random
    ) -> Analysis:
        sample = ruleset.determinize(information, rng)
        seats, seat = ruleset.seats(sample), ruleset.actor(sample)
        assert seat is not None
        legal = ruleset.legal_actions(sample)
        noticed = [action for action in legal if rng.random() < self._attention]
        tried = noticed or [rng.choice(legal)]
        visits = dict.fromkeys(legal, 0)
        sums = {action: [0.0] * seats for action in legal}

        def promise(action: Action) -> float:
            if visits[action] == 0:
                return float("inf")
            spread = sqrt(log(meter.iterations + 1) / visits[action])
            return sums[action][seat] / visits[action] + _CURIOSITY * spread

        while True:
            action = max(tried, key=promise)
            state = ruleset.apply(ruleset.determinize(information, rng), action)
            for index, result in enumerate(_played_out(ruleset, state, rng)):
                sums[action][index] += result
            visits[action] += 1
            if meter.spent():
                break
        weighed = [
            Weighed(action, n, tuple(total / n for total in sums[action]) if n else ())
            for action, n in visits.items()
        ]
        weighed.sort(key=lambda each: -each.visits)
        return Analysis(seat, tuple(weighed), meter.iterations)


def _played_out(ruleset: Ruleset[Any, Any, Any], state: Any, rng: Random) -> list[float]:
    """The share of the win of each seat after random play."""
    seats = ruleset.seats(state)
    for _ in range(_PLIES):
        actor = ruleset.actor(state)
        if actor is None:
            break
        if actor == CHANCE:
            outcomes = ruleset.chance_outcomes(state)
            weights = [outcome.weight for outcome in outcomes]
            state = ruleset.apply(state, rng.choices(outcomes, weights)[0].action)
        else:
            state = ruleset.apply(state, rng.choice(ruleset.legal_actions(state)))
    outcome = ruleset.outcome(state)
    winners = range(seats) if outcome is None or not outcome.winners else outcome.winners
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]
