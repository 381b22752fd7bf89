"""When a device is to be left alone. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from services.common.errors import invalid_field

DAY: Final = 24 * 60
"""Minutes."""


@dataclass(frozen=True, slots=True)
class Quiet:
    """Minutes of the day in a time zone; the same minute twice: never."""

    time_zone: str
    from_minute: int
    until_minute: int

    def until(self, now_ms: int) -> int | None:
        """When the quiet hours end that it is in, milliseconds since 1970 UTC: always after now.

        None: it is in none.
        """
        begin, end = self.from_minute, self.until_minute
        here = datetime.fromtimestamp(now_ms / 1_000, UTC).astimezone(ZoneInfo(self.time_zone))
        minute = here.hour * 60 + here.minute
        over_midnight = begin > end
        inside = minute >= begin or minute < end if over_midnight else begin <= minute < end
        if not inside:
            return None
        day = here.date() + timedelta(days=over_midnight and minute >= begin)
        # In an hour that comes twice: the end in the one it is, or it might be over already.
        ends = datetime.combine(day, time(end // 60, end % 60, fold=here.fold), here.tzinfo)
        return int(ends.timestamp() * 1_000)


def read_quiet(time_zone: str, from_minute: int, until_minute: int) -> Quiet:
    """Quiet hours as an app gives them; raises `RefusedError` INVALID_FIELD."""
    if time_zone not in _zones():
        raise invalid_field("time_zone", 'must be an IANA name like "Europe/Berlin"')
    for field, minute in (("quiet_from", from_minute), ("quiet_until", until_minute)):
        if not 0 <= minute < DAY:
            raise invalid_field(field, f"must be 0 to {DAY - 1}")
    return Quiet(time_zone, from_minute, until_minute)


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
