"""The service as a process: starting with faults, draining, and being killed."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as GoneError

from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message
from tests.fixtures.local import run_redis
from tests.fixtures.rules import Client
from tests.fixtures.rules_process import RulesProcess, environment, rules_process, run_to_exit

SOCKER = ruleset("socker")


async def next_move(client: Client, match_id: str) -> tuple[int, int, str]:
    """Of a match on one device: who acts, at which revision, and something they may do."""
    match = await client.match(match_id)
    legal = await client.legal(match_id, match.actor)
    text = SOCKER.format_action(action_from_message(SOCKER, legal.actions[0]))
    return match.actor, match.revision, text


def hold_write_lock(database: Path) -> sqlite3.Connection:
    """Keep everybody else from writing until the connection commits."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return connection


@pytest.mark.field(26)
async def test_a_drain_ends_streams_and_finishes_what_is_in_flight(tmp_path: Path) -> None:
    database = tmp_path / "rules.db"
    async with rules_process(tmp_path, f"sqlite:///{database}") as running:
        rules = running.rules
        match_id = await rules.new_match("anna", "anna")
        other = await rules.new_match("anna", "anna")
        anna = rules.player("anna")
        seat, revision, text = await next_move(anna, match_id)
        streams = [anna.watch(other, 1) for _ in range(50)]
        for stream in streams:
            assert (await stream.read()).WhichOneof("update") == "match"
        lock = hold_write_lock(database)
        submitting = asyncio.create_task(anna.submit(match_id, seat, "1", revision, text))
        # The request is in flight once a later one on the same connection has been answered.
        await anna.match(match_id)
        started = time.monotonic()
        running.process.terminate()
        for stream in streams:
            assert await stream.read() is grpc.aio.EOF
            assert await stream.code() is grpc.StatusCode.OK
        assert not submitting.done()
        lock.execute("COMMIT")
        reply = await submitting
        assert reply.revision == revision + 1
        assert await asyncio.wait_for(running.process.wait(), 10) == 0
        assert time.monotonic() - started < 10
    assert "Traceback" not in running.log.read_text()
    async with rules_process(tmp_path, f"sqlite:///{database}") as again:
        assert (await again.rules.player("anna").match(match_id)).revision == revision + 1


async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rules.db"
    async with rules_process(tmp_path, url) as running:
        rules = running.rules
        matches = [await rules.new_match("anna", "anna") for _ in range(12)]
        acknowledged = dict.fromkeys(matches, 1)
        asked: dict[str, tuple[int, int, str]] = {}
        enough = asyncio.Event()

        async def play(match_id: str) -> None:
            anna = rules.player("anna")
            while True:
                asked[match_id] = seat, revision, text = await next_move(anna, match_id)
                reply = await anna.submit(match_id, seat, str(revision), revision, text)
                acknowledged[match_id] = reply.revision
                if sum(acknowledged.values()) > 150:
                    enough.set()

        playing = [asyncio.create_task(play(match_id)) for match_id in matches]
        await asyncio.wait_for(enough.wait(), 60)
        running.process.kill()
        results = await asyncio.gather(*playing, return_exceptions=True)
        assert all(isinstance(result, grpc.aio.AioRpcError) for result in results), results
    async with rules_process(tmp_path, url) as again:
        anna = again.rules.player("anna")
        for match_id in matches:
            events = await anna.events(match_id)
            kept = (await anna.match(match_id)).revision
            assert kept >= acknowledged[match_id]
            assert [event.revision for event in events] == list(range(kept))
            # The request in flight happened or did not; asking again tells, and plays it once.
            seat, revision, text = asked[match_id]
            reply = await anna.submit(match_id, seat, str(revision), revision, text)
            assert (reply.applied_revision, reply.revision) == (revision, revision + 1)
            assert (await anna.match(match_id)).revision == revision + 1


@pytest.mark.field(13)
async def test_without_redis_a_submit_is_answered_at_once_and_durable(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rules.db"
    with run_redis() as redis_url:
        async with rules_process(tmp_path, url, ODDSOCKS_REDIS_URL=redis_url) as running:
            match_id, watched = await _start(running)
            await _stop_redis(redis_url)
            await _play_watched(running, match_id, watched, bound_s=2.0)
            watched.cancel()


@pytest.mark.field(13)
async def test_a_redis_that_hangs_holds_nobody_up(tmp_path: Path) -> None:
    """A server that accepts and never answers is worse than none."""
    url = f"sqlite:///{tmp_path}/rules.db"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        redis_url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        # Nothing in memory, so that every call would ask the cache for its position.
        extra = {"ODDSOCKS_REDIS_URL": redis_url, "ODDSOCKS_MATCHES_IN_MEMORY": "1"}
        async with rules_process(tmp_path, url, clock=None, **extra) as running:
            match_id, watched = await _start(running)
            await _play_watched(running, match_id, watched, bound_s=2.0)
            watched.cancel()
            waiting = await running.rules.service("ai").call(
                "ListWaitingSeats", internal_pb2.ListWaitingSeatsRequest()
            )
            assert len(waiting.seats) == 1, "found by asking, without being woken"


async def _start(running: RulesProcess) -> tuple[str, Any]:
    rules = running.rules
    await rules.new_match("ai:random", "ai:random")
    match_id = await rules.new_match("anna", "anna")
    watched = rules.player("anna").watch(match_id, 1)
    assert (await watched.read()).match.revision == 1
    return match_id, watched


async def _play_watched(running: RulesProcess, match_id: str, watched: Any, bound_s: float) -> None:
    anna = running.rules.player("anna")
    for _ in range(5):
        seat, revision, text = await next_move(anna, match_id)
        started = time.monotonic()
        reply = await anna.submit(match_id, seat, str(revision), revision, text)
        assert time.monotonic() - started < bound_s
        assert reply.revision == revision + 1
        assert (await watched.read()).event.revision == revision
        assert (await watched.read()).match.revision == revision + 1


async def _stop_redis(url: str) -> None:
    async with Redis.from_url(url) as client:
        await client.shutdown(nosave=True, now=True, force=True)
        with pytest.raises(GoneError):
            await client.ping()


async def test_what_keeps_the_service_from_starting_is_one_line(tmp_path: Path) -> None:
    """Each named with what to do, exit status 1, and nothing of it changed."""
    url = f"sqlite:///{tmp_path}/rules.db"
    newer, locked = tmp_path / "newer.db", tmp_path / "locked.db"
    _stamp(newer, "rules_9999")
    before = _dump(newer)
    lock = hold_write_lock(locked)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        cases: list[tuple[dict[str, str], tuple[str, ...]]] = [
            ({"ODDSOCKS_DATABASE_URL": f"sqlite:///{newer}"}, ("rules_9999", "newer", "update")),
            ({"ODDSOCKS_DATABASE_URL": f"sqlite:///{locked}"}, ("locked",)),
            ({"ODDSOCKS_LISTEN": address}, (address, "taken")),
            ({"ODDSOCKS_KEYS_FILE": str(tmp_path)}, (str(tmp_path), "ODDSOCKS_KEYS_FILE")),
        ]
        ends = await asyncio.gather(
            *(run_to_exit(environment(tmp_path, url) | changes) for changes, _ in cases)
        )
    lock.close()
    for (_, told), (status, errors) in zip(cases, ends, strict=True):
        assert status == 1, errors
        assert errors.startswith("rules: "), errors
        assert errors.count("\n") == 1, errors
        for part in told:
            assert part in errors
    assert _dump(newer) == before


def _stamp(database: Path, version: str) -> None:
    """A database whose migrations have got to `version`."""
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE alembic_version (version_num TEXT PRIMARY KEY)")
    connection.execute("INSERT INTO alembic_version VALUES (?)", (version,))
    connection.commit()
    connection.close()


def _dump(database: Path) -> list[str]:
    """All that is in a database."""
    connection = sqlite3.connect(database)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()
