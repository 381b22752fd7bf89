"""Wrong codes: a few are human, more have to wait."""

from __future__ import annotations

import pytest

from services.common.errors import RateLimitedError
from services.matchmaking.guesses import WRONG_CODES, Guesses
from tests.fixtures.sql import ManualClock


def test_after_ten_wrong_codes_there_is_one_more_a_minute() -> None:
    clock = ManualClock()
    guesses = Guesses(clock)
    assert (WRONG_CODES.calls, WRONG_CODES.per_ms) == (10, 600_000)
    for _ in range(10):
        guesses.check("eve")
        guesses.wrong("eve")
    for _ in range(3):
        with pytest.raises(RateLimitedError, match="wrong codes") as caught:
            guesses.check("eve")
        assert caught.value.wait_ms == 60_000
        guesses.check("anna")
        clock.advance(59_999)
        with pytest.raises(RateLimitedError):
            guesses.check("eve")
        clock.advance(1)
        guesses.check("eve")  # asking costs nothing
        guesses.check("eve")
        guesses.wrong("eve")
