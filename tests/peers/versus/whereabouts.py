"""Where a bot of OpenSpiel spends its time: looked at every few milliseconds of processor time.

Nothing is added to what it runs. What counts is the innermost line of Python under way: a kernel
counts as the rules that called it, the way from OpenSpiel's C++ into Python and back as OpenSpiel.
For the main thread of a process only.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from tests.peers.versus.pairings import Whereabouts

_EVERY_S: Final = 0.004
_PARTS: Final = {"adapter": "tests/peers/", "openspiel": "open_spiel/", "rules": "services/engine/"}
_ALSO_RULES: Final = "tools/playouts.py"


class Looker:
    """Counts where it was found."""

    def __init__(self) -> None:
        self._found: Counter[str] = Counter()
        # For good: a signal may still be on its way when the timer is off.
        signal.signal(signal.SIGPROF, self._look)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look now and then meanwhile."""
        signal.setitimer(signal.ITIMER_PROF, _EVERY_S, _EVERY_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def found(self) -> Whereabouts:
        """All that was seen so far."""
        found = self._found
        return Whereabouts(found["adapter"], found["rules"], found["openspiel"])

    def _look(self, _number: int, frame: FrameType | None) -> None:
        self._found[part_of(frame)] += 1


def part_of(frame: FrameType | None) -> str:
    """The part that the innermost of these frames is of that is of any."""
    while frame is not None:
        file = Path(frame.f_code.co_filename).as_posix()
        for part, folder in _PARTS.items():
            if folder in file:
                return part
        if file.endswith(_ALSO_RULES):
            return "rules"
        frame = frame.f_back
    return "openspiel"
