"""The queue away, frozen, restarted; a search that overruns every limit."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from functools import partial

import pytest

from services.ai.celery_app import HARD_LIMIT_S
from services.ai.publish import Publisher
from tests.contract.ai.jobs import job
from tests.contract.ai.own_redis import own_redis
from tests.contract.ai.processes import Site, ai_service, children, have_ended, until, worker
from tests.contract.ai.stand_in import StandIn, StandInMatch


@pytest.mark.field(13)
async def test_without_a_queue_agents_play_on_and_return_to_it(
    stand_in: StandIn, site: Site
) -> None:
    async with own_redis() as redis:
        site = replace(site, redis_url=redis.url)
        async with worker(site), ai_service(site):
            redis.freeze()
            during = stand_in.open("during")
            await stand_in.finished(during, within_s=30)
            redis.thaw()
            # Workers are back once an action is theirs again. Some may still be found without them.
            deadline, number = time.monotonic() + 60, 0
            while True:
                number += 1
                after = stand_in.open(f"after-{number}")
                await stand_in.finished(after, within_s=30)
                if after.applied[0][3] == "random":
                    break
                assert time.monotonic() < deadline, "workers did not come back"
    assert [origin for *_, origin in during.applied] == ["quick"]


@pytest.mark.field(13)
async def test_a_frozen_queue_holds_a_sender_up_for_a_moment_only(
    stand_in: StandIn, site: Site
) -> None:
    match = stand_in.open("m")
    async with own_redis() as redis:
        publisher = Publisher(redis.url)
        assert await publisher.send(job(match))
        redis.freeze()
        started = time.monotonic()
        assert not await publisher.send(job(match))
        assert time.monotonic() - started < 2
        redis.thaw()
        assert await publisher.send(job(match))
        publisher.close()


@pytest.mark.field(12)
async def test_workers_take_jobs_again_after_each_restart_under_load(
    stand_in: StandIn, site: Site
) -> None:
    async def slow(_: StandInMatch) -> None:
        await asyncio.sleep(0.2)

    async with own_redis() as redis:
        site = replace(site, redis_url=redis.url)
        async with worker(site):
            for restart in range(4):
                if restart:
                    await redis.kill()
                    await redis.start()
                stand_in.before_question = lambda _: None
                await all_played(stand_in, site, f"after-{restart}")
                # The next restart finds jobs that wait, and some that are being thought about.
                stand_in.before_question = slow
                asked = stand_in.questions
                await send(site, [stand_in.open(f"during-{restart}-{n}") for n in range(8)])
                await until(partial(asked_more, stand_in, asked))


def asked_more(stand_in: StandIn, than: int) -> bool:
    return stand_in.questions > than


async def send(site: Site, matches: list[StandInMatch]) -> None:
    publisher = Publisher(site.redis_url)
    for match in matches:
        assert await publisher.send(job(match))
    publisher.close()


async def all_played(stand_in: StandIn, site: Site, name: str) -> None:
    matches = [stand_in.open(f"{name}-{number}") for number in range(10)]
    await send(site, matches)
    for match in matches:
        await stand_in.finished(match, within_s=30)


@pytest.mark.field(15)
async def test_a_search_that_overruns_every_limit_is_ended_and_replaced(
    stand_in: StandIn, site: Site
) -> None:
    match = stand_in.open("m", agent="stubborn")
    async with worker(site, concurrency=1, module="tests.contract.ai.odd_worker") as one:
        stuck = children(one)
        in_good_time = job(match, later_ms=3_600_000)
        publisher = Publisher(site.redis_url)
        assert await publisher.send(in_good_time)
        publisher.close()
        await until(lambda: stand_in.questions == 1)
        async with ai_service(site):
            await stand_in.finished(match, within_s=40)
        await until(lambda: have_ended(stuck), HARD_LIMIT_S + 5)
        assert one.returncode is None
        # The one that has taken its place works.
        await send(site, [again := stand_in.open("again")])
        await stand_in.finished(again, within_s=30)
    assert [origin for *_, origin in match.applied] == ["legal"]
