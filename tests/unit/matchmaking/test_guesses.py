"""Wrong invitation codes: a few are human, more have to wait."""

from __future__ import annotations

import pytest

from services.common.errors import RefusedError
from services.matchmaking.guesses import LIMIT, WINDOW_MS, Guesses
from tests.fixtures.sql import ManualClock


def test_after_ten_wrong_codes_a_player_waits_until_the_first_is_ten_minutes_old() -> None:
    clock = ManualClock()
    guesses = Guesses(clock)
    for _ in range(LIMIT):
        guesses.check("eve")
        guesses.wrong("eve")
        clock.advance(1_000)
    with pytest.raises(RefusedError, match="ten minutes"):
        guesses.check("eve")
    guesses.check("anna")
    clock.advance(WINDOW_MS - LIMIT * 1_000)
    guesses.check("eve")
    guesses.wrong("eve")
    with pytest.raises(RefusedError):
        guesses.check("eve")


def test_what_is_remembered_stays_small() -> None:
    clock = ManualClock()
    guesses = Guesses(clock)
    for number in range(10_000):
        guesses.wrong(f"guest {number}")
    clock.advance(WINDOW_MS)
    guesses.wrong("anna")
    assert list(guesses._wrong) == ["anna"]
