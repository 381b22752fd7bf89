"""The queue away, frozen, restarted; a search that overruns every limit."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from services.ai.celery_app import HARD_LIMIT_S
from services.ai.plan import Key, Mode, Row
from services.ai.publish import Publisher
from tests.contract.ai.own_redis import own_redis
from tests.contract.ai.processes import Site, ai_service, children, have_ended, until, worker
from tests.contract.ai.stand_in import StandIn, StandInMatch


def job(match: StandInMatch) -> Row:
    assert match.actor is not None
    return Row(Key(match.match_id, match.actor, match.revision), 1, 0, 0)


@pytest.mark.field(13)
async def test_without_a_queue_agents_play_on_and_return_to_it(
    stand_in: StandIn, site: Site
) -> None:
    async with own_redis() as redis:
        site = replace(site, redis_url=redis.url)
        async with ai_service(site), worker(site):
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
        assert await publisher.send(job(match), Mode.AGENT, live=True)
        redis.freeze()
        started = time.monotonic()
        assert not await publisher.send(job(match), Mode.AGENT, live=True)
        assert time.monotonic() - started < 2
        redis.thaw()
        assert await publisher.send(job(match), Mode.AGENT, live=True)
        publisher.close()


@pytest.mark.field(12)
async def test_workers_take_jobs_again_after_each_restart(stand_in: StandIn, site: Site) -> None:
    async with own_redis() as redis:
        site = replace(site, redis_url=redis.url)
        async with worker(site):
            for restart in range(4):
                if restart:
                    await redis.kill()
                    await redis.start()
                publisher = Publisher(redis.url)
                matches = [stand_in.open(f"m{restart}-{number}") for number in range(10)]
                for match in matches:
                    assert await publisher.send(job(match), Mode.AGENT, live=True)
                publisher.close()
                for match in matches:
                    await stand_in.finished(match, within_s=30)


@pytest.mark.field(15)
async def test_a_search_that_overruns_every_limit_is_ended_and_replaced(
    stand_in: StandIn, site: Site
) -> None:
    match = stand_in.open("m", agent="stubborn")
    module = "tests.contract.ai.stubborn_worker"
    async with ai_service(site), worker(site, module=module) as one:
        before = children(one)
        await stand_in.finished(match, within_s=30)
        # Both processes were thinking, one after the other took the job up. Both are ended at
        # their limit, and the worker has new ones.
        await until(lambda: have_ended(before), HARD_LIMIT_S + 5)
        assert one.returncode is None
    assert [origin for *_, origin in match.applied] == ["legal"]
