"""How often somebody may call: a limit that lets a burst through and then a steady rate.

The algorithm is GCRA (the leaky bucket as a meter): one integer for each key, exact waiting times.
Counted in the memory of this process alone: a limit against scripts needs no storage, must cost a
busy call next to nothing, and must not depend on Redis.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from services.common.clock import Clock
from services.common.errors import RateLimitedError

_TIDY_AT: Final = 10_000


@dataclass(frozen=True, slots=True)
class Limit:
    """`calls` in any `per_ms` milliseconds on average; so many may also come at once."""

    calls: int
    per_ms: int


@dataclass(slots=True)
class Limiter:
    """Counts by key: an account, an address."""

    limit: Limit
    clock: Clock
    # When the key's burst will be used up by nothing, in milliseconds times `limit.calls`: so
    # scaled, the time a call takes up is a whole number, too.
    _due: dict[str, int] = field(default_factory=dict)
    _tidy_at: int = _TIDY_AT
    _seen_ms: int = 0
    _set_back_ms: int = 0

    def wait_ms(self, key: str) -> int:
        """How long the key has to wait for its next call; 0 for now."""
        calls, per_ms = self.limit.calls, self.limit.per_ms
        ahead = self._due.get(key, 0) - self._now_ms() * calls
        return max(0, -(-(ahead - (calls - 1) * per_ms) // calls))

    def count(self, key: str) -> None:
        """Note a call."""
        now = self._now_ms() * self.limit.calls
        if len(self._due) >= self._tidy_at:
            self._due = {other: due for other, due in self._due.items() if due > now}
            self._tidy_at = max(_TIDY_AT, 2 * len(self._due))
        self._due[key] = max(now, self._due.get(key, 0)) + self.limit.per_ms

    def take(self, key: str, what: str) -> None:
        """Note a call, or raise `RateLimitedError` with the time to wait; that is not counted."""
        wait = self.wait_ms(key)
        if wait > 0:
            raise RateLimitedError(f"too many {what}: wait {-(-wait // 1_000)} s", wait)
        self.count(key)

    def _now_ms(self) -> int:
        """The clock without its steps back: who called before one must not have to wait it out."""
        now_ms = self.clock()
        self._set_back_ms += max(0, self._seen_ms - now_ms)
        self._seen_ms = now_ms
        return now_ms + self._set_back_ms
