"""Our top level of a game, with what it spends on a decision."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final
from unittest.mock import patch

from services.engine.agents import Budget, Level, information_set_search, make_agent, socker_search
from services.engine.agents.base import Clock, Meter, Stop
from services.engine.core import Action
from services.engine.core.registry import AnyRuleset
from tests.peers.versus.pairings import Effort

_COUNTED: Final = (information_set_search, socker_search)
"""The modules that count iterations."""


class TopLevel:
    """The level as it is, within an effort: it stops at its own bound if that comes first."""

    def __init__(self, level: Level, effort: Effort) -> None:
        self._agent = make_agent(level)
        self._budget = Budget(effort.seconds, effort.simulations)

    def choose(self, rules: AnyRuleset, information: Any, rng: Random) -> tuple[Action, int]:
        """An action for a decision with a choice, and the iterations it took."""
        with _meters() as meters:
            action = self._agent.choose(
                rules, information, self._budget, rng, lambda: False, time.thread_time
            )
        return action, sum(meter.iterations for meter in meters)


@contextmanager
def _meters() -> Iterator[list[Meter]]:
    """All meters that are made meanwhile."""
    made: list[Meter] = []

    def meter(budget: Budget, stop: Stop, now: Clock, looks: int = 32) -> Meter:
        made.append(Meter(budget, stop, now, looks))
        return made[-1]

    with patch.object(_COUNTED[0], "Meter", meter), patch.object(_COUNTED[1], "Meter", meter):
        yield made
