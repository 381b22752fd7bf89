"""Reading for many at once: calls that come together are one query."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice
from typing import Final, Generic, TypeVar

Value = TypeVar("Value")

MOST: Final = 500
"""Keys of one query."""


class Together(Generic[Value]):
    """Gives the value of a key as `read` finds it by a query that begins after the call.

    Whoever calls while a query is under way waits for the next, together with all others. A key
    that `read` does not find raises KeyError; what `read` raises, its callers get.
    """

    def __init__(self, read: Callable[[Sequence[str]], Awaitable[Mapping[str, Value]]]) -> None:
        self._read = read
        self._waiting: defaultdict[str, list[asyncio.Future[Value]]] = defaultdict(list)
        self._reading: asyncio.Task[None] | None = None

    async def __call__(self, key: str) -> Value:
        """The value of one key."""
        future: asyncio.Future[Value] = asyncio.get_running_loop().create_future()
        self._waiting[key].append(future)
        if self._reading is None:
            self._reading = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        try:
            while self._waiting:
                keys = list(islice(self._waiting, MOST))
                await self._answer({key: self._waiting.pop(key) for key in keys})
        finally:
            self._reading = None

    async def _answer(self, asked: Mapping[str, list[asyncio.Future[Value]]]) -> None:
        found: Mapping[str, Value] = {}
        problem: BaseException | None = None
        try:
            found = await self._read(list(asked))
        except Exception as error:
            problem = error
        for key, futures in asked.items():
            for future in futures:
                if future.done():  # whoever asked has gone
                    continue
                if key in found:
                    future.set_result(found[key])
                else:
                    future.set_exception(problem or KeyError(key))
