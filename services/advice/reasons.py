"""Why an action is suggested, in the contract's codes, by what one seat knows. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from oddsocks.ai.v1 import advice_pb2 as pb
from services.engine.agents import Analysis
from services.engine.core import CHANCE, Action, Ruleset, Seat

SAMPLES: Final = 24
"""Fair guesses at what is hidden, and at what chance will do."""
MUCH: Final = 0.1
LITTLE: Final = 0.01
"""Differences of the expected share of the win."""

Rules = Ruleset[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """What comes of an action, by fair samples: shares of them, from 0 to 1."""

    wins: float
    scores: float
    looks: bool
    """Whether what the seat knows afterwards depends on what is hidden."""


def reasons(analysis: Analysis, seen: Seen) -> list[pb.HintReason.ValueType]:
    """The reasons for the best action, the most telling first; at least one."""
    if len(analysis.weighed) == 1:
        return [pb.HINT_REASON_ONLY_ACTION]
    found: list[pb.HintReason.ValueType] = []
    if seen.wins > 0:
        found.append(pb.HINT_REASON_WINS if seen.wins == 1 else pb.HINT_REASON_MAY_WIN)
    elif seen.scores > 0:
        found.append(pb.HINT_REASON_SCORES if seen.scores == 1 else pb.HINT_REASON_MAY_SCORE)
    if seen.looks:
        found.append(pb.HINT_REASON_LOOKS)
    lead = _lead(analysis)
    if lead is not None and lead >= MUCH:
        found.append(pb.HINT_REASON_MUCH_BETTER)
    elif lead is not None and lead <= LITTLE and seen.wins < 1:
        found.append(pb.HINT_REASON_AS_GOOD)
    return found or [pb.HINT_REASON_BEST_ON_AVERAGE]


def look_ahead(rules: Rules, information: Any, seat: Seat, action: Action, rng: Random) -> Seen:
    """What comes of an action that is legal for the seat to act."""
    wins = scores = 0
    known = set()
    for _ in range(SAMPLES):
        before = rules.determinize(information, rng)
        after = rules.apply(before, action)
        known.add(rules.format_information(rules.information(after, seat)))
        after = settled(rules, after, rng)
        outcome = rules.outcome(after)
        wins += outcome is not None and outcome.winners == (seat,)
        scores += rules.scores(after)[seat] > rules.scores(before)[seat]
    return Seen(wins / SAMPLES, scores / SAMPLES, len(known) > 1)


def settled(rules: Rules, state: Any, rng: Random) -> Any:
    """The state once chance has acted, as it may by its weights."""
    while rules.actor(state) == CHANCE:
        outcomes = rules.chance_outcomes(state)
        (drawn,) = rng.choices(outcomes, [outcome.weight for outcome in outcomes])
        state = rules.apply(state, drawn.action)
    return state


def _lead(analysis: Analysis) -> float | None:
    """How much more the best action promises than the next best; None where nothing compares."""
    seat = analysis.seat
    others = [each.results[seat] for each in analysis.weighed[1:] if each.results]
    if not analysis.results or not others:
        return None
    return analysis.results[seat] - max(others)
