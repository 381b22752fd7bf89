"""Work in the background: kept going, and ended for certain."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Final

import structlog

_log = structlog.get_logger("background")

_AGAIN_S: Final = 0.2

PAUSE_S: Final = 1.0
"""After a failure that nobody expected, until the work begins again."""


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until all have ended; what they raise is nobody's business.

    Cancelling once is not enough: a library that is just then busy with a connection may take the
    cancellation for a failure of its own and go on (seen with redis-py while it connects).
    """
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        ended, pending = await asyncio.wait(pending, timeout=_AGAIN_S)
        for task in ended:
            if not task.cancelled():
                task.exception()  # looked at, so that the loop does not complain


@contextlib.asynccontextmanager
async def in_background(*works: Callable[[], Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Work at all of them for as long as the block lasts.

    What fails although nobody expected it to is logged, and begins again after a pause: a loop that
    died without a word would be missed only by those who wait for what it does.
    """
    tasks = [asyncio.create_task(_keep_at(work)) for work in works]
    try:
        yield
    finally:
        await end(*tasks)


async def _keep_at(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        working = work()
        try:
            return await working
        except Exception as error:
            name = getattr(working, "__qualname__", "")  # typed as if it had none
            _log.error("work in the background failed", work=name, exc_info=error)
        await asyncio.sleep(PAUSE_S)
