"""Redis saves time and nothing else: what is published, kept, and survived."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from tests.contract.rules.test_once import first_move
from tests.fixtures.local import fresh_redis_url
from tests.fixtures.rules import Rules, make_settings, serving

__all__ = ["fresh_redis_url"]


@pytest.fixture
async def redis(fresh_redis_url: str) -> AsyncIterator[Redis]:
    """A client of the run's Redis."""
    async with Redis.from_url(fresh_redis_url, decode_responses=True) as client:
        yield client


@pytest.fixture
async def rules(fresh_redis_url: str, tmp_path: Path) -> AsyncIterator[Rules]:
    """The service with Redis, and with room for one position in its memory."""
    settings = make_settings(
        tmp_path / "keys",
        f"sqlite:///{tmp_path}/rules.db",
        redis_url=fresh_redis_url,
        matches_in_memory=1,
    )
    async with serving(settings) as (rules, _):
        yield rules


async def hear(channel: Any) -> tuple[str, str]:
    """The next message: its channel and data."""
    async with asyncio.timeout(10):
        while True:
            message = await channel.get_message(ignore_subscribe_messages=True, timeout=1)
            if message is not None:
                return message["channel"], message["data"]


async def subscribed(redis: Redis, count: int, but: frozenset[str] = frozenset()) -> frozenset[str]:
    """Wait until so many services listen on connections other than `but`; gives those."""
    async with asyncio.timeout(20):
        while True:
            clients = await redis.client_list(_type="pubsub")
            ids = frozenset(client["id"] for client in clients if client["psub"] == "1") - but
            if len(ids) == count:
                return ids
            await asyncio.sleep(0.02)


async def test_each_commit_is_published_and_agents_are_called(rules: Rules, redis: Redis) -> None:
    async with redis.pubsub() as channel:
        await channel.psubscribe("oddsocks:*")
        persons = await rules.new_match("anna", "anna")
        assert await hear(channel) == (f"oddsocks:match:{persons}", "1")
        anna = rules.player("anna")
        seat, revision, text, _ = await first_move(anna, persons)
        await anna.submit(persons, seat, "1", revision, text)
        assert await hear(channel) == (f"oddsocks:match:{persons}", "2")
        agents = await rules.new_match("ai:random", "ai:random")
        assert await hear(channel) == (f"oddsocks:match:{agents}", "1")
        assert await hear(channel) == ("oddsocks:waiting", agents)


async def test_a_match_has_one_key_that_goes_by_itself(rules: Rules, redis: Redis) -> None:
    match_id = await rules.new_match("anna", "anna")
    anna = rules.player("anna")
    async with redis.pubsub() as channel:
        await channel.subscribe(f"oddsocks:match:{match_id}")
        for ply in range(8):
            seat, revision, text, _ = await first_move(anna, match_id)
            await anna.submit(match_id, seat, str(ply), revision, text)
        while (await hear(channel))[1] != "9":
            pass
    assert await redis.keys("*") == [f"oddsocks:state:{match_id}"]
    assert 0 < await redis.ttl(f"oddsocks:state:{match_id}") <= 3_600


@pytest.mark.parametrize("copy", ["garbage", '[1, 1, 0, "socker/1 2 | no"]', "[", None])
async def test_a_bad_copy_is_ignored_and_a_lost_one_replaced(
    rules: Rules, redis: Redis, copy: str | None
) -> None:
    first, other = [await rules.new_match("anna", "anna") for _ in range(2)]
    anna = rules.player("anna")
    for ply in range(4):
        seat, revision, text, _ = await first_move(anna, first)
        await anna.submit(first, seat, str(ply), revision, text)
    before = await anna.match(first)
    await anna.match(other)  # the only position in memory now
    if copy is None:
        await redis.flushall()
    else:
        await redis.set(f"oddsocks:state:{first}", copy)
    assert await anna.match(first) == before


async def test_an_old_copy_is_caught_up_from_sql(rules: Rules, redis: Redis) -> None:
    first, other = [await rules.new_match("anna", "anna") for _ in range(2)]
    anna = rules.player("anna")
    async with redis.pubsub() as channel:
        await channel.subscribe(f"oddsocks:match:{first}")
        seat, revision, text, _ = await first_move(anna, first)
        await anna.submit(first, seat, "0", revision, text)
        while (await hear(channel))[1] != "2":
            pass
        old = await redis.get(f"oddsocks:state:{first}")
        assert old is not None
        for ply in range(3, 6):
            seat, revision, text, _ = await first_move(anna, first)
            await anna.submit(first, seat, str(ply), revision, text)
        while (await hear(channel))[1] != "5":
            pass
    before = await anna.match(first)
    await anna.match(other)
    await redis.set(f"oddsocks:state:{first}", old)
    assert await anna.match(first) == before


async def test_a_copy_from_before_a_backup_was_brought_back_stalls_no_match(
    rules: Rules, redis: Redis
) -> None:
    """It is ahead of the database, which alone is right."""
    first, other = [await rules.new_match("anna", "anna") for _ in range(2)]
    anna = rules.player("anna")
    before = await anna.match(first)
    key = f"oddsocks:state:{first}"
    async with asyncio.timeout(20):
        while (copy := await redis.get(key)) is None:  # noqa: ASYNC110 (it comes from a server)
            await asyncio.sleep(0.02)
    seat, revision, text, _ = await first_move(anna, first)
    await anna.match(other)  # the only position in memory now
    await redis.set(key, json.dumps([revision + 5, *json.loads(copy)[1:]]))
    assert await anna.match(first) == before
    await anna.match(other)
    await redis.set(key, json.dumps([revision + 5, *json.loads(copy)[1:]]))
    await asyncio.wait_for(anna.submit(first, seat, "1", revision, text), 20)
    assert (await anna.match(first)).revision == revision + 1


@pytest.mark.field(13)
async def test_cut_connections_are_made_again(
    fresh_redis_url: str, redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two services wake each other's watchers again after Redis has thrown both out."""
    settings = make_settings(
        tmp_path / "keys", f"sqlite:///{tmp_path}/rules.db", redis_url=fresh_redis_url
    )
    async with serving(settings) as (one, _), serving(settings) as (two, _):
        before = await subscribed(redis, 2)
        match_id = await one.new_match("anna", "anna")
        watching = two.player("anna").watch(match_id, 1)
        assert (await watching.read()).match.revision == 1
        await redis.client_kill_filter(_type="pubsub")
        await redis.client_kill_filter(_type="normal", skipme=True)
        await subscribed(redis, 2, before)
        # From here on nothing but Redis can wake the other service's watcher.
        monkeypatch.setattr("services.rules.wakes.Wakes.look", _look_away)
        anna = one.player("anna")
        async with redis.pubsub() as channel:
            await channel.subscribe(f"oddsocks:match:{match_id}")
            for ply in range(3):
                seat, revision, text, _ = await first_move(anna, match_id)
                await anna.submit(match_id, seat, str(ply), revision, text)
                await hear(channel)
        events = 0
        async with asyncio.timeout(20):
            while events < 3:
                update = await watching.read()
                events += update.WhichOneof("update") == "event"
        watching.cancel()


async def _look_away(*_: object) -> None:
    """In the place of asking SQL."""
