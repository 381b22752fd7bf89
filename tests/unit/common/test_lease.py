"""Leases: one holder at a time, renewable, released, taken over at the end of the term."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import MetaData, Table
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from services.common.database import connect
from services.common.lease import TERM_MS, Lease, Sweep, lease_table
from tests.fixtures.sql import ManualClock


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = connect(database_url)
    yield engine
    await engine.dispose()


@pytest.fixture
async def table(engine: AsyncEngine) -> Table:
    metadata = MetaData()
    leases = lease_table(metadata)
    async with engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
    return leases


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def test_one_of_many_at_once_gets_it(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    leases = [Lease(engine, table, "sweep", clock) for _ in range(8)]
    got = await asyncio.gather(*(lease.take() for lease in leases))
    assert sorted(got) == [False] * 7 + [True]


async def test_the_holder_renews_and_others_wait_for_the_end_of_the_term(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    ours = Lease(engine, table, "sweep", clock, term_ms=1_000)
    theirs = Lease(engine, table, "sweep", clock, term_ms=1_000)
    assert await ours.take()
    clock.advance(900)
    assert await ours.take()
    clock.advance(999)
    assert not await theirs.take()
    clock.advance(1)
    assert await theirs.take()
    assert not await ours.take()


async def test_a_killed_holder_is_followed_in_a_term_also_when_the_clock_was_set_back(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    killed, ours, theirs = (Lease(engine, table, "sweep", clock, term_ms=1_000) for _ in range(3))
    assert await killed.take()
    clock.advance(-1)
    assert await ours.take(), "it would have lasted longer than any lease does"
    assert not await theirs.take(), "ours ends in a term"
    assert await killed.take() is False
    clock.advance(-3_600_000)
    assert await ours.take(), "its holder keeps it"
    assert not await theirs.take()
    clock.advance(1_000)
    assert await theirs.take()


async def test_a_released_lease_is_free_and_only_its_holder_releases_it(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    ours, theirs = (Lease(engine, table, "sweep", clock) for _ in range(2))
    assert await ours.take()
    await theirs.release()
    assert not await theirs.take()
    await ours.release()
    assert await theirs.take()


async def test_leases_of_other_names_do_not_touch(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    assert await Lease(engine, table, "one", clock).take()
    assert await Lease(engine, table, "two", clock).take()


async def test_a_sweep_goes_on_after_an_error_and_releases_at_the_end(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    rounds = 0
    enough = asyncio.Event()

    async def work() -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 1:
            raise RuntimeError("the first row is bad")
        enough.set()

    async with Sweep(Lease(engine, table, "sweep", clock), 0.001, work):
        await asyncio.wait_for(enough.wait(), 20)
    assert await Lease(engine, table, "sweep", clock).take()


async def test_a_neighbour_that_is_away_is_noted_once(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    rounds = 0
    enough = asyncio.Event()

    async def work() -> None:
        nonlocal rounds
        rounds += 1
        if rounds <= 3:
            raise ConnectionRefusedError("nobody is there")
        if rounds == 5:
            enough.set()

    with capture_logs() as logs:
        async with Sweep(Lease(engine, table, "sweep", clock), 0.001, work):
            await asyncio.wait_for(enough.wait(), 20)
    assert [(log["log_level"], log["problem"]) for log in logs if "problem" in log] == [
        ("warning", "nobody is there")
    ]


async def test_a_woken_sweep_does_not_wait(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    done = asyncio.Queue[None]()

    async def work() -> None:
        done.put_nowait(None)

    async with Sweep(Lease(engine, table, "sweep", clock), 3_600, work) as sweep:
        await asyncio.wait_for(done.get(), 20)
        sweep.wake()
        await asyncio.wait_for(done.get(), 20)


async def test_a_sweep_takes_no_lease_while_there_is_nothing_to_do(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    looked, worked = asyncio.Event(), asyncio.Event()
    there_is_work = False

    async def wanted() -> bool:
        looked.set()
        return there_is_work

    async def work() -> None:
        worked.set()

    lease = Lease(engine, table, "sweep", clock)
    async with Sweep(lease, 0.001, work, wanted), asyncio.timeout(60):
        for _ in range(3):
            looked.clear()
            await looked.wait()
        assert not worked.is_set()
        assert await Lease(engine, table, "sweep", clock).take(), "it was free"
        clock.advance(TERM_MS)
        there_is_work = True
        await worked.wait()


async def test_a_sweep_rests_while_somebody_else_holds_the_lease(
    engine: AsyncEngine, table: Table, clock: ManualClock
) -> None:
    assert await Lease(engine, table, "sweep", clock).take()
    worked = False

    async def work() -> None:
        nonlocal worked
        worked = True

    assert not await Sweep(Lease(engine, table, "sweep", clock), 1, work).round()
    assert not worked
