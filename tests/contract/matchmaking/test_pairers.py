"""Several processes pair the same tickets at the same time: nobody is seated twice."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from grpc import StatusCode
from grpc.aio import AioRpcError
from sqlalchemy import select

from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets_pb
from oddsocks.play.v1 import play_pb2
from services.common.database import connect
from services.matchmaking import schema as s
from tests.contract.matchmaking.finders import Finder, finder
from tests.contract.matchmaking.world import World, fresh_id

PROCESSES, PLAYERS, ROUNDS = 3, 16, 3
PATIENCE_S = 120
# Over days, so that however slow the machine is no ticket lapses.
DAYS = play_pb2.TableRules(pace=play_pb2.PACE_DAYS)


@contextlib.contextmanager
def pairing(database_url: str) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that pair for as long as the block lasts."""
    command = [sys.executable, "-m", "tests.contract.matchmaking.pairer", database_url]
    with contextlib.ExitStack() as stack:
        processes = []
        for _ in range(PROCESSES):
            process = stack.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            processes.append(process)
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        try:
            yield processes
        finally:
            for process in processes:
                assert process.stdin is not None
                process.stdin.close()
            for process in processes:
                assert process.wait(60) == 0


async def rows_of(database_url: str, query: Any) -> list[Any]:
    engine = connect(database_url)
    try:
        async with engine.execution_options(read_only=True).connect() as db:
            return list((await db.execute(query)).all())
    finally:
        await engine.dispose()


async def insist(call: Callable[[], Awaitable[tickets_pb.Ticket]]) -> tickets_pb.Ticket:
    """Call again while the database is too busy, as an app does."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                return await call()
            except AioRpcError as error:
                if error.code() not in (StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED):
                    raise
            await asyncio.sleep(0.2)


async def seated(one: Finder) -> str:
    """Take a ticket, and wait for the table it leads to."""
    request_id = fresh_id()
    opened = await insist(lambda: one.open_ticket(request_id, rules=DAYS))
    async with asyncio.timeout(PATIENCE_S):
        while True:
            ticket = await insist(lambda: one.ticket(opened.ticket_id))
            if ticket.status == tickets_pb.TICKET_STATUS_SEATED:
                return ticket.table.table_id
            await asyncio.sleep(0.2)


async def test_pairers_in_many_processes_never_seat_anybody_twice(world: World) -> None:
    players = [await finder(world, f"P{n}") for n in range(PLAYERS)]
    with pairing(world.database_url):
        for _ in range(ROUNDS):
            tables = await asyncio.gather(*map(seated, players))
            assert set(Counter(tables).values()) == {2}, "two tickets a table"
    seats = await rows_of(world.database_url, select(s.table_seats))
    by_table: dict[str, list[str]] = {}
    for row in seats:
        by_table.setdefault(row.table_id, []).append(row.player_id)
    assert len(by_table) == ROUNDS * PLAYERS // 2, "a table for each pair, and no other"
    assert all(len(set(people)) == 2 for people in by_table.values())
    times = Counter(row.player_id for row in seats)
    assert times == {one.id: ROUNDS for one in players}, "one seat a player and round"
