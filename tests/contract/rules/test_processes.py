"""Several processes of the service on one database, and workers that need none."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.common.errors import error_info
from tests.fixtures.rules import Client
from tests.fixtures.rules_process import ROOT, RulesProcess, rules_process

PROCESSES, SUBMITS = 4, 200
SHARED = 4
"""Matches that all processes play at once, so that they get in each other's way."""

DRIVERS = ("sqlalchemy", "asyncpg", "aiosqlite", "sqlite3", "psycopg")
IMPORTED = """
import json, sys
import services.ai.tasks, services.ai.think, services.ai.worker
json.dump(sorted({name.partition(".")[0] for name in sys.modules}), sys.stdout)
"""


@pytest.mark.field(43)
async def test_four_processes_share_a_database_without_a_fault(
    fresh_postgres_url: str, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        processes = [
            await stack.enter_async_context(rules_process(tmp_path, fresh_postgres_url))
            for _ in range(PROCESSES)
        ]
        first = processes[0].rules
        matches = [await first.new_match("anna", "anna", goals_to_win=9) for _ in range(SHARED)]
        players = [process.rules.player("anna") for process in processes]
        counts = await asyncio.gather(
            *(play(player, matches, number) for number, player in enumerate(players))
        )
        # Every action that was acknowledged is there, and no other.
        seats = [await acted(players[0], match_id) for match_id in matches]
    assert counts == [SUBMITS] * PROCESSES
    assert sum(seats) == PROCESSES * SUBMITS
    for process in processes:
        assert faults(process) == []


async def play(client: Client, matches: list[str], number: int) -> int:
    """Get `SUBMITS` actions acknowledged; losing a race to another process is no fault."""
    rng, done = random.Random(number), 0
    while done < SUBMITS:
        match_id = rng.choice(matches)
        match = await client.match(match_id)
        seat = match.actor
        action = rng.choice(match.views[seat].legal_actions)
        try:
            request = rules_pb2.SubmitActionRequest(
                match_id=match_id,
                seat=seat,
                request_id=f"{number}-{rng.getrandbits(64)}",
                expected_revision=match.revision,
                action=action,
            )
            await client.call("SubmitAction", request)
            done += 1
        except grpc.aio.AioRpcError as error:
            info = error_info(error)
            if info is None or info.reason != "STALE_REVISION":
                raise
    return done


async def acted(client: Client, match_id: str) -> int:
    """How many actions of a match were anybody's, chance's left out."""
    return sum(event.actor >= 0 for event in await client.events(match_id))


def faults(process: RulesProcess) -> list[str]:
    """What a process has logged above INFO."""
    lines = [json.loads(line) for line in process.log.read_text().splitlines() if line[:1] == "{"]
    assert lines, "nothing was logged at all"
    return [str(line) for line in lines if line["level"] not in ("debug", "info")]


@pytest.mark.field(43)
def test_workers_hold_no_connection_to_a_database() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    imported = json.loads(done.stdout)
    assert "celery" in imported
    assert not set(DRIVERS) & set(imported)
