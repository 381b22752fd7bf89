"""One random game on both implementations, compared at every step."""

from __future__ import annotations

from random import Random

from services.engine.core.notation import write_frame
from services.engine.core.options import resolve
from services.engine.core.registry import ruleset
from tests.crosscheck.variants import Variant


class Difference(AssertionError):  # what it is: a finding, not a fault of ours
    """The two implementations disagree; the message has all it takes to see it again."""


def play(variant: Variant, seed: int) -> int:
    """Play game `seed` of a variant and return its number of actions; raises `Difference`."""
    rules, rng = ruleset(variant.game), Random(f"{variant.name}/{seed}")
    seats = rng.choice(variant.seats)
    options = resolve(rules.option_specs, variant.draw_options(rng, seats))
    state = rules.initial(options, seats)
    naive = variant.naive(options, seats)
    lean = rng.choice([0.0, 0.0, 0.5, 0.9]) if variant.leans_to else 0.0
    history: list[str] = []

    def same(what: str, engine: object, plain: object) -> None:
        if engine != plain:
            raise Difference(
                f"{variant.name} game {seed}, after {' '.join(history) or 'nothing'}:\n"
                f"{what} of the engine {engine}\n{what} of the naive one {plain}\n"
                f"position {rules.format_state(state)}"
            )

    while True:
        body = write_frame(rules, seats, options, naive.text())
        same("position", rules.format_state(state), body)
        same("actor", rules.actor(state), naive.actor())
        legal = [rules.format_action(action) for action in rules.legal_actions(state)]
        same("legal actions", legal, naive.legal())
        end = rules.outcome(state)
        same("end", end and (end.reason, end.winners, end.scores), naive.outcome())
        if end is not None:
            return len(history)
        text = rng.choice(variant.rare(naive, legal) if rng.random() < lean else legal)
        history.append(text)
        state = rules.apply(state, rules.parse_action(text))
        naive.apply(text)
