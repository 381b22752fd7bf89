"""Leases in SQL: of several processes of a service, one at a time does the recurring work.

A lease makes work rare, not exclusive: a holder that stalls past its term may still be busy when
the next one begins, and clocks of two machines differ. So the work under it must be idempotent.

Ends of leases are times of the clock, which may be set back. No lease ends later than a term from
now, so one that seems to was taken before that: it counts for nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

import grpc
import structlog
from sqlalchemy import BigInteger, Column, MetaData, String, Table, delete, or_
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.background import end
from services.common.clock import Clock
from services.common.errors import RefusedError

_log = structlog.get_logger("lease")

TERM_MS: Final = 10_000
"""How long a lease lasts unless it is renewed: how long work rests after its holder was killed."""
STOP_S: Final = 5.0
"""How long a round under way may take to end when its process stops."""


def lease_table(metadata: MetaData) -> Table:
    """The table of leases; each service makes it in its own migration history."""
    return Table(
        "leases",
        metadata,
        Column("name", String(64), primary_key=True),
        Column("holder", String(64), nullable=False),
        Column("until_ms", BigInteger, nullable=False),
    )


@dataclass(slots=True)
class Lease:
    """The wish of this process to be the one that does `name`. `term_ms` is in milliseconds."""

    engine: AsyncEngine
    table: Table
    name: str
    clock: Clock
    term_ms: int = TERM_MS
    holder: str = field(default_factory=lambda: secrets.token_hex(8))

    async def take(self) -> bool:
        """Take or renew the lease; False while somebody else holds it. Database errors rise."""
        now = self.clock()
        # Insert and the conditional update are one statement, so two processes can't both win.
        build = postgresql.insert if self.engine.dialect.name == "postgresql" else sqlite.insert
        columns = self.table.c
        values = {"holder": self.holder, "until_ms": now + self.term_ms}
        statement = (
            build(self.table)
            .values(name=self.name, **values)
            .on_conflict_do_update(
                index_elements=[columns.name],
                set_=values,
                where=or_(
                    columns.holder == self.holder,
                    columns.until_ms <= now,
                    columns.until_ms > now + self.term_ms,
                ),
            )
        )
        async with self.engine.begin() as connection:
            return (await connection.execute(statement)).rowcount == 1

    async def release(self) -> None:
        """Give the lease back, if held, so that the next process need not wait for its end."""
        mine = (self.table.c.name == self.name) & (self.table.c.holder == self.holder)
        async with self.engine.begin() as connection:
            await connection.execute(delete(self.table).where(mine))


@dataclass(slots=True)
class Sweep:
    """Recurring work under a lease, for as long as the `async with` block lasts.

    Every `every_s` seconds, or at once after `wake()`, it takes the lease and runs `work` if it
    got it. An error of the work is logged and the next round tries again: one bad row or an
    absent neighbour must not end the sweep. A round should end within the lease's term. Where
    `wanted` says that there is nothing to do, no lease is taken: that is a write each time.
    """

    lease: Lease
    every_s: float
    work: Callable[[], Awaitable[None]]
    wanted: Callable[[], Awaitable[bool]] | None = None
    _awake: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None
    _stopping: bool = False

    def wake(self) -> None:
        """Start the next round now."""
        self._awake.set()

    async def round(self) -> bool:
        """One round; False when another process holds the lease. Errors rise."""
        if not await self.lease.take():
            return False
        await self.work()
        return True

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name=f"sweep {self.lease.name}")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._task is not None
        self._stopping = True
        self.wake()
        # A round under way ends by itself, so that no transaction is cut in half.
        _, late = await asyncio.wait({self._task}, timeout=STOP_S)
        await end(*late)
        try:
            await self.lease.release()
        except Exception as problem:
            _log.warning("lease not released", lease=self.lease.name, exc_info=problem)

    async def _run(self) -> None:
        failing = False
        while not self._stopping:
            self._awake.clear()
            try:
                if self.wanted is None or await self.wanted():
                    await self.round()
            except Exception as error:
                if not failing:  # not again every few seconds: once, until it works again
                    _note(self.lease.name, error)
                failing = True
            else:
                if failing:
                    _log.info("sweep works again", lease=self.lease.name)
                failing = False
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._awake.wait(), self.every_s)


def _note(lease: str, error: Exception) -> None:
    if isinstance(error, grpc.aio.AioRpcError):
        problem = f"{error.code().name}: {error.details()}"
    elif isinstance(error, RefusedError | OSError):
        problem = str(error)
    else:
        _log.error("sweep failed, will try again", lease=lease, exc_info=error)
        return
    # Somebody is away: that needs no traceback.
    _log.warning("sweep will try again", lease=lease, problem=problem)
