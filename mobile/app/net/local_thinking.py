"""Computer opponents of this device: they think in a thread, so that the screen never waits."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from services.engine.agents import Budget, Clock, agent
from services.engine.core import Action
from services.engine.core.registry import AnyRuleset

log = logging.getLogger("oddsocks")

Found = TypeVar("Found")

LIVE = Budget(seconds=1.5)
"""A person waits. Levels bound themselves by iterations; this is for devices too slow for that."""


class Thinker:
    """One search at a time, whichever match it is for. `now` is seconds that never go back."""

    def __init__(self, budget: Budget = LIVE, now: Clock = time.monotonic) -> None:
        self.budget, self.now = budget, now
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="agent")

    async def choose(
        self, name: str, rules: AnyRuleset, information: Any, stop: threading.Event
    ) -> Action:
        """What the agent does who knows `information` and no more. Always answers; at once, and
        with whatever it has, when `stop` is set."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._thread, self._choose, name, rules, information, stop
        )

    def _choose(
        self, name: str, rules: AnyRuleset, information: Any, stop: threading.Event
    ) -> Action:
        # Seeded from the system, so that nobody learns by heart how an opponent plays.
        rng = random.Random(random.SystemRandom().getrandbits(64))
        # What is known decides what is legal, so one sample will do.
        legal = rules.legal_actions(rules.determinize(information, rng))
        try:
            action = agent(name).choose(rules, information, self.budget, rng, stop.is_set, self.now)
        except Exception as error:  # A game never stalls because an opponent is at fault.
            # The type only: what an exception says may tell what is hidden.
            log.error("agent %s failed: %s", name, type(error).__name__)
            return rng.choice(legal)
        return action if action in legal else rng.choice(legal)

    async def work(self, work: Callable[[], Found]) -> Found:
        """Do other work that thinks, in its turn; raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Start no search any more; one under way ends with its stop flag."""
        self._thread.shutdown(wait=False, cancel_futures=True)
