"""Work in the background goes on after a failure, and ends for certain."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from services.common import background
from services.common.background import end, in_background


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


async def test_work_that_fails_begins_again_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "PAUSE_S", 0.0)
    tries, at_work = 0, asyncio.Event()

    async def watch_over_it() -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise ZeroDivisionError
        at_work.set()
        await asyncio.Event().wait()

    with capture_logs() as logs:
        async with asyncio.timeout(10), in_background(watch_over_it):
            await at_work.wait()
    assert tries == 3
    assert [type(log["exc_info"]) for log in logs] == [ZeroDivisionError] * 2
    assert all("watch_over_it" in log["work"] for log in logs)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_work_that_is_done_does_not_begin_again() -> None:
    times = 0

    async def once() -> None:
        nonlocal times
        times += 1

    async with in_background(once):
        for _ in range(5):
            await asyncio.sleep(0)
    assert times == 1
