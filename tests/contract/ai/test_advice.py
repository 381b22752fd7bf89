"""Hints and reviews through the real services, with real workers and a real Redis."""

from __future__ import annotations

import asyncio
import base64
import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from redis.asyncio import Redis

from oddsocks.ai.v1 import ai_service_pb2 as pb
from oddsocks.ai.v1 import jobs_internal_service_pb2 as jobs
from oddsocks.ai.v1.ai_service_pb2_grpc import AiServiceStub
from oddsocks.ai.v1.jobs_internal_service_pb2_grpc import JobsInternalServiceStub
from services.ai.service import running
from services.ai.settings import AiSettings
from services.common import database
from services.common.auth import KeyRing, ServiceTokens, read_secret
from services.common.clock import system_clock
from services.common.server import RunningServer
from tests.contract.ai.processes import Site, worker
from tests.fixtures.absence import move, table
from tests.fixtures.rules import Client, Rules, make_settings, refused, serving


@dataclass
class House:
    """Rules and ai in this process; workers are processes, if a test wants some."""

    directory: Path
    rules: Rules
    ai: RunningServer
    redis_url: str
    public: grpc.aio.Channel
    internal: grpc.aio.Channel

    @property
    def site(self) -> Site:
        """Where workers find them."""
        more = {"ODDSOCKS_AI_ADDRESS": f"127.0.0.1:{self.ai.internal_port}"}
        return Site(self.directory, self.redis_url, self.rules.internal, more)

    def token(self, player: str) -> tuple[tuple[str, str], ...]:
        """What a player sends along."""
        ring = KeyRing.load(self.directory / "keys" / "signing.json")
        now = system_clock()
        token = ring.sign(player, now_ms=now, expires_at_ms=now + 600_000)
        return (("authorization", f"Bearer {token}"),)

    async def hint(self, player: str, match_id: str, seat: int, revision: int) -> Any:
        """Ask for a hint."""
        request = pb.SuggestActionRequest(match_id=match_id, seat=seat, revision=revision)
        stub: Any = AiServiceStub(self.public)
        return await stub.SuggestAction(request, metadata=self.token(player), timeout=30)

    def review(self, player: str, match_id: str, seat: int) -> Any:
        """Ask for a review, and follow it."""
        request = pb.ReviewMatchRequest(match_id=match_id, seat=seat)
        stub: Any = AiServiceStub(self.public)
        return aiter(stub.ReviewMatch(request, metadata=self.token(player), timeout=120))

    async def job(self, method: str, request: Any) -> Any:
        """Call as a worker would."""
        secret = read_secret(self.directory / "keys" / "service.secret")
        token = ServiceTokens("ai", secret, system_clock).current()
        stub: Any = JobsInternalServiceStub(self.internal)
        metadata = (("authorization", f"Bearer {token}"),)
        return await getattr(stub, method)(request, metadata=metadata, timeout=20)


@asynccontextmanager
async def house(directory: Path, redis_url: str, **more: Any) -> AsyncIterator[House]:
    """Both services, with this queue ("" for none)."""
    settings = make_settings(directory / "keys", f"sqlite:///{directory}/rules.db")
    async with AsyncExitStack() as stack:
        rules, _ = await stack.enter_async_context(serving(settings))
        ai = await stack.enter_async_context(
            running(
                AiSettings(
                    database_url=f"sqlite:///{directory}/ai.db",
                    redis_url=redis_url,
                    rules_address=rules.internal,
                    keys_file=directory / "keys" / "verify.json",
                    service_secret_file=directory / "keys" / "service.secret",
                    poll_seconds=600,  # what is done is done because somebody woke it
                    review_seconds=1.0,
                    **more,
                )
            )
        )
        public, internal = [
            await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{port}"))
            for port in (ai.public_port, ai.internal_port)
        ]
        yield House(directory, rules, ai, redis_url, public, internal)


async def turn(rules: Rules, match_id: str) -> tuple[int, int]:
    """Who is to act, and the revision."""
    match = await rules.player("anna").match(match_id)
    return match.actor, match.revision


async def finish(rules: Rules, match_id: str, names: Sequence[str], actions: int) -> int:
    """Play a few actions, then seat 0 resigns; how many it has taken."""
    taken = 0
    for _ in range(actions):
        seat, _ = await turn(rules, match_id)
        taken += seat == 0
        await move(rules.player(names[seat]), match_id)
    await rules.player(names[0]).wish("Resign", match_id, 0, "enough")
    return taken


async def test_a_worker_gives_one_hint_for_each_decision(
    tmp_path: Path, fresh_redis_url: str
) -> None:
    async with (
        house(tmp_path, fresh_redis_url, hint_seconds=25) as here,
        worker(here.site, concurrency=1),
    ):
        match_id, names = await table(here.rules, "anna", "ben", game="sock_monsters")
        seat, revision = await turn(here.rules, match_id)
        name = names[seat]
        first, again = await asyncio.gather(
            here.hint(name, match_id, seat, revision), here.hint(name, match_id, seat, revision)
        )
        assert first == again
        assert first.hints_used == 1
        assert first.hint.reasons
        client: Client = here.rules.player(name)
        legal = (await client.legal(match_id, seat)).actions
        assert first.hint.action in legal
        assert await turn(here.rules, match_id) == (seat, revision)  # a hint is no action
        with refused("STALE_REVISION"):
            await here.hint(name, match_id, seat, revision - 1)
        with refused("NOT_YOUR_SEAT"):
            await here.hint(name, match_id, 1 - seat, revision)
        with refused("NOT_YOUR_TURN"):
            await here.hint(names[1 - seat], match_id, 1 - seat, revision)
        for bad, reason in (
            ((match_id, seat, -1), "INVALID_FIELD"),
            ((match_id, 7, revision), "NOT_YOUR_SEAT"),
            (("x" * 65, seat, revision), "MATCH_NOT_FOUND"),
            (("", seat, revision), "MATCH_NOT_FOUND"),
        ):
            with refused(reason):
                await here.hint(name, *bad)
        await move(client, match_id)
        seat, revision = await turn(here.rules, match_id)
        used = (await here.hint(names[seat], match_id, seat, revision)).hints_used
        assert used == (2 if names[seat] == name else 1)
    assert answered(tmp_path) == 2, "both were found by the worker, and only these"


def answered(directory: Path) -> int:
    """How many jobs the worker says it has answered."""
    return next(directory.glob("worker-*.log")).read_text().count('"answered"')


async def test_a_table_may_have_no_hints(tmp_path: Path) -> None:
    async with house(tmp_path, "") as here:
        match_id, names = await table(here.rules, "anna", "ben", hints=False)
        seat, revision = await turn(here.rules, match_id)
        with refused("TABLE_FORBIDS") as details:
            await here.hint(names[seat], match_id, seat, revision)
        assert details["rule"] == "hints"


async def test_a_late_or_foreign_hint_changes_nothing(tmp_path: Path, fresh_redis_url: str) -> None:
    """No worker is there, so the service finds the hint by itself."""
    async with house(tmp_path, fresh_redis_url) as here:
        match_id, names = await table(here.rules, "anna", "ben", game="socker")
        seat, revision = await turn(here.rules, match_id)
        given = await here.hint(names[seat], match_id, seat, revision)
        late = jobs.FinishHintRequest(hint_id="0" * 32, hint=given.hint)
        with refused("JOB_NOT_FOUND"):
            await here.job("FinishHint", late)
        with refused("INVALID_FIELD"):
            await here.job("FinishHint", jobs.FinishHintRequest(hint_id="0" * 32))
        assert await here.hint(names[seat], match_id, seat, revision) == given


async def test_a_review_comes_in_parts_and_is_kept(tmp_path: Path, fresh_redis_url: str) -> None:
    async with house(tmp_path, fresh_redis_url) as here:
        match_id, names = await table(here.rules, "anna", "ben", game="sock_monsters")
        with refused("MATCH_RUNNING"):
            await anext(here.review(names[0], match_id, 0))
        taken = await finish(here.rules, match_id, names, 30)
        with refused("MATCH_NOT_FOUND"):
            await anext(here.review("somebody else", match_id, 0))
        with refused("INVALID_FIELD"):
            await anext(here.review(names[0], match_id, 2))
        following = here.review(names[1], match_id, 0)
        first = await anext(following)
        assert first.progress.done == 0
        async with worker(here.site, concurrency=1, queues="slow,review"):
            updates = [update async for update in following]
        done = [update.progress.done for update in updates[:-1]]
        assert done == sorted(done)
        review = updates[-1].review
        assert len(review.decisions) == taken
        assert review.curve[-1].expected_permille == [0, 1_000]
        assert [luck.seat for luck in review.luck] == [0, 1]
        assert list(review.hints_used) == [0, 0]
        # No worker is there any more: it was kept, and whoever sees the match gets the same.
        again = [update async for update in here.review(names[0], match_id, 0)]
        assert [update.review for update in again] == [review]


async def test_parts_that_are_late_double_or_foreign_change_nothing(
    tmp_path: Path, fresh_redis_url: str
) -> None:
    async with house(tmp_path, fresh_redis_url) as here:
        match_id, names = await table(here.rules, "anna", "ben", game="socker")
        await finish(here.rules, match_id, names, 4)
        following = here.review(names[0], match_id, 1)
        await anext(following)
        (job,) = await queued_parts(fresh_redis_url)
        review_id, start = job
        wanted = await here.job(
            "TakeReviewPart", jobs.TakeReviewPartRequest(review_id=review_id, start=start)
        )
        assert (wanted.match_id, wanted.seat) == (match_id, 1)

        def part(**changes: Any) -> jobs.FinishReviewPartRequest:
            values: dict[str, Any] = {"review_id": review_id, "start": 0, "next": 1, "total": 3}
            return jobs.FinishReviewPartRequest(**values | {"strayed": [0, 0]} | changes)

        for wrong, reason in (
            (part(next=0), "INVALID_FIELD"),
            (part(next=4), "INVALID_FIELD"),
            (part(start=1, next=2), "JOB_NOT_FOUND"),  # it is not its turn
            (part(review_id="0" * 32), "JOB_NOT_FOUND"),
        ):
            with refused(reason):
                await here.job("FinishReviewPart", wrong)
        await here.job("FinishReviewPart", part())
        with refused("JOB_NOT_FOUND"):
            await here.job("FinishReviewPart", part())  # twice
        assert (await anext(following)).progress.done == 1
        await here.job("FinishReviewPart", part(start=1, next=3))
        assert (await anext(following)).HasField("review")
        with refused("JOB_NOT_FOUND"):
            await here.job(
                "TakeReviewPart", jobs.TakeReviewPartRequest(review_id=review_id, start=3)
            )


async def test_without_a_queue_reviews_are_made_here(tmp_path: Path) -> None:
    async with house(tmp_path, "") as here:
        match_id, names = await table(here.rules, "anna", "ben", game="hide_and_seek")
        taken = await finish(here.rules, match_id, names, 6)
        updates = [update async for update in here.review(names[0], match_id, 0)]
        assert len(updates[-1].review.decisions) == taken


async def test_while_the_database_is_away_advice_is_unavailable_and_then_there_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An app asks again then; of a fault of ours it would not."""
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 50)
    async with house(tmp_path, "") as here:
        match_id, names = await table(here.rules, "anna", "ben", game="hide_and_seek")
        seat, revision = await turn(here.rules, match_id)
        with closing(sqlite3.connect(tmp_path / "ai.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with refused("UNAVAILABLE"):
                await here.hint(names[seat], match_id, seat, revision)
            await finish(here.rules, match_id, names, 2)
            with refused("UNAVAILABLE"):
                await anext(here.review(names[0], match_id, 0))
            other.execute("ROLLBACK")
        updates = [update async for update in here.review(names[0], match_id, 0)]
        assert updates[-1].HasField("review")


async def queued_parts(redis_url: str) -> list[tuple[str, int]]:
    """The parts of reviews that are in the queue, once there is one."""
    async with Redis.from_url(redis_url) as redis, asyncio.timeout(20):
        while not (messages := await redis.lrange("review", 0, -1)):  # noqa: ASYNC110 (in Redis)
            await asyncio.sleep(0.02)
    bodies = [json.loads(base64.b64decode(json.loads(m)["body"])) for m in messages]
    return [(str(review_id), int(start)) for (review_id, start), *_ in bodies]
