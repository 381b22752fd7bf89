"""A worker with agents of a test's own: "stubborn" never answers and is deaf to being told to stop,
like a search in compiled code that has lost its way; "sleeper" takes all the time it is given, and
leaves the processor to others.
"""

from __future__ import annotations

import sys
import time
from random import Random
from typing import Any

from services.ai import think, worker
from services.engine.agents import Agent, Budget, agent
from services.engine.core import Action


class Stubborn:
    """Thinks for ever."""

    name = "stubborn"

    def choose(self, *_: Any, **__: Any) -> Any:
        """Never returns."""
        while True:
            try:
                time.sleep(60)
            except BaseException:
                continue


class Sleeper:
    """Thinks as long as it may, about nothing."""

    name = "sleeper"

    def choose(
        self, ruleset: Any, information: Any, budget: Budget, rng: Random, *_: Any, **__: Any
    ) -> Action:
        """The first action."""
        time.sleep(budget.seconds or 0)
        first: Action = ruleset.legal_actions(ruleset.determinize(information, rng))[0]
        return first


_OURS = {one.name: one for one in (Stubborn(), Sleeper())}


def _agent(name: str) -> Agent:
    return _OURS[name] if name in _OURS else agent(name)


if __name__ == "__main__":
    think.agent = _agent  # type: ignore[attr-defined]  # it imports the name
    sys.exit(worker.main())
