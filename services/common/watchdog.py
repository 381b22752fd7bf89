"""A process whose event loop hangs ends itself: whoever starts processes starts it again then.

A container engine asks for health but does nothing about it, and players would wait for a process
that answers nobody.
"""

from __future__ import annotations

import asyncio
import faulthandler
from collections.abc import Coroutine
from functools import partial
from typing import Any, Final

from services.common.background import in_background

SILENCE_S: Final = 30.0
"""A loop that gets to nothing for so long will not come back."""

_LOOK_S: Final = 1.0
_STDERR: Final = 2  # itself: whatever stands in for it in Python may have no number


async def watched(work: Coroutine[Any, Any, None], silence_s: float = SILENCE_S) -> None:
    """Do the work. Should the loop hang meanwhile, where each thread stands goes to standard error
    and the process ends with status 1.
    """
    async with in_background(partial(_show_life, silence_s)):
        try:
            await work
        finally:
            faulthandler.cancel_dump_traceback_later()


async def _show_life(silence_s: float) -> None:
    while True:
        # Counted by a thread of C, which needs nothing from Python to find out.
        faulthandler.dump_traceback_later(silence_s, exit=True, file=_STDERR)
        await asyncio.sleep(min(_LOOK_S, silence_s / 4))
