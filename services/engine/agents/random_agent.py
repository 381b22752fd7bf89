"""The agent `random`: any legal action, all alike. For every game."""

from __future__ import annotations

from random import Random
from typing import Any

from services.engine.agents.base import Budget, Clock, Stop
from services.engine.core import Action, Ruleset


class RandomAgent:
    """Draws from the legal actions. What is known decides what is legal, so one sample will do."""

    name = "random"

    def choose(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Any,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
    ) -> Action:
        del budget, stop, now
        return rng.choice(ruleset.legal_actions(ruleset.determinize(information, rng)))
