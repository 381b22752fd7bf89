"""Time left by the server's clock, in few signs; the device is never asked what time it is."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from app.model.terms import Clock, Pace, SeatClock
from app.model.times import Left, ServerTime, clock_words, left_of, long_words, turn_left
from app.model.values import Match, MatchStatus, Occupant

NOW = 1_800_000_000_000
DAY = 86_400_000
SEATS = (Occupant("p1", "", "Ada"), Occupant("p2", "", "Ben"))
MATCH = Match("m", "socker", SEATS, 5, MatchStatus.RUNNING, 0, (), None)


class Ticks:
    """A clock that goes as the test wants it to."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_the_time_goes_on_while_the_device_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    slept_s = 0.0
    awake = time.clock_gettime
    monkeypatch.setattr(
        time, "clock_gettime", lambda clock: slept_s * (clock == time.CLOCK_BOOTTIME) + awake(clock)
    )
    times = ServerTime()
    times.heard(NOW)
    slept_s = 8 * 3600.0
    assert times.now_ms is not None
    assert 0 <= times.now_ms - NOW - 8 * 3_600_000 < 60_000


def at(clock: Clock) -> Match:
    return replace(MATCH, clock=clock)


def test_the_servers_time_goes_on_from_what_it_said() -> None:
    ticks = Ticks()
    assert ServerTime(ticks).now_ms is None
    times = ServerTime(ticks)
    times.heard(NOW)
    ticks.now_s += 2.5
    assert times.now_ms == NOW + 2500
    times.heard(0)  # It said nothing.
    assert times.now_ms == NOW + 2500
    times.heard(NOW - 7000)  # It was set back.
    assert times.now_ms == NOW - 7000


def test_the_turn_runs_first_then_the_reserve() -> None:
    match = at(Clock(NOW + 90_000, NOW + 60_000, NOW, (SeatClock(0, 30_000), SeatClock(1, 9))))
    assert left_of(match, 0, NOW) == Left(60_000, 30_000)
    assert left_of(match, 0, NOW + 70_000) == Left(0, 20_000)
    assert left_of(match, 0, NOW + 200_000) == Left(0, 0)
    assert left_of(match, 1, NOW) == Left(None, 9)


def test_a_turn_without_an_end_has_no_clock() -> None:
    assert left_of(MATCH, 0, NOW) is None
    assert left_of(at(Clock(None, None, NOW)), 0, NOW) is None
    over = replace(at(Clock(NOW + 1, None, NOW)), status=MatchStatus.FINISHED)
    assert left_of(over, 0, NOW) is None


def test_who_is_on_holiday_is_marked() -> None:
    clock = Clock(NOW + DAY, None, NOW, (SeatClock(0, 0, NOW + DAY), SeatClock(1)))
    left = left_of(at(clock), 0, NOW)
    assert left is not None
    assert clock_words(left, Pace.DAYS) == "on holiday"
    later = left_of(at(clock), 0, NOW + DAY + 1)
    assert later is not None
    assert not later.vacation


def test_a_device_that_is_behind_never_shows_more_than_the_server_said() -> None:
    match = at(Clock(NOW + 60_000, None, NOW))
    assert left_of(match, 0, NOW - 999_000) == Left(60_000, 0)


@pytest.mark.parametrize(
    ("left", "pace", "words"),
    [
        (Left(45_000, 300_000), Pace.LIVE, "0:45 + 5:00"),
        (Left(44_001, 0), Pace.LIVE, "0:45"),
        (Left(0, 61_000), Pace.LIVE, "0:00 + 1:01"),
        (Left(None, 300_000), Pace.LIVE, "+ 5:00"),
        (Left(None, 0), Pace.LIVE, ""),
        (Left(2 * DAY + 1, 0), Pace.DAYS, "2 days"),
        (Left(None, 0), Pace.DAYS, ""),
    ],
)
def test_a_few_signs_say_it(left: Left, pace: Pace, words: str) -> None:
    assert clock_words(left, pace) == words


def test_long_times_are_rounded_to_the_safe_side() -> None:
    assert long_words(2 * DAY - 1) == "1 day"
    assert long_words(DAY - 1) == "23 hours"
    assert long_words(59_999) == "1 minute"
    assert turn_left(NOW + 2 * DAY, NOW) == "2 days left"
    assert turn_left(None, NOW) == ""
    assert turn_left(NOW, None) == ""
