"""Ending work for certain."""

from __future__ import annotations

import asyncio

from services.common.background import end


async def test_a_task_that_swallows_a_cancellation_ends_all_the_same() -> None:
    started = asyncio.Event()

    async def deaf_once() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.Event().wait()

    task = asyncio.create_task(deaf_once())
    await started.wait()
    async with asyncio.timeout(10):
        await end(task)
    assert task.cancelled()


async def test_a_task_that_failed_is_no_concern() -> None:
    async def fails() -> None:
        raise ValueError

    await end(asyncio.create_task(fails()))
