"""Quiet hours, in time zones and over changes of the clocks."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from services.matchmaking.push.quiet import Quiet

HOUR_MS = 3_600_000


def at(zone: str, text: str) -> int:
    """A time there, milliseconds since 1970 UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1_000)


@pytest.mark.parametrize(
    ("begin", "end", "now", "until"),
    [
        (21, 7, "2026-05-01 20:59", None),
        (21, 7, "2026-05-01 21:00", "2026-05-02 07:00"),
        (21, 7, "2026-05-02 00:00", "2026-05-02 07:00"),
        (21, 7, "2026-05-02 06:59", "2026-05-02 07:00"),
        (21, 7, "2026-05-02 07:00", None),
        (8, 13, "2026-05-02 07:59", None),
        (8, 13, "2026-05-02 08:00", "2026-05-02 13:00"),
        (8, 13, "2026-05-02 13:00", None),
        (0, 0, "2026-05-02 00:00", None),
        (9, 9, "2026-05-02 09:00", None),
    ],
)
@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "Asia/Seoul", "America/New_York", "Asia/Kolkata"]
)
def test_quiet_hours_end_on_the_same_day_or_the_next(
    zone: str, begin: int, end: int, now: str, until: str | None
) -> None:
    quiet = Quiet(zone, begin * 60, end * 60)
    assert quiet.until(at(zone, now)) == (None if until is None else at(zone, until))


def test_a_night_is_shorter_or_longer_when_the_clocks_change() -> None:
    quiet = Quiet("Europe/Berlin", 22 * 60, 6 * 60)
    for evening, hours in (("2026-03-28 22:00", 7), ("2026-10-24 22:00", 9)):
        now = at("Europe/Berlin", evening)
        assert quiet.until(now) == now + hours * HOUR_MS


def test_an_end_that_the_clocks_leave_out_is_still_after_now() -> None:
    quiet = Quiet("Europe/Berlin", 22 * 60, 2 * 60 + 30)
    now = at("Europe/Berlin", "2026-03-29 01:59")
    until = quiet.until(now)
    assert until is not None
    assert now < until <= now + HOUR_MS


def test_an_end_in_the_hour_that_comes_twice_is_still_after_now() -> None:
    """Else a call would be due again as soon as it was put off, for as long as the hour lasts."""
    quiet = Quiet("Europe/Berlin", 22 * 60, 2 * 60 + 30)
    half_past_three = at("Europe/Berlin", "2026-10-25 03:30")
    for minutes in range(0, 4 * 60, 5):
        now = half_past_three - minutes * 60_000
        until = quiet.until(now)
        assert until is None or now < until <= now + HOUR_MS * 4
    second_quarter_past_two = half_past_three - HOUR_MS * 5 // 4
    assert quiet.until(second_quarter_past_two) == second_quarter_past_two + HOUR_MS // 4
