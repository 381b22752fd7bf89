"""Ending work in the background for certain."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Final

_AGAIN_S: Final = 0.2


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
async def in_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Work for as long as the block lasts."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        await end(task)
