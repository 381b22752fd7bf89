"""Reviews as the service makes them: part by part on a queue of their own, kept in SQL.

A part is a job of a second or two, so a review of any length stands in nobody's way, survives
whatever dies meanwhile, and tells how far it is. The next part is asked for when the one before has
come in; a part that does not come is asked for again, then made here, then left out. That is soon
where a worker had taken it up, and late where it may still be in the queue.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import grpc
import structlog
from google.protobuf.json_format import ParseDict
from prometheus_client import Counter, Gauge

from oddsocks.ai.v1 import advice_pb2 as pb
from oddsocks.ai.v1 import ai_service_pb2 as public
from oddsocks.ai.v1 import jobs_internal_service_pb2 as jobs
from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb
from services.ai.advice.asking import Asking
from services.ai.advice.hint import agent_of
from services.ai.advice.hints import job_not_found
from services.ai.advice.review import Part
from services.ai.advice.store import AdviceStore, ReviewRow
from services.ai.celery_app import HARD_LIMIT_S
from services.ai.fallback import Children
from services.ai.publish import Publisher
from services.common.auth import Principal, ServiceTokens
from services.common.background import end
from services.common.clock import Clock
from services.common.errors import RefusedError, invalid_field

if TYPE_CHECKING:  # this type is in the stubs' descriptions only
    from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceAsyncStub

_log = structlog.get_logger("reviews")
_under_way = Gauge("oddsocks_reviews_due", "Reviews whose next part is to be asked for")
_parts = Counter("oddsocks_review_parts_total", "Parts of reviews that came in", ["way"])

BEAT_S: Final = 15.0
"""Something is said at least this often, so that nobody takes the stream for dead."""
LOOK_S: Final = 2.0
"""How often a stream looks for what another process was told."""
RETRY_MS: Final = 120_000
"""After this long a part counts as lost; there may be many reviews in the queue before it."""
UNSENT_MS: Final = 5_000
"""The same where the queue was away."""
TAKEN_MS: Final = round((HARD_LIMIT_S + 2) * 1_000)
"""The same from when a worker has taken it up: by then that worker has answered or been killed."""
WORKER_ATTEMPTS: Final = 2
"""After so many it is made here."""
MOST_ATTEMPTS: Final = 4
"""After so many a review is given up: whoever still wants it asks again."""
DUE_AT_ONCE: Final = 50
CHILD_S: Final = 20.0
"""For a part that is made here, with reading the record."""


@dataclass(slots=True)
class Reviews:
    """Makes reviews. `publisher` is None where there is no queue; `search_s` is what the search for
    one review may take, in seconds.
    """

    asking: Asking
    rules: RulesServiceAsyncStub
    tokens: ServiceTokens
    store: AdviceStore
    publisher: Publisher | None
    children: Children
    clock: Clock
    draining: asyncio.Event
    search_s: float
    wake: Callable[[], None] = lambda: None
    """Called when there is something to do: rounds come too rarely to be in time by themselves."""
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _here: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    # --- what people see --------------------------------------------------------------------------

    async def follow(
        self, person: Principal, match_id: str, seat: int
    ) -> AsyncIterator[public.ReviewMatchResponse]:
        """How far the review is, whenever that changes, then the review.

        Ends without it when this process stops. Raises `RefusedError`: as rules does, INVALID_FIELD
        for a seat that the match does not have, UNAVAILABLE for a review that was given up.
        """
        finished = await self.asking.finished(person, match_id)
        if not 0 <= seat < finished.seats:
            raise invalid_field("seat", f"must be 0 to {finished.seats - 1}")
        agent = agent_of(finished.game)
        row: ReviewRow | None = await self.store.ask_for(match_id, seat, self.clock(), agent)
        assert row is not None
        self.wake()
        clock = asyncio.get_running_loop().time
        review_id, told, told_at = row.review_id, -1, 0.0
        while row is not None and not row.finished:
            if self.draining.is_set():
                return
            if row.start != told or clock() - told_at >= BEAT_S:
                progress = public.ReviewProgress(done=row.start, total=row.total)
                yield public.ReviewMatchResponse(progress=progress)
                told, told_at = row.start, clock()
            await self._news()
            row = await self.store.review(review_id)
        if row is None:
            reason = ErrorReason.ERROR_REASON_UNAVAILABLE
            raise RefusedError(reason, "the review could not be made; ask again")
        review = pb.Review.FromString(row.found)
        used = await self.store.hints_used(match_id)
        review.hints_used.extend(used.get(other, 0) for other in range(finished.seats))
        yield public.ReviewMatchResponse(review=review)

    # --- what workers ask -------------------------------------------------------------------------

    async def part(self, review_id: str, start: int) -> jobs.TakeReviewPartResponse:
        """What a part is about; raises `RefusedError` JOB_NOT_FOUND unless it is the next one."""
        row = await self.store.review(review_id)
        if row is None or row.finished or row.start != start:
            raise job_not_found()
        await self.store.taken(row, self.clock() + TAKEN_MS)
        return jobs.TakeReviewPartResponse(
            match_id=row.match_id, seat=row.seat, search_ms=round(self.search_s * 1_000)
        )

    async def finish(self, review_id: str, start: int, part: Part, way: str = "worker") -> None:
        """Take a part; raises `RefusedError` JOB_NOT_FOUND for a late, second or foreign one."""
        if not start < part.next <= part.total:
            raise invalid_field("next", f"must be {start + 1} to {part.total}")
        if not await self.store.add_part(review_id, start, part, self.clock()):
            raise job_not_found()
        _parts.labels(way).inc()
        self.wake()
        await self._tell()

    # --- what is to be done -----------------------------------------------------------------------

    async def round(self) -> None:
        """Ask for all parts that are due. Safe to repeat, and to run in two processes at once."""
        rows = await self.store.due(self.clock(), DUE_AT_ONCE)
        _under_way.set(len(rows))
        for row in rows:
            if row.attempts >= MOST_ATTEMPTS:
                _log.error("review given up", match_id=row.match_id, seat=row.seat, at=row.start)
                await self.store.forget(row)
                await self._tell()
            elif self.publisher is None or row.attempts >= WORKER_ATTEMPTS:
                await self.store.tried(row, self.clock() + RETRY_MS)
                self._start_here(row)
            else:
                # Stored before it is sent: a worker may take it up at once, which says more.
                await self.store.tried(row, self.clock() + RETRY_MS)
                attempt = row.attempts + 1
                if not await self.publisher.send_review(row.review_id, row.start, attempt):
                    await self.store.tried(row, self.clock() + UNSENT_MS)

    async def close(self) -> None:
        """Stop what is being made here; the next process asks again."""
        await end(*self._here.values())

    def _start_here(self, row: ReviewRow) -> None:
        if row.review_id not in self._here:
            task = asyncio.create_task(self._make_here(row))
            self._here[row.review_id] = task
            task.add_done_callback(lambda done: self._let_go(row.review_id, done))

    def _let_go(self, review_id: str, done: asyncio.Task[None]) -> None:
        """Forget a task, but not the one that makes the next part by now."""
        if self._here.get(review_id) is done:
            del self._here[review_id]

    async def _make_here(self, row: ReviewRow) -> None:
        try:
            request = rules_pb.ExportMatchRequest(match_id=row.match_id)
            # The channel adds its token to calls with one answer only.
            token = (("authorization", f"Bearer {self.tokens.current()}"),)
            stream = self.rules.ExportMatch(request, timeout=CHILD_S, metadata=token)
            record = "".join([message.part async for message in stream])
            question = {
                "record": record,
                "seat": row.seat,
                "start": row.start,
                "search_s": self.search_s,
            }
            answer = await self.children.ask({"review": question}, CHILD_S)
            if answer is None:
                return
            found = ParseDict(answer["found"], pb.Review())
            strayed = tuple(answer["strayed"])
            part = Part(answer["next"], answer["total"], found, strayed, answer["quiet"])
            del self._here[row.review_id]  # so that the next part may begin
            await self.finish(row.review_id, row.start, part, way="here")
        except grpc.aio.AioRpcError as error:
            _log.warning("rules did not take part", status=error.code().name)
        except RefusedError as refused:
            _log.info("a part nobody waits for", reason=refused.message)

    async def _news(self) -> None:
        """Wait until some review has changed, but no longer than other processes may go unseen."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S), self._changed:
                await self._changed.wait()

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()
