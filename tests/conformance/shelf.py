"""Every game on the shelf, in its variants: what the suites here run over.

A new game is picked up by being registered; nothing in this folder names one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from services.engine.core import CHANCE, Action, InvalidOption, OptionSpec, OptionValue
from services.engine.core.chance import draw
from services.engine.core.options import format_value
from services.engine.core.registry import AnyRuleset, game_names, ruleset


@dataclass(frozen=True)
class Variant:
    """A game with options and seats."""

    game: str
    seats: int
    options: tuple[tuple[str, OptionValue], ...] = ()

    @property
    def rules(self) -> AnyRuleset:
        return ruleset(self.game)

    def initial(self) -> Any:
        return self.rules.initial(dict(self.options), self.seats)

    def __str__(self) -> str:
        options = [f"{name}={format_value(value)}" for name, value in self.options]
        return "-".join([self.game, str(self.seats), *options])


def other_values(spec: OptionSpec) -> list[OptionValue]:
    """Values beside the default: all choices, and both ends of a range of numbers."""
    if isinstance(spec.default, bool):
        return [not spec.default]
    if isinstance(spec.default, int):
        return [value for value in (spec.minimum, spec.maximum) if value != spec.default]
    return [choice for choice in spec.choices if choice != spec.default]


@cache
def variants(game: str) -> tuple[Variant, ...]:
    """All seat counts with default options, then each option changed alone, then all at once.

    A combination that the game refuses as such is left out; the defaults never are.
    """
    rules = ruleset(game)
    found = [Variant(game, seats) for seats in range(rules.min_seats, rules.max_seats + 1)]
    for spec in rules.option_specs:
        found += [Variant(game, rules.min_seats, ((spec.name, v),)) for v in other_values(spec)]
    every = tuple(
        (spec.name, other_values(spec)[-1]) for spec in rules.option_specs if other_values(spec)
    )
    found.append(Variant(game, rules.max_seats, every))
    return tuple(v for v in found if not v.options or _accepted(v))


def _accepted(variant: Variant) -> bool:
    try:
        variant.initial()
    except InvalidOption:
        return False
    return True


ALL = [variant for game in game_names() for variant in variants(game)]
PLAIN = [
    Variant(game, seats)
    for game in game_names()
    for seats in range(ruleset(game).min_seats, ruleset(game).max_seats + 1)
]
"""Default options only."""


@cache
def history(variant: Variant, seed: int) -> tuple[tuple[Any, ...], tuple[Action, ...]]:
    """The states and actions of one random game, to its end."""
    rules, rng = variant.rules, Random(f"{variant} {seed}")
    states, actions = [variant.initial()], list[Action]()
    while (actor := rules.actor(states[-1])) is not None:
        if actor == CHANCE:
            action = draw(rules, states[-1], rng)
        else:
            action = rng.choice(rules.legal_actions(states[-1]))
        actions.append(action)
        states.append(rules.apply(states[-1], action))
    return tuple(states), tuple(actions)


def samples(variant: Variant, count: int, seed: int = 1) -> Iterator[Any]:
    """States of random games: the first ones, the last one, the others spread evenly between."""
    states, _ = history(variant, seed)
    first = min(count // 4, len(states) - 1)
    yield from states[:first]
    step = max(1, (len(states) - first) // (count - first))
    yield from states[first:-1:step]
    yield states[-1]
