"""Positions of Monster Hide and Seek as the app gets them over the wire."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from app.model.hide_and_seek import Cell, HideAndSeekAct, HideAndSeekView
from app.model.hide_and_seek_touch import Hand
from app.net import convert
from services.engine.core.registry import ruleset
from services.engine.core.types import CHANCE
from services.wire.actions import action_to_message
from services.wire.observations import observation_to_message

RULES = ruleset("hide_and_seek")

TABLES: tuple[tuple[int, dict[str, Any]], ...] = (
    (2, {}),
    (4, {}),
    (3, {"types": 4, "may_stop_after_match": True}),
    (2, {"types": 3, "may_stop_after_match": True}),
    (2, {"types": 3, "flip_together": True}),
    (4, {"flip_together": True, "may_stop_after_match": True}),
    (3, {"types": 4, "memory_aid": True}),
    (2, {"types": 3, "end_on_deadlock": False, "idle_cap": 3}),
)
"""Seats and options that between them have every kind of decision."""


def playout(seats: int, options: dict[str, Any], seed: int) -> Iterator[tuple[Any, Any]]:
    """Every state of a match at random, and the action that led to it (None for the first). Every
    other decision looks below the cards for a match, so that there are many."""
    rng = random.Random(seed)
    state = RULES.initial(options, seats)
    yield state, None
    while (actor := RULES.actor(state)) is not None:
        if actor == CHANCE:
            choices = RULES.chance_outcomes(state)
            action = rng.choices(choices, [one.weight for one in choices])[0].action
        else:
            action = _decision(state, rng)
        state = RULES.apply(state, action)
        yield state, action


def _decision(state: Any, rng: random.Random) -> Any:
    legal = RULES.legal_actions(state)
    stars = sum(RULES.scores(state))
    better = [one for one in legal if sum(RULES.scores(RULES.apply(state, one))) > stars]
    return rng.choice(better if better and rng.random() < 0.5 else legal)


@cache
def cases(per_phase: int = 16) -> tuple[Any, ...]:
    """Decisions of all kinds, up to `per_phase` at random of each phase at each of `TABLES`."""
    found: list[Any] = []
    for number, (seats, options) in enumerate(TABLES):
        rng = random.Random(number)
        met: dict[str, list[Any]] = {}
        for seed in range(3):
            for state, _ in playout(seats, options, seed):
                if (RULES.actor(state) or 0) >= 0 and RULES.actor(state) is not None:
                    phase = RULES.format_state(state).rpartition("| ")[2].split()[0]
                    met.setdefault(phase, []).append(state)
        for phase in sorted(met):
            found += rng.sample(met[phase], min(per_phase, len(met[phase])))
    return tuple(found)


def act(action: Any) -> HideAndSeekAct:
    """An action as the app gets it."""
    found = convert.act(action_to_message(RULES, action))
    assert isinstance(found, HideAndSeekAct)
    return found


def acts(state: Any) -> tuple[HideAndSeekAct, ...]:
    """What the actor may do."""
    return tuple(map(act, RULES.legal_actions(state)))


def view(state: Any) -> HideAndSeekView:
    """What everybody sees."""
    seen = convert.view(observation_to_message(RULES, RULES.observe(state, 0)))
    assert isinstance(seen, HideAndSeekView)
    return seen


def hand_of(state: Any) -> Hand:
    """The hand of the seat to act, or the first one's once nobody is."""
    actor = RULES.actor(state)
    own = actor is not None and actor != CHANCE
    return Hand(view(state), acts(state) if own else (), actor if own and actor else 0)


def hand(position: str) -> Hand:
    """The hand of the seat to act in a position written down."""
    return hand_of(RULES.parse_state(" ".join(position.split())))


def cell(name: str) -> Cell:
    """`c4` as (column, row)."""
    return (ord(name[0]) - ord("a"), int(name[1:]) - 1)
