"""Who comes first, what is in time, and what stays behind: real workers, a real Redis."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import Counter
from typing import Any

import pytest
from redis.asyncio import Redis

from services.ai.celery_app import QUEUES, REVIEW_QUEUE
from services.ai.plan import HERE_MS, LIVE
from services.ai.publish import Publisher
from tests.contract.ai.jobs import job
from tests.contract.ai.processes import Site, ai_service, children, have_ended, until, worker
from tests.contract.ai.stand_in import StandIn, StandInMatch

ODD = "tests.contract.ai.odd_worker"
REVIEWS = 100
TURNS = 200
OF_THE_QUEUE = {*QUEUES, "unacked", "unacked_index", "unacked_mutex"}
"""Keys that Celery's transport has while a job is on its way."""


@pytest.mark.field(17)
async def test_a_live_turn_overtakes_a_hundred_reviews(stand_in: StandIn, site: Site) -> None:
    match = stand_in.open("m")
    async with (
        worker(site, concurrency=1, queues="live"),
        worker(site, concurrency=1, queues="slow,review"),
        Redis.from_url(site.redis_url) as redis,
    ):
        publisher = Publisher(site.redis_url)
        stand_in.desk.slow_s = 1.0
        for number in range(REVIEWS):
            assert await publisher.send_review(f"review-{number}", 0, attempt=1)
        await until(lambda: bool(stand_in.desk.taken))  # that worker is busy from now on
        assert await publisher.send(job(match))
        publisher.close()
        await stand_in.finished(match, within_s=40)
        left = await redis.llen(REVIEW_QUEUE)
        stand_in.desk.slow_s = 0.0
        assert left > REVIEWS // 2
        await redis.delete(REVIEW_QUEUE)  # nobody needs the rest


@pytest.mark.field(18)
async def test_quick_jobs_start_beside_a_long_one(stand_in: StandIn, site: Site) -> None:
    long, asked = stand_in.open("long", agent="stubborn"), asyncio.Event()

    async def note(match: StandInMatch) -> None:
        asked.set()

    stand_in.before_question = note
    async with worker(site, module=ODD):
        publisher = Publisher(site.redis_url)
        assert await publisher.send(job(long))
        await asyncio.wait_for(asked.wait(), 20)
        for number in range(5):  # each has the one slot that is free, and none waits for the other
            asked.clear()
            quick = stand_in.open(f"quick-{number}")
            assert await publisher.send(job(quick))
            await asyncio.wait_for(asked.wait(), 5)  # meant: 1 s, on a machine that is not busy
            await stand_in.finished(quick, within_s=20)
        publisher.close()
        assert long.applied == []


async def test_two_hundred_turns_at_once_are_all_in_time(stand_in: StandIn, site: Site) -> None:
    """Each may be thought about for 2 s. Who waits longer is thought about less."""
    agent = "sleeper"
    matches = [stand_in.open(f"m{number}", agent=agent) for number in range(TURNS)]
    finished: list[float] = []
    stand_in.after_apply = lambda _: finished.append(time.monotonic())
    async with worker(site, module=ODD, queues="live"), ai_service(site):
        started = time.monotonic()
        for match in matches:
            await stand_in.finished(match, within_s=60)
    assert max(finished) - started < (LIVE.decide_ms + HERE_MS) / 1_000
    assert [len(match.applied) for match in matches] == [1] * TURNS
    origins = Counter(origin for match in matches for *_, origin in match.applied)
    assert set(origins) == {agent, "quick", "legal"}


@pytest.mark.field(19)
@pytest.mark.parametrize("turns", [300, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.timeout(600)
async def test_turns_leave_nothing_behind_in_redis(
    stand_in: StandIn, site: Site, turns: int
) -> None:
    async with Redis.from_url(site.redis_url, decode_responses=True) as redis:

        async def left() -> tuple[set[Any], set[Any]]:
            return {*await redis.keys("*")} - OF_THE_QUEUE, {*await redis.pubsub_channels()}

        async with worker(site), ai_service(site):
            await stand_in.finished(stand_in.open("first"), within_s=40)
            before = await left()
            played = 0
            while played < turns:
                matches = [stand_in.open(f"m{played}-{n}", until=61) for n in range(10)]
                for match in matches:
                    await stand_in.finished(match, within_s=100)
                played += sum(len(match.applied) for match in matches)
            assert await left() == before
            waiting = [await redis.llen(queue) for queue in QUEUES]
            assert sum(waiting) < 20  # jobs asked for twice, which nobody waits for


async def test_processes_make_way_for_others_by_memory(stand_in: StandIn, site: Site) -> None:
    more = {"ODDSOCKS_WORKER_MEMORY_MB": "1"}  # less than any holds: each has one job
    async with worker(Site(site.directory, site.redis_url, site.rules_address, more)) as one:
        first = children(one)
        publisher = Publisher(site.redis_url)
        for number in range(4):
            match = stand_in.open(f"m{number}")
            assert await publisher.send(job(match))
            await stand_in.finished(match, within_s=30)
        publisher.close()
        await until(lambda: have_ended(first))
        assert one.returncode is None
    assert stand_in.questions == 4


@pytest.mark.field(19)
async def test_a_job_nobody_knows_does_nothing(stand_in: StandIn, site: Site) -> None:
    async with worker(site):
        publisher = Publisher(site.redis_url)
        assert await publisher.send_hint(uuid.uuid4().hex)
        assert await publisher.send_review(uuid.uuid4().hex, 0, attempt=1)
        await until(lambda: len(stand_in.desk.taken) == 2)
        match = stand_in.open("m")
        assert await publisher.send(job(match))
        publisher.close()
        await stand_in.finished(match, within_s=30)  # and the worker goes on
    assert stand_in.desk.finished == []
