"""Time in which no process was there is lost; time that passes while one is there is not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.database import connect, migrate
from services.rules.service import MIGRATIONS
from services.rules.uptime import AWAY_MS, Uptime
from tests.fixtures.sql import ManualClock

HOUR_MS = 3_600_000


class Machine:
    """The time of a machine: the clock on its wall, and how long it has been on."""

    def __init__(self) -> None:
        self.wall = ManualClock()
        self.on = 0.0

    def process(self, engine: AsyncEngine) -> Uptime:
        return Uptime(engine, self.wall, lambda: self.on)

    def wait(self, milliseconds: int) -> None:
        self.wall.advance(milliseconds)
        self.on += milliseconds / 1_000


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = connect(database_url)
    await migrate(engine, MIGRATIONS)
    yield engine
    await engine.dispose()


@pytest.fixture
def machine() -> Machine:
    return Machine()


async def test_nothing_is_lost_before_the_first_start(
    engine: AsyncEngine, machine: Machine
) -> None:
    assert await machine.process(engine).lost_ms() == 0


async def test_what_passed_between_two_lives_is_lost(engine: AsyncEngine, machine: Machine) -> None:
    await machine.process(engine).beat()
    machine.wait(HOUR_MS)
    second = machine.process(engine)
    assert await second.lost_ms() == HOUR_MS
    machine.wait(2_000)
    await second.beat()
    assert await second.lost_ms() == HOUR_MS
    machine.wait(AWAY_MS - 1)
    assert await machine.process(engine).lost_ms() == HOUR_MS, "too short to be counted"


async def test_nothing_is_lost_while_any_process_is_there(
    engine: AsyncEngine, machine: Machine
) -> None:
    one = machine.process(engine)
    await one.beat()
    for _ in range(5):
        machine.wait(AWAY_MS - 1_000)
        await one.beat()
    other = machine.process(engine)
    assert await other.lost_ms() == 0
    machine.wait(AWAY_MS)
    await other.beat()
    assert await one.lost_ms() == AWAY_MS, "neither gave a sign: counted, and once"
    assert await other.lost_ms() == AWAY_MS


async def test_a_clock_that_is_set_is_no_time_lost(engine: AsyncEngine, machine: Machine) -> None:
    process = machine.process(engine)
    await process.beat()
    machine.wall.advance(HOUR_MS)
    await process.beat()
    assert await process.lost_ms() == 0
    machine.wall.advance(-2 * HOUR_MS)
    await process.beat()
    assert await process.lost_ms() == 0


async def test_a_process_that_stood_still_asks_before_it_tells(
    engine: AsyncEngine, machine: Machine
) -> None:
    """Frozen, asleep, or without its database: it must not take that for somebody's turn."""
    process = machine.process(engine)
    await process.beat()
    machine.wait(HOUR_MS)
    assert await process.lost_ms() == HOUR_MS


async def test_all_who_act_then_ask_together(engine: AsyncEngine, machine: Machine) -> None:
    process = machine.process(engine)
    await process.beat()
    machine.wait(HOUR_MS)
    statements: list[str] = []

    def note(*arguments: Any) -> None:
        statements.append(arguments[2])

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    lost = await asyncio.gather(*(process.lost_ms() for _ in range(200)))
    assert set(lost) == {HOUR_MS}
    assert sum("UPDATE uptime" in statement for statement in statements) == 1
