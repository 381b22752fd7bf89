"""What Prometheus can see of people who look for a table, and of calls that wait."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Final

from prometheus_client import Gauge
from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.clock import Clock
from services.common.errors import RefusedError
from services.common.transactions import reading
from services.matchmaking.finding import ticket_store
from services.matchmaking.push import store as push_store

EVERY_S: Final = 5.0

_tickets = Gauge("oddsocks_open_tickets", "Tickets for quick match that wait")
_due = Gauge("oddsocks_push_due", "Calls to devices that are due and not made yet")
_age = Gauge("oddsocks_push_oldest_seconds", "For how long the first of these has been due")


@dataclass(frozen=True, slots=True)
class Measures:
    """Looks at the database now and then. Each process tells the same."""

    engine: AsyncEngine
    clock: Clock

    async def keep_measuring(self) -> None:
        """Measure for as long as the task lives."""
        while True:
            # A database that is away shows elsewhere.
            with contextlib.suppress(RefusedError):
                await self.measure()
            await asyncio.sleep(EVERY_S)

    async def measure(self) -> None:
        """Measure once."""
        now_ms = self.clock()
        async with reading(self.engine) as db:
            tickets = await ticket_store.count_waiting(db)
            due, since_ms = await push_store.oldest_due(db, now_ms)
        _tickets.set(tickets)
        _due.set(due)
        _age.set(0 if since_ms is None else (now_ms - since_ms) / 1_000)
