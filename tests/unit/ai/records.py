"""Records of matches played here, as `ExportMatch` would give them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from services.engine.core import CHANCE, Action, Outcome
from services.engine.core.options import resolve
from services.engine.core.registry import AnyRuleset, ruleset

Choice = Callable[[Any, int], Action]
"""Picks an action in a state, for a seat."""


class Played:
    """A match that is played action by action."""

    def __init__(self, game: str, seats: int = 2, seed: int = 1, **options: Any) -> None:
        self.rules: AnyRuleset = ruleset(game)
        self.options = resolve(self.rules.option_specs, options)
        self.rng = Random(seed)
        self.seats = seats
        self.states = [self.rules.initial(self.options, seats)]
        self.history: list[dict[str, Any]] = []
        self.settle()

    @property
    def state(self) -> Any:
        """As it stands."""
        return self.states[-1]

    @property
    def actor(self) -> int | None:
        """Who is to act."""
        actor: int | None = self.rules.actor(self.state)
        return actor

    def play(self, action: Action) -> None:
        """One action, and what chance does then."""
        self._add(action)
        self.settle()

    def settle(self) -> None:
        """Let chance act."""
        while self.actor == CHANCE:
            outcomes = self.rules.chance_outcomes(self.state)
            self._add(self.rng.choices(outcomes, [one.weight for one in outcomes])[0].action)

    def restore(self, revision: int, kind: str = "undo") -> None:
        """Undo all since a revision."""
        self._event(kind, to_revision=revision)
        self.states.append(self.states[revision])

    def random(self) -> Action:
        """Any legal action."""
        action: Action = self.rng.choice(self.rules.legal_actions(self.state))
        return action

    def to_the_end(self, choose: Choice | None = None, most: int = 1_000) -> None:
        """Play on, at random unless told otherwise."""
        while (actor := self.actor) is not None and len(self.history) < most:
            self.play(self.random() if choose is None else choose(self.state, actor))

    def record(self) -> dict[str, Any]:
        """The document. A match under way is one that seat 0 resigned."""
        outcome: Outcome = self.rules.outcome(self.state) or self.rules.resigned(self.state, 0)
        return {
            "game": self.rules.game,
            "ruleset_version": self.rules.version,
            "options": self.options,
            "seats": [{}] * self.seats,
            "history": self.history,
            "outcome": {
                "reason": outcome.reason,
                "winners": list(outcome.winners),
                "scores": list(outcome.scores),
            },
        }

    def _add(self, action: Action) -> None:
        actor = self.actor
        self._event("action", actor=actor, action=self.rules.format_action(action))
        self.states.append(self.rules.apply(self.state, action))

    def _event(self, kind: str, **more: Any) -> None:
        self.history.append({"revision": len(self.history), "kind": kind, **more})
