"""How long no server was there, so that nobody's time runs meanwhile.

One row holds the last sign of life of any process and all the time lost so far. *Served time* is
the clock less that: it stands still while everybody is away.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import structlog
from sqlalchemy import case, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.clock import Clock
from services.common.errors import RefusedError
from services.rules.store.failures import guarded
from services.rules.store.tables import UPTIME

_log = structlog.get_logger("uptime")

BEAT_S: Final = 2.0
AWAY_MS: Final = 5_000
"""A silence this long counts as being away; a shorter one is a busy machine."""


def since_start() -> float:
    """Seconds that the machine has been there, asleep or not."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


@dataclass(slots=True)
class Uptime:
    """One process's signs of life. `since_start` is a clock in seconds that nobody sets."""

    engine: AsyncEngine
    clock: Clock
    since_start: Callable[[], float] = since_start

    _beaten_at: float | None = None
    _lost_ms: int = 0
    _asking: asyncio.Task[None] | None = None

    @property
    def known_ms(self) -> int:
        """How much time had been lost when this process gave its last sign of life."""
        return self._lost_ms

    async def lost_ms(self) -> int:
        """How much time has been lost so far.

        Asks the database when this process has just started, or stopped for a while, and so can't
        know whether anybody was there. Raises `RefusedError` UNAVAILABLE.
        """
        if not self._was_there():
            # All who ask meanwhile get the same answer, or a busy machine would never catch up.
            if self._asking is None or self._asking.done():
                self._asking = asyncio.create_task(self.beat())
                self._asking.add_done_callback(lambda beat: beat.cancelled() or beat.exception())
            await asyncio.shield(self._asking)
        return self._lost_ms

    async def beat(self) -> None:
        """Give a sign of life, and count as lost what has passed since the last of anybody.

        This process was there itself when its own last sign is fresh by the clock that nobody
        sets: then time has been moved, not lost. Raises `RefusedError` UNAVAILABLE.
        """
        now_ms = self.clock()
        silence = now_ms - UPTIME.c.beat_ms
        change: dict[Any, Any] = {UPTIME.c.beat_ms: now_ms}
        if not self._was_there():
            gone = (UPTIME.c.beat_ms > 0) & (silence >= AWAY_MS)
            change[UPTIME.c.lost_ms] = UPTIME.c.lost_ms + case((gone, silence), else_=0)
        begun = self.since_start()
        async with guarded(), self.engine.begin() as connection:
            await connection.execute(update(UPTIME).values(change))
            lost_ms = (await connection.execute(select(UPTIME.c.lost_ms))).scalar_one()
        if lost_ms > self._lost_ms and self._beaten_at is not None:
            _log.warning("time was lost", milliseconds=lost_ms - self._lost_ms)
        self._beaten_at, self._lost_ms = begun, lost_ms

    async def keep_beating(self) -> None:
        """Give signs of life as long as the task lives."""
        while True:
            # A database that is away is time lost, counted when it is back.
            with contextlib.suppress(RefusedError):
                await self.beat()
            await asyncio.sleep(BEAT_S)

    def _was_there(self) -> bool:
        return self._beaten_at is not None and (
            (self.since_start() - self._beaten_at) * 1_000 < AWAY_MS
        )
