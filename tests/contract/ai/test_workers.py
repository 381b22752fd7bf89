"""Real workers, the real serializer, a real Redis: what reaches rules, and how often."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from redis.asyncio import Redis

from oddsocks.play.v1 import play_pb2
from services.ai.celery_app import SLOW_QUEUE
from services.ai.plan import Key
from services.ai.publish import Publisher
from tests.contract.ai.jobs import job, job_for
from tests.contract.ai.processes import Site, ai_service, children, have_ended, until, worker
from tests.contract.ai.stand_in import StandIn, StandInMatch, times, unavailable


@pytest.mark.field(16)
async def test_agents_play_through_the_queue(stand_in: StandIn, site: Site) -> None:
    match = stand_in.open("m", until=30)
    async with worker(site), ai_service(site):
        await stand_in.finished(match, within_s=60)
    revisions = [revision for _, revision, _, _ in match.applied]
    assert revisions == sorted(set(revisions))
    assert {origin for *_, origin in match.applied} == {"random"}  # all by workers


@pytest.mark.field(7)
async def test_an_answer_whose_reply_was_lost_counts_once(stand_in: StandIn, site: Site) -> None:
    stand_in.after_apply = times(1, unavailable)
    match = stand_in.open("m", until=3)
    async with worker(site), ai_service(site):
        await stand_in.finished(match, within_s=30)
    assert [revision for _, revision, _, _ in match.applied] == [1, 2]


@pytest.mark.field(7)
async def test_an_answer_that_never_arrived_is_asked_for_again(
    stand_in: StandIn, site: Site
) -> None:
    stand_in.before_apply = times(1, unavailable)
    match = stand_in.open("m")
    async with worker(site), ai_service(site):
        await stand_in.finished(match, within_s=30)
    assert len(match.applied) == 1
    assert stand_in.submits == 2


@pytest.mark.field(7)
async def test_a_job_ahead_of_its_commit_is_asked_for_again(stand_in: StandIn, site: Site) -> None:
    """The wake-up, and even the job, may come before anybody can see the position."""
    stand_in.hidden = True
    async with worker(site), ai_service(site):
        publisher = Publisher(site.redis_url)
        assert await publisher.send(job_for(Key("m", 0, 1)))
        publisher.close()
        await until(lambda: stand_in.questions == 1)  # it asked, and nobody knew the match
        match = stand_in.open("m")
        await asyncio.sleep(2)  # the commit is that late
        stand_in.hidden = False
        await stand_in.finished(match, within_s=30)
    assert len(match.applied) == 1


@pytest.mark.field(11)
async def test_a_worker_killed_in_mid_think_costs_seconds(stand_in: StandIn, site: Site) -> None:
    thinking, held = asyncio.Event(), asyncio.Event()

    async def hold(match: StandInMatch) -> None:
        if not thinking.is_set():
            thinking.set()
            await held.wait()

    stand_in.before_question = hold
    match = stand_in.open("m")
    async with ai_service(site), worker(site) as first:
        await asyncio.wait_for(thinking.wait(), 20)
        processes = children(first)
        first.kill()
        killed = time.monotonic()
        await until(lambda: have_ended(processes), 5)
        held.set()
        await stand_in.finished(match, within_s=30)
        assert time.monotonic() - killed < 30
        async with worker(site):  # what the dead one held comes back to this one, in vain
            pass
    assert len(match.applied) == 1


async def test_with_no_worker_at_all_the_service_acts(stand_in: StandIn, site: Site) -> None:
    match = stand_in.open("m", agent="socker_search", until=3)
    async with ai_service(site):
        await stand_in.finished(match, within_s=40)
    assert [origin for *_, origin in match.applied] == ["quick", "quick"]


@pytest.mark.field(21)
async def test_calls_from_forked_workers_end(stand_in: StandIn, site: Site) -> None:
    matches = [stand_in.open(f"m{number}") for number in range(50)]
    async with worker(site, concurrency=4) as one:
        publisher = Publisher(site.redis_url)
        for match in matches:
            assert await publisher.send(job(match, later_ms=3_600_000))
        publisher.close()
        for match in matches:
            await stand_in.finished(match, within_s=30)
        assert len(children(one)) >= 4
    # Two calls a job, each from a process that was forked: none was lost, none was repeated.
    assert (stand_in.questions, stand_in.submits) == (50, 50)
    assert {origin for match in matches for *_, origin in match.applied} == {"random"}


@pytest.mark.field(10)
async def test_a_job_delivered_three_times_has_one_effect(stand_in: StandIn, site: Site) -> None:
    match = stand_in.open("m")
    one = job(match)
    async with worker(site):
        publisher = Publisher(site.redis_url)
        for _ in range(3):
            assert await publisher.send(one)
        publisher.close()
        await until(lambda: stand_in.questions == 3)
        await stand_in.finished(match, within_s=20)
    assert len(match.applied) == 1


@pytest.mark.field(14)
async def test_a_job_nobody_waits_for_does_nothing(stand_in: StandIn, site: Site) -> None:
    match = stand_in.open("m")
    publisher = Publisher(site.redis_url)
    assert await publisher.send(job(match))
    publisher.close()
    match.until = 0  # it ends while no worker is there
    async with worker(site):
        await until(lambda: stand_in.questions == 1)
    assert stand_in.submits == 0


@pytest.mark.field(20)
async def test_a_worker_told_to_stop_finishes_its_thought(stand_in: StandIn, site: Site) -> None:
    thinking = asyncio.Event()

    async def slow(match: StandInMatch) -> None:
        thinking.set()
        await asyncio.sleep(1)

    stand_in.before_question = slow
    match = stand_in.open("m")
    async with worker(site) as first:
        publisher = Publisher(site.redis_url)
        assert await publisher.send(job(match))
        publisher.close()
        await asyncio.wait_for(thinking.wait(), 20)
        first.terminate()
        await asyncio.wait_for(first.wait(), 15)
    async with worker(site):
        await stand_in.finished(match, within_s=20)
    assert len(match.applied) == 1


@pytest.mark.field(10)
async def test_a_job_is_for_now(stand_in: StandIn, site: Site) -> None:
    """Nothing waits in the queue for its time: deadlines are rows in SQL."""
    match = stand_in.open("m", pace=play_pb2.PACE_DAYS)
    publisher = Publisher(site.redis_url)
    assert await publisher.send(job(match, live=False))
    publisher.close()
    async with Redis.from_url(site.redis_url) as redis:
        (message,) = await redis.lrange(SLOW_QUEUE, 0, -1)
    assert json.loads(message)["headers"]["eta"] is None
