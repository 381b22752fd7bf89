"""When enough matches are played: Wald's sequential probability ratio test, and an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import log, sqrt
from typing import Final

LOW: Final = 0.55
"""Two levels that are no further apart than this count as one."""
HIGH: Final = 0.70
ERROR: Final = 0.025
"""How often the test may be wrong at either end."""
_Z: Final = 1.96


class Verdict(Enum):
    """What a sequential test says so far."""

    OPEN = "open"
    APART = "apart"
    NOT_APART = "not apart"


def verdict(results: Sequence[float]) -> Verdict:
    """Whether the first player wins `HIGH` rather than `LOW` of its matches.

    Results from 0 to 1 in the order played; a shared win counts as half a win and half a loss.
    """
    bound = log((1 - ERROR) / ERROR)
    ratio = 0.0
    for result in results:
        ratio += result * log(HIGH / LOW) + (1 - result) * log((1 - HIGH) / (1 - LOW))
        if ratio >= bound:
            return Verdict.APART
        if ratio <= -bound:
            return Verdict.NOT_APART
    return Verdict.OPEN


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the win with its 95 % interval (Wilson), as if the number had been fixed."""

    matches: int
    mean: float
    low: float
    high: float

    @property
    def cells(self) -> str:
        """The share and its interval, for a table of a page."""
        return f"{100 * self.mean:.1f} % | {100 * self.low:.1f} % to {100 * self.high:.1f} %"


def share(results: Sequence[float]) -> Share:
    """The share of these results; with none of them it may be anything."""
    n = len(results)
    if n == 0:
        return Share(0, 0.5, 0.0, 1.0)
    mean = sum(results) / n
    centre = (mean + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    reach = _Z / (1 + _Z**2 / n) * sqrt(mean * (1 - mean) / n + _Z**2 / (4 * n * n))
    return Share(n, mean, max(0.0, centre - reach), min(1.0, centre + reach))
