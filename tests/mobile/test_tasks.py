"""Work in the background: it ends with its owner, and nothing that goes wrong in it is lost."""

from __future__ import annotations

import asyncio

from app.tasks import Tasks


async def test_what_goes_wrong_is_told_and_what_is_cancelled_is_not() -> None:
    told: list[Exception] = []
    tasks, owner = Tasks(told.append), object()

    async def wrong() -> None:
        raise ZeroDivisionError

    async def endless() -> None:
        await asyncio.Event().wait()

    ended = [tasks.spawn(wrong(), owner), tasks.spawn(endless(), owner)]
    other = tasks.spawn(endless(), object())
    await asyncio.sleep(0)
    tasks.cancel(owner)
    await asyncio.gather(*ended, return_exceptions=True)
    assert [type(error) for error in told] == [ZeroDivisionError]
    assert not other.done()
    await tasks.stop()
    assert other.cancelled()
    assert len(told) == 1
