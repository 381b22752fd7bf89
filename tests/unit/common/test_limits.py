"""How often somebody may call: against a plain count of every call in every window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.common.errors import RateLimitedError
from services.common.limits import Limit, Limiter
from tests.fixtures.sql import ManualClock


def test_a_burst_then_a_steady_rate() -> None:
    clock = ManualClock()
    limiter = Limiter(Limit(3, 60_000), clock)
    for _ in range(3):
        limiter.take("anna", "calls")
    with pytest.raises(RateLimitedError, match="too many calls: wait 20 s") as caught:
        limiter.take("anna", "calls")
    assert caught.value.wait_ms == 20_000
    assert caught.value.details["retry_after_ms"] == "20000"
    limiter.take("ben", "calls")
    clock.advance(19_999)
    assert limiter.wait_ms("anna") == 1
    clock.advance(1)
    limiter.take("anna", "calls")
    assert limiter.wait_ms("anna") == 20_000
    clock.advance(60_000)
    for _ in range(3):
        limiter.take("anna", "calls")


@given(
    calls=st.integers(1, 7),
    per_ms=st.integers(1, 1_000),
    waits=st.lists(st.integers(0, 300), min_size=1, max_size=60),
)
def test_never_more_than_twice_the_limit_in_a_window_and_the_wait_told_is_exact(
    calls: int, per_ms: int, waits: list[int]
) -> None:
    clock = ManualClock(0)
    limiter = Limiter(Limit(calls, per_ms), clock)
    taken: list[int] = []
    for wait in waits:
        clock.advance(wait)
        told = limiter.wait_ms("anna")
        if told > 0:
            clock.advance(told - 1)
            assert limiter.wait_ms("anna") == 1
            clock.advance(1)
        assert limiter.wait_ms("anna") == 0
        limiter.take("anna", "calls")
        taken.append(clock())
    for start in taken:
        within = sum(start <= time < start + per_ms for time in taken)
        # A full burst, and what the window gives back while it lasts.
        assert within <= 2 * calls


def test_what_is_remembered_stays_small() -> None:
    clock = ManualClock()
    limiter = Limiter(Limit(1, 1_000), clock)
    for number in range(10_000):
        limiter.count(f"guest {number}")
    clock.advance(1_000)
    limiter.count("anna")
    assert list(limiter._due) == ["anna"]


@pytest.mark.parametrize("minutes", [0, 7, 60 * 24])
def test_a_clock_that_is_set_back_locks_nobody_out(minutes: int) -> None:
    clock = ManualClock()
    limiter = Limiter(Limit(3, 60_000), clock)
    for _ in range(3):
        limiter.take("anna", "calls")
    clock.advance(-minutes * 60_000)
    assert limiter.wait_ms("anna") == 20_000
    clock.advance(20_000)
    limiter.take("anna", "calls")
    assert limiter.wait_ms("anna") == 20_000
