"""Two histories of a game that one seat can't tell apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from services.engine.core import CHANCE, SPECTATOR, OptionValue, Seat
from services.engine.core.options import resolve
from services.engine.core.registry import AnyRuleset, ruleset
from tests.crosscheck.variants import VARIANTS, Variant

SECRET: Final = tuple(variant for variant in VARIANTS if variant.game != "socker")
"""Socker hides nothing."""

_LONGEST: Final = 45
_TRIES: Final = 200
_PEEK: Final = re.compile("peek|lift|flip|candy")


@dataclass(frozen=True, slots=True)
class Pair:
    """What is played twice: all actions, chance included, whose deals alone differ.

    The game is not over at the end of either: then its secrets are for all to see.
    """

    variant: Variant
    options: dict[str, OptionValue]
    seats: int
    viewer: Seat
    one: tuple[str, ...]
    other: tuple[str, ...]

    def steps(self, history: Sequence[str]) -> list[tuple[Seat, str]]:
        """Who did what, CHANCE included."""
        rules = ruleset(self.variant.game)
        states = _replay(rules, resolve(rules.option_specs, self.options), self.seats, history)
        actors = [rules.actor(state) for state in states]
        # The last state is the one after the last word: somebody is still to act.
        return [
            (actor, word) for actor, word in zip(actors, history, strict=False) if actor is not None
        ]


def make_pair(variant: Variant, seed: int) -> Pair:
    """The pair `seed` of a variant; the viewer is a seat, or a spectator.

    Some matches teach a seat everything there is to know; those are passed over.
    """
    rng, rules = Random(f"leak/{variant.name}/{seed}"), ruleset(variant.game)
    for _ in range(_TRIES):
        seats = rng.choice(variant.seats)
        chosen = variant.draw_options(rng, seats)
        options = resolve(rules.option_specs, chosen)
        viewer = rng.choice([*range(seats), SPECTATOR])
        one = _random_history(rules, options, seats, rng)
        other = _alike(rules, options, seats, viewer, one, rng)
        if other is not None:
            return Pair(variant, chosen, seats, viewer, tuple(one), tuple(other))
    raise AssertionError(f"{variant.name} {seed}: no match leaves a secret")


def _random_history(rules: AnyRuleset, options: Any, seats: int, rng: Random) -> list[str]:
    """A random match, cut off while a seat is to act."""
    state, history, ends = rules.initial(options, seats), list[str](), [0]
    for _ in range(rng.randint(5, _LONGEST)):
        state = _settle(rules, state, history, rng)
        if rules.outcome(state) is not None:
            break
        ends.append(len(history))
        legal = rules.legal_actions(state)
        curious = [action for action in legal if _PEEK.match(rules.format_action(action))]
        action = rng.choice(curious if curious and rng.random() < 0.6 else legal)
        history.append(rules.format_action(action))
        state = rules.apply(state, action)
    return history[: ends[-1]]


def _settle(rules: AnyRuleset, state: Any, history: list[str], rng: Random) -> Any:
    while rules.outcome(state) is None and rules.actor(state) == CHANCE:
        outcomes = rules.chance_outcomes(state)
        [drawn] = rng.choices(outcomes, [outcome.weight for outcome in outcomes])
        history.append(rules.format_action(drawn.action))
        state = rules.apply(state, drawn.action)
    return state


def _alike(
    rules: AnyRuleset,
    options: Any,
    seats: int,
    viewer: Seat,
    history: Sequence[str],
    rng: Random,
) -> list[str] | None:
    """The history with other deals that the viewer could not tell from these; None if it could.

    Tiles and cards stay in their cells, and what was turned over is known to all: so a state that
    agrees with all the viewer has seen up to the end says what may have been dealt otherwise.
    """
    states = _replay(rules, options, seats, history)
    end = states[-1]
    drawn = rules.determinize(rules.information(end, viewer), rng)
    there, instead = _cells(rules, end), _cells(rules, drawn)
    other = list(history)
    for index, word in enumerate(history):
        if word.startswith("deal:"):
            before, after = _cells(rules, states[index]), _cells(rules, states[index + 1])
            [cell] = [
                n for n, pair in enumerate(zip(before, after, strict=True)) if len({*pair}) > 1
            ]
            if there[cell] != instead[cell]:
                other[index] = f"deal:{instead[cell]}"
    if other == list(history):
        return None
    for mine, theirs in zip(states, _replay(rules, options, seats, other), strict=True):
        assert rules.information(mine, viewer) == rules.information(theirs, viewer)
    return other


def _replay(rules: AnyRuleset, options: Any, seats: int, history: Sequence[str]) -> list[Any]:
    states = [rules.initial(options, seats)]
    for word in history:
        action = rules.parse_action(word)
        assert rules.is_legal(states[-1], action), word
        states.append(rules.apply(states[-1], action))
    return states


def _cells(rules: AnyRuleset, state: Any) -> list[str]:
    """What lies in each cell, in the words of a deal; the first section of all notations here."""
    board = rules.format_state(state).split(" | ")[1].removeprefix("tiles ")
    # A tile's two letters come before its marks; a card's second is in capitals once it is known.
    words = (cell[:2] for cell in re.split("[ ,/]", board))
    return [word.upper() if word[0].isupper() else word for word in words]
