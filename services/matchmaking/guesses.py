"""Invitation codes must not be found by trying: who names too many wrong ones has to wait."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.clock import Clock
from services.common.errors import RefusedError

LIMIT: Final = 10
"""Wrong codes a player may name within `WINDOW_MS`; a person who mistypes needs two or three."""
WINDOW_MS: Final = 10 * 60_000
_TIDY_AT: Final = 10_000


@dataclass(slots=True)
class Guesses:
    """Counts wrong codes by player, in this process only: a limit for scripts needs no storage.

    Making accounts without end, to guess with each, is what the edge limits.
    """

    clock: Clock
    _wrong: dict[str, deque[int]] = field(default_factory=dict)

    def check(self, player_id: str) -> None:
        """Raise `RefusedError` TOO_LARGE for a player who named too many wrong codes lately."""
        times = self._wrong.get(player_id)
        if times is not None and len(times) == LIMIT and times[0] > self.clock() - WINDOW_MS:
            raise RefusedError(
                ErrorReason.ERROR_REASON_TOO_LARGE,
                "too many wrong codes: try again in ten minutes",
            )

    def wrong(self, player_id: str) -> None:
        """Note a wrong code."""
        now = self.clock()
        if len(self._wrong) >= _TIDY_AT:
            since = now - WINDOW_MS
            self._wrong = {who: times for who, times in self._wrong.items() if times[-1] > since}
        self._wrong.setdefault(player_id, deque(maxlen=LIMIT)).append(now)
