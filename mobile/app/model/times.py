"""The server's time on this device, and how much of a turn is left. Free of Kivy.

Clocks of devices are often wrong, so the device's is used for nothing but how long ago the server
said what its own was (ADR 0034).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from app.i18n import tr, trn
from app.model.terms import Pace
from app.model.values import Match, MatchStatus

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS

SHORT_MS = 30_000
"""From here on the time left is said loudly."""


def ticks_s() -> float:
    """Seconds that never go back, those included that the device slept, where it has a clock that
    says so: the turns of others go on meanwhile."""
    if not hasattr(time, "clock_gettime"):
        return time.monotonic()
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class ServerTime:
    """What the server's clock shows. `ticks_s` is any clock that never jumps, seconds."""

    def __init__(self, ticks_s: Callable[[], float] = ticks_s) -> None:
        self._ticks_s = ticks_s
        self._heard: tuple[int, float] | None = None

    def heard(self, now_ms: int) -> None:
        """The server has just said what its clock shows; 0: it said nothing."""
        if now_ms:
            self._heard = (now_ms, self._ticks_s())

    @property
    def now_ms(self) -> int | None:
        """Milliseconds since 1970 UTC; None before the server said anything."""
        if self._heard is None:
            return None
        said_ms, ticks_s = self._heard
        return said_ms + round((self._ticks_s() - ticks_s) * 1000)


@dataclass(frozen=True, slots=True)
class Left:
    """What a seat has left."""

    turn_ms: int | None
    """Of its turn, where it is to act; None: it is not, or its turn has no end."""
    reserve_ms: int
    vacation: bool = False
    """It is on vacation: nothing runs."""

    @property
    def short(self) -> bool:
        """Whether it is nearly over."""
        return self.turn_ms is not None and self.turn_ms + self.reserve_ms < SHORT_MS


def left_of(match: Match, seat: int, now_ms: int | None) -> Left | None:
    """What `seat` has left at a time by the server's clock; None where no clock runs at all."""
    clock = match.clock
    if clock is None or match.status is not MatchStatus.RUNNING:
        return None
    own = next((one for one in clock.seats if one.seat == seat), None)
    reserve_ms = own.reserve_left_ms if own else 0
    now = clock.now_ms if now_ms is None else max(now_ms, clock.now_ms)
    away = own is not None and own.vacation_until_ms is not None and own.vacation_until_ms > now
    if match.actor != seat or clock.deadline_ms is None:
        timed = clock.deadline_ms is not None or reserve_ms > 0
        return Left(None, reserve_ms, away) if timed or away else None
    turn_end = clock.deadline_ms if clock.reserve_from_ms is None else clock.reserve_from_ms
    turn_ms = max(0, turn_end - now)
    return Left(turn_ms, max(0, clock.deadline_ms - max(now, turn_end)), away)


def clock_words(left: Left, pace: Pace) -> str:
    """A few signs for a seat: "0:45", with the reserve behind it "0:45 + 5:00"; "" for nothing."""
    if left.vacation:
        return tr("on holiday")
    if pace is Pace.DAYS:
        return "" if left.turn_ms is None else long_words(left.turn_ms + left.reserve_ms)
    reserve = minutes(left.reserve_ms) if left.reserve_ms else ""
    if left.turn_ms is None:
        return f"+ {reserve}" if reserve else ""
    return " + ".join(part for part in (minutes(left.turn_ms), reserve) if part)


def minutes(milliseconds: int) -> str:
    """Minutes and seconds, "0:45"; rounded up, so that zero is the end."""
    seconds = -(-milliseconds // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


def long_words(milliseconds: int) -> str:
    """A time in its largest unit, rounded down to be on the safe side: "2 days"."""
    if milliseconds >= DAY_MS:
        return trn("{count} day", "{count} days", milliseconds // DAY_MS)
    if milliseconds >= HOUR_MS:
        return trn("{count} hour", "{count} hours", milliseconds // HOUR_MS)
    return trn("{count} minute", "{count} minutes", max(1, milliseconds // MINUTE_MS))


def turn_left(deadline_ms: int | None, now_ms: int | None) -> str:
    """How long the turn of a match in a list has, in words; "" where it has no end."""
    if deadline_ms is None or now_ms is None:
        return ""
    return tr("{time} left", time=long_words(max(0, deadline_ms - now_ms)))
