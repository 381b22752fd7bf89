"""Calls that come together are one query, and none is answered by a query from before it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from services.rules.store.together import MOST, Together


class Table:
    """Counts up; a query waits until it is let go."""

    def __init__(self) -> None:
        self.queries: list[list[str]] = []
        self.version = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.problem: Exception | None = None
        self.asked = asyncio.Event()

    async def read(self, keys: Sequence[str]) -> Mapping[str, int]:
        self.queries.append(list(keys))
        self.asked.set()
        version = self.version
        await self.gate.wait()
        if self.problem is not None:
            raise self.problem
        return {key: version for key in keys if key != "nobody"}


async def test_calls_at_the_same_time_are_one_query() -> None:
    table = Table()
    read = Together(table.read)
    assert await asyncio.gather(*map(read, "abca")) == [0, 0, 0, 0]
    assert table.queries == [["a", "b", "c"]]
    many = [str(number) for number in range(MOST + 1)]
    await asyncio.gather(*map(read, many))
    assert [len(query) for query in table.queries] == [3, MOST, 1]


async def test_a_later_call_sees_what_happened_before_it() -> None:
    table = Table()
    read = Together(table.read)
    table.gate.clear()
    early = asyncio.create_task(read("a"))
    await table.asked.wait()
    table.version = 1
    late = asyncio.create_task(read("a"))
    await asyncio.sleep(0)
    table.gate.set()
    assert (await early, await late) == (0, 1)


async def test_faults_reach_those_who_asked_and_nobody_else() -> None:
    table = Table()
    read = Together(table.read)
    nobody, a = await asyncio.gather(read("nobody"), read("a"), return_exceptions=True)
    assert isinstance(nobody, KeyError)
    assert a == 0
    table.problem = OSError("away")
    with pytest.raises(OSError, match="away"):
        await read("a")
    table.problem = None
    assert await read("a") == 0


async def test_who_gives_up_leaves_the_others_alone() -> None:
    table = Table()
    read = Together(table.read)
    table.gate.clear()
    gone, stays = asyncio.create_task(read("a")), asyncio.create_task(read("a"))
    await table.asked.wait()
    gone.cancel()
    await asyncio.sleep(0)
    table.gate.set()
    assert await stays == 0
