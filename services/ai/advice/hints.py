"""Hints as the service gives them: once for each decision, by a worker or else by a child."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import asdict, dataclass, field
from typing import Final

import structlog
from google.protobuf.json_format import ParseDict
from prometheus_client import Counter

from oddsocks.ai.v1 import advice_pb2 as pb
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.ai.advice.asking import Asking, Knowledge
from services.ai.advice.store import AdviceStore
from services.ai.fallback import Children
from services.ai.plan import Key
from services.ai.publish import Publisher
from services.common.auth import Principal
from services.common.background import end
from services.common.errors import RefusedError

_log = structlog.get_logger("hints")
_given = Counter("oddsocks_hints_total", "Hints that were found", ["way"])

CHILD_S: Final = 8.0
"""For starting a process and the search, on a busy machine."""


@dataclass(slots=True)
class _Wanted:
    knowledge: Knowledge
    found: asyncio.Future[pb.Hint]


@dataclass(slots=True)
class Hints:
    """Gives hints. `publisher` is None where there is no queue; `worker_s` is how long a worker may
    take, its wait in the queue included, in seconds.

    What a seat knows stays in this process's memory until its hint is found: a worker asks for it
    by an id that nobody can guess. With several processes of this service a worker may ask the
    wrong one; then the hint comes from a child, a few seconds later.
    """

    asking: Asking
    store: AdviceStore
    publisher: Publisher | None
    children: Children
    worker_s: float
    _wanted: dict[str, _Wanted] = field(default_factory=dict)
    _searches: dict[Key, asyncio.Task[pb.Hint]] = field(default_factory=dict)

    async def give(self, person: Principal, key: Key) -> tuple[pb.Hint, int]:
        """The hint for a person's seat that is to act, and how many the seat has had.

        Raises `RefusedError`, as rules does or UNAVAILABLE.
        """
        knowledge = await self.asking.knowledge(person, key)
        hint = await self.store.hint(key)
        if hint is None:
            await self._search(key, knowledge)
            hint = await self.store.hint(key)  # another process may have been first
            assert hint is not None
        return hint, (await self.store.hints_used(key.match_id))[key.seat]

    def question(self, hint_id: str) -> Knowledge:
        """What a hint is wanted for; raises `RefusedError` JOB_NOT_FOUND."""
        return self._find(hint_id).knowledge

    def finish(self, hint_id: str, hint: pb.Hint) -> None:
        """Take a worker's answer; raises `RefusedError` JOB_NOT_FOUND for a late or second one."""
        self._find(hint_id).found.set_result(hint)

    async def close(self) -> None:
        """Stop all searches."""
        await end(*self._searches.values())

    def _find(self, hint_id: str) -> _Wanted:
        wanted = self._wanted.get(hint_id)
        if wanted is None or wanted.found.done():
            raise job_not_found()
        return wanted

    async def _search(self, key: Key, knowledge: Knowledge) -> None:
        """Find and keep a hint: one search, however many ask, and whether they wait or not."""
        if key not in self._searches:
            task = asyncio.create_task(self._find_and_keep(key, knowledge))
            self._searches[key] = task
            task.add_done_callback(lambda _: self._searches.pop(key, None))
        await asyncio.shield(self._searches[key])

    async def _find_and_keep(self, key: Key, knowledge: Knowledge) -> pb.Hint:
        hint = await self._by_worker(knowledge)
        way = "worker"
        if hint is None:
            hint, way = await self._by_child(knowledge), "here"
        if hint is None:
            _log.error("no hint found", **key._asdict())
            raise RefusedError(ErrorReason.ERROR_REASON_UNAVAILABLE, "no hint was found in time")
        _given.labels(way).inc()
        await self.store.keep_hint(key, hint)
        return hint

    async def _by_worker(self, knowledge: Knowledge) -> pb.Hint | None:
        if self.publisher is None:
            return None
        hint_id = uuid.uuid4().hex
        wanted = _Wanted(knowledge, asyncio.get_running_loop().create_future())
        self._wanted[hint_id] = wanted
        try:
            if not await self.publisher.send_hint(hint_id):
                return None
            async with asyncio.timeout(self.worker_s):
                return await wanted.found
        except TimeoutError:
            return None
        finally:
            del self._wanted[hint_id]

    async def _by_child(self, knowledge: Knowledge) -> pb.Hint | None:
        answer = await self.children.ask({"hint": asdict(knowledge)}, CHILD_S)
        return None if answer is None else ParseDict(answer, pb.Hint())


def job_not_found() -> RefusedError:
    """The refusal of a job that is not there, or not any more."""
    return RefusedError(ErrorReason.ERROR_REASON_JOB_NOT_FOUND, "nobody waits for this")
