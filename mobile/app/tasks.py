"""Network work that belongs to somebody, so that it ends with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Tasks:
    """Tasks by owner. No reference is lost, and no exception either: `failed` is told of it."""

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        self._failed = failed
        self._tasks: dict[asyncio.Task[None], object] = {}

    def spawn(self, work: Coroutine[Any, Any, None], owner: object) -> asyncio.Task[None]:
        """Start `work` on the running loop."""
        task = asyncio.ensure_future(work)
        self._tasks[task] = owner
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._failed(error)

    def cancel(self, owner: object) -> None:
        """Stop everything that belongs to `owner`."""
        for task, whose in list(self._tasks.items()):
            if whose is owner:
                task.cancel()

    async def stop(self) -> None:
        """Stop everything and wait until it has."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
