"""How long the frames of the running app take."""

from __future__ import annotations

import time
from pathlib import Path

from kivy.clock import Clock

from tests.mobile.garbage import collected_as_usual

FRAME_S = 0.1
ALLOWED = 5
"""Absolute times are asserted at five times the value named: other work shares the machine."""


def queued_s() -> float:
    """How long this thread has waited for a processor that others used, seconds so far."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


class Frames:
    """How long each turn of the user interface's loop took: computing, drawing and blocking, but
    not waiting for a processor that the other tests of this machine used."""

    def __init__(self) -> None:
        collected_as_usual()
        self.times: list[float] = []
        self._last, self._queued = time.perf_counter(), queued_s()
        self._event = Clock.schedule_interval(self._frame, 0)

    def _frame(self, _passed_s: float) -> None:
        now, queued = time.perf_counter(), queued_s()
        self.times.append(now - self._last - (queued - self._queued))
        self._last, self._queued = now, queued

    def stop(self) -> float:
        """The longest, in seconds; raises ValueError if there was none."""
        self._event.cancel()
        return max(self.times)
