"""The sweep over waiting seats: ask rules who waits, store what will be tried, then try it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import grpc
import structlog
from prometheus_client import Counter

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal
from services.ai import answers
from services.ai.fallback import Children
from services.ai.metrics import note_waiting
from services.ai.plan import Key, Plan, Try, Waiting, make_plan
from services.ai.publish import Publisher
from services.ai.store import Dispatches
from services.common.background import end
from services.common.clock import Clock

if TYPE_CHECKING:  # these two types are in the stubs' descriptions only
    from oddsocks.rules.v1.rules_internal_service_pb2_grpc import RulesInternalServiceAsyncStub
    from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceAsyncStub

_log = structlog.get_logger("dispatcher")
_tries = Counter("oddsocks_ai_tries_total", "Attempts to get an action", ["way"])

PAGE_SIZE: Final = 500
HERE_AT_ONCE: Final = 2
"""Child processes at a time."""

_Seat: TypeAlias = internal.WaitingSeat


@dataclass(slots=True)
class Dispatcher:
    """Gets every waiting seat its action. `publisher` is None where there is no queue."""

    internal: RulesInternalServiceAsyncStub
    rules: RulesServiceAsyncStub
    dispatches: Dispatches
    publisher: Publisher | None
    clock: Clock
    children: Children = field(default_factory=lambda: Children(HERE_AT_ONCE))
    wake: Callable[[], None] = lambda: None
    """Called when the next try is due: rounds come too rarely to be in time by themselves."""
    _alarm: asyncio.TimerHandle | None = None
    _here: dict[Key, asyncio.Task[None]] = field(default_factory=dict)
    _answered_here: set[Key] = field(default_factory=set)
    _workers_silent: bool = False

    async def round(self) -> None:
        """One round. Safe to repeat, and to run in two processes at once: a seat then gets two
        answers, of which the first counts."""
        seats = [seat async for seat in self._waiting()]
        note_waiting((seat.waiting_since_ms for seat in seats), self.clock())
        waiting = [
            Waiting(Key(s.match_id, s.seat, s.revision), s.pace != play_pb2.PACE_DAYS)
            for s in seats
        ]
        rows = await self.dispatches.all()
        plan = make_plan(
            waiting,
            rows,
            self.clock(),
            workers_silent=self._workers_silent,
            queue=self.publisher is not None,
        )
        self._listen_for_workers(plan)
        await self.dispatches.change(plan.put, plan.drop)
        await self._try_all(plan.tries)
        self._set_alarm(plan)

    async def close(self) -> None:
        """Stop what is being found here; the next process asks again."""
        if self._alarm is not None:
            self._alarm.cancel()
        await end(*self._here.values())
        await self.children.close()

    async def _waiting(self) -> AsyncIterator[_Seat]:
        request = internal.ListWaitingSeatsRequest(page_size=PAGE_SIZE)
        while True:
            page = await self.internal.ListWaitingSeats(request)
            for seat in page.seats:
                yield seat
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def _set_alarm(self, plan: Plan) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if plan.next_try_ms is not None:
            pause_s = max(0, plan.next_try_ms - self.clock()) / 1000
            self._alarm = asyncio.get_running_loop().call_later(pause_s, self.wake)

    def _listen_for_workers(self, plan: Plan) -> None:
        """A seat that waits no longer and was not answered here was answered by a worker."""
        answered = {row.key for row in plan.drop}
        if answered - self._answered_here:
            self._workers_silent = False
        self._answered_here -= answered

    async def _try_all(self, tries: list[Try]) -> None:
        # First what needs no queue: it must not wait for one that is away.
        for one in tries:
            if one.mode is None:
                self._start_here(one.row.key)
        for one in tries:
            if one.mode is None:
                continue
            assert self.publisher is not None
            if not await self.publisher.send(one):
                # Each send to a queue that is away costs a second. The rows are stored, so the
                # rest is tried when their time comes.
                _tries.labels("unsent").inc()
                return
            _tries.labels(one.mode.value).inc()

    def _start_here(self, key: Key) -> None:
        if key not in self._here:
            self._here[key] = asyncio.create_task(self._answer_here(key))
            self._here[key].add_done_callback(lambda _: self._here.pop(key, None))

    async def _answer_here(self, key: Key) -> None:
        log = _log.bind(**key._asdict())
        try:
            response = await self.internal.GetInformationState(answers.question_request(key))
            question = answers.question(response)
            answer = await self.children.answer(question)
            if answer is None:
                log.error("no action found")
                return
            await self.rules.SubmitAction(answers.answer_request(key, question, answer))
            self._workers_silent = True
            self._answered_here.add(key)
            _tries.labels("here").inc()
            log.warning("no worker answered; acted here", origin=answer.origin)
        except grpc.aio.AioRpcError as error:
            if error.code() not in answers.MOVED_ON:
                log.warning("rules did not take part", status=error.code().name)
