"""Sending jobs without ever holding up the service that sends them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import structlog
from kombu.exceptions import KombuError, OperationalError
from redis.exceptions import RedisError

from services.ai.celery_app import ACT, LIVE_QUEUE, SLOW_QUEUE, publisher
from services.ai.plan import Mode, Row

_log = structlog.get_logger("publish")

EXPIRES_S: Final = 60.0
"""A job nobody took by then is not worth a look: its seat was asked for again long ago."""


class Publisher:
    """Sends jobs from two threads of its own; the connection's timeouts bound each send."""

    def __init__(self, redis_url: str) -> None:
        self._app = publisher(redis_url)
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="publish")

    async def send(self, row: Row, mode: Mode, *, live: bool) -> bool:
        """Queue a job; False if the queue did not answer, within about a second."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._send, row, mode, live)

    def _send(self, row: Row, mode: Mode, live: bool) -> bool:
        match_id, seat, revision = row.key
        try:
            self._app.send_task(
                ACT,
                args=[match_id, seat, revision, mode.value],
                # Fixed, since a send that failed may still arrive: then both are one job.
                task_id=f"{match_id}:{seat}:{revision}:{row.attempts}",
                queue=LIVE_QUEUE if live else SLOW_QUEUE,
                expires=EXPIRES_S,
            )
        except (KombuError, OperationalError, RedisError, OSError) as error:
            _log.warning("queue does not answer", error=type(error).__name__)
            return False
        return True

    def close(self) -> None:
        """Let go of threads and connections."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._app.close()
