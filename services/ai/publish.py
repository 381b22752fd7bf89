"""Sending jobs without ever holding up the service that sends them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import structlog
from kombu.exceptions import KombuError, OperationalError
from redis.exceptions import RedisError

from services.ai.celery_app import (
    ACT,
    LIVE_QUEUE,
    REVIEW,
    REVIEW_QUEUE,
    SLOW_QUEUE,
    SUGGEST,
    publisher,
)
from services.ai.plan import Try

_log = structlog.get_logger("publish")

EXPIRES_S: Final = 60.0
"""A job nobody took by then is not worth a look: its seat was asked for again long ago."""
REVIEW_EXPIRES_S: Final = 600.0
"""The same for a part of a review."""


class Publisher:
    """Sends jobs from two threads of its own; the connection's timeouts bound each send."""

    def __init__(self, redis_url: str) -> None:
        self._app = publisher(redis_url)
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="publish")

    async def send(self, one: Try) -> bool:
        """Queue the job of an attempt; False if the queue did not answer, within about a second."""
        assert one.mode is not None
        deadline = one.deadline
        return await self._queue(
            ACT,
            [*one.row.key, one.mode.value, deadline.asked_ms, deadline.until_ms],
            # Fixed, since a send that failed may still arrive: then both are one job.
            ":".join(map(str, (*one.row.key, one.row.attempts))),
            LIVE_QUEUE if one.live else SLOW_QUEUE,
        )

    async def send_hint(self, hint_id: str) -> bool:
        """Queue the search for a hint: a person waits for it. The same about False."""
        return await self._queue(SUGGEST, [hint_id], f"hint:{hint_id}", LIVE_QUEUE)

    async def send_review(self, review_id: str, start: int, attempt: int) -> bool:
        """Queue the part of a review that begins at an event. The same about False."""
        task_id = f"review:{review_id}:{start}:{attempt}"
        return await self._queue(REVIEW, [review_id, start], task_id, REVIEW_QUEUE)

    async def _queue(self, name: str, args: list[object], task_id: str, queue: str) -> bool:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._send, name, args, task_id, queue)

    def _send(self, name: str, args: list[object], task_id: str, queue: str) -> bool:
        try:
            expires_s = REVIEW_EXPIRES_S if queue == REVIEW_QUEUE else EXPIRES_S
            self._app.send_task(name, args=args, task_id=task_id, queue=queue, expires=expires_s)
        except (KombuError, OperationalError, RedisError, OSError) as error:
            _log.warning("queue does not answer", error=type(error).__name__)
            return False
        return True

    def close(self) -> None:
        """Let go of threads and connections."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._app.close()
