"""Time as the services count it: integer milliseconds since 1970 UTC, from the server's clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], int]
"""Returns the time now in milliseconds; an argument everywhere, so that tests never sleep."""


def system_clock() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000
