"""Time as the services count it: integer milliseconds since 1970 UTC, from the server's clock.

Tests of one process hand in a clock of their own. Tests of real processes move theirs by a file
(`ODDSOCKS_TEST_CLOCK`, see `settings.ClockSettings`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

Clock: TypeAlias = Callable[[], int]
"""Returns the time now in milliseconds; an argument everywhere, so that tests never sleep."""


class _Offset:
    file: Path | None = None


def system_clock() -> int:
    """Milliseconds since 1970 UTC, and what the test clock adds where one is in use."""
    now_ms = time.time_ns() // 1_000_000
    return now_ms if _Offset.file is None else now_ms + _offset_ms(_Offset.file)


def use_test_clock(file: Path | None) -> None:
    """Let `system_clock` add the milliseconds that stand in a file, read at every call.

    A file that is not there adds nothing; None ends it. Write the file beside and move it into
    place, so that nobody reads half a number.
    """
    _Offset.file = file


def _offset_ms(file: Path) -> int:
    try:
        return int(file.read_text())
    except FileNotFoundError:
        return 0
