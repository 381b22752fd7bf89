"""What a turn of an agent costs beside the search, held against a task of Celery that does nothing.

From sending the job to the action having arrived: queue, worker process, two calls; less what the
worker needs to get from what its seat knows to the action. The reference is sent to the same worker
through the same Redis, and is over when its sender knows that it is. Both are sent as a server has
to: from a thread, while its loop goes on.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from services.ai.celery_app import LIVE_QUEUE, publisher
from services.ai.publish import Publisher
from tests.bench.empty_worker import EMPTY
from tests.contract.ai.jobs import job
from tests.contract.ai.processes import worker
from tests.contract.ai.site import open_site
from tests.contract.ai.stand_in import StandIn, StandInMatch
from tests.fixtures.local import run_redis
from tools.reports import Report

ROUNDS = 300
WARM_UP = 20
MOST = 1.25


def measure(report: Report) -> None:
    """Add `(turn - search) / empty task` (bounded), and both in milliseconds."""
    with tempfile.TemporaryDirectory() as folder, run_redis() as redis_url:
        turns, empties = asyncio.run(_rounds(Path(folder), redis_url))
    beside, empty = statistics.median(turns), statistics.median(empties)
    report.at_most("round_trip.turn less search / empty task", round(beside / empty, 2), MOST)
    report.measured("round_trip.turn_less_search_ms", round(beside * 1_000, 2), "ms")
    report.measured("round_trip.empty_task_ms", round(empty * 1_000, 2), "ms")


async def _rounds(folder: Path, redis_url: str) -> tuple[list[float], list[float]]:
    """Seconds of each, in turn."""
    stand_in: StandIn = StandIn()  # type: ignore[abstract]  # the rest is UNIMPLEMENTED
    arrived: asyncio.Event = asyncio.Event()

    def note(_: StandInMatch) -> None:
        arrived.set()

    stand_in.after_apply = note
    turns, empties = [], []
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(open_site(stand_in, folder, redis_url))
        await stack.enter_async_context(
            worker(site, concurrency=1, queues=LIVE_QUEUE, module="tests.bench.empty_worker")
        )
        stand_in.wake = lambda: None  # nobody is told of the next turn: none is wanted
        jobs = Publisher(redis_url)
        stack.callback(jobs.close)
        app = publisher(redis_url)
        app.conf.update(result_backend=redis_url)
        for number in range(WARM_UP + ROUNDS):
            arrived.clear()
            match = stand_in.open(f"m{number}")
            one = job(match)
            start = time.perf_counter()
            assert await jobs.send(one)
            await arrived.wait()
            turn = time.perf_counter() - start - float(match.applied[0][3])
            start = time.perf_counter()
            await asyncio.to_thread(_empty, app)
            empty = time.perf_counter() - start
            if number >= WARM_UP:
                turns.append(turn)
                empties.append(empty)
    return turns, empties


def _empty(app: Any) -> None:
    app.send_task(EMPTY, queue=LIVE_QUEUE, ignore_result=False).get(timeout=20)
