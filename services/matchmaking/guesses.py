"""Codes must not be found by trying: who names too many wrong ones has to wait."""

from __future__ import annotations

from typing import Final

from services.common.clock import Clock
from services.common.errors import RateLimitedError
from services.common.limits import Limit, Limiter

WRONG_CODES: Final = Limit(10, 10 * 60_000)
"""A person who mistypes needs two or three."""


class Guesses:
    """Counts wrong codes by player, or by address where it is not known yet who calls."""

    def __init__(self, clock: Clock) -> None:
        self._limiter = Limiter(WRONG_CODES, clock)

    def check(self, who: str) -> None:
        """Raise `RateLimitedError` for somebody who named too many wrong codes lately."""
        wait = self._limiter.wait_ms(who)
        if wait > 0:
            raise RateLimitedError("too many wrong codes: try again later", wait)

    def wrong(self, who: str) -> None:
        """Note a wrong code."""
        self._limiter.count(who)
