"""A worker with an agent that never answers and is deaf to being told to stop, like a search in
compiled code that has lost its way. Started by test_trouble.py.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from services.ai import think, worker
from services.engine.agents import Agent, agent


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


def _agent(name: str) -> Agent:
    return Stubborn() if name == Stubborn.name else agent(name)


if __name__ == "__main__":
    think.agent = _agent  # type: ignore[attr-defined]  # it imports the name
    sys.exit(worker.main())
