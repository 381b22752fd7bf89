"""The clock, and how a test moves that of a process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.common.clock import system_clock, use_test_clock
from tests.fixtures.moving_clock import DAY_MS, MovingClock


@pytest.fixture(autouse=True)
def _own_time_afterwards() -> Iterator[None]:
    yield
    use_test_clock(None)


def test_a_file_moves_the_clock_as_often_as_it_changes(tmp_path: Path) -> None:
    before = time.time_ns() // 1_000_000
    clock = MovingClock(tmp_path / "offset")
    use_test_clock(clock.file)
    assert 0 <= system_clock() - before < DAY_MS, "no file yet: nothing is added"
    clock.advance(2 * DAY_MS)
    assert 2 * DAY_MS <= system_clock() - before < 3 * DAY_MS
    clock.advance(DAY_MS)
    assert 3 * DAY_MS <= system_clock() - before < 4 * DAY_MS
    assert 0 <= clock() - system_clock() < DAY_MS
    use_test_clock(None)
    assert 0 <= system_clock() - before < DAY_MS


def test_what_is_no_number_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "offset").write_text("soon")
    use_test_clock(tmp_path / "offset")
    with pytest.raises(ValueError, match="soon"):
        system_clock()
