"""How many people watch a match: people, not streams. Those who play in it are counted apart.

Each process writes down who watches through it, says every few seconds that they still do, and
reads how many there are in all: rows of a process that was killed lapse. A person with three
streams, through whatever processes, is one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Final

from services.common.background import in_background
from services.common.clock import Clock
from services.common.errors import RefusedError
from services.rules.store.watchers import Watcher, WatchersSql

BEAT_S: Final = 5.0
LAPSE_MS: Final = 20_000
"""Rows nobody has spoken for so long are of a process that is gone."""


class Watchers:
    """All who watch; `changed` is called with each match whose number is another one now.

    A database that does not answer is no reason to watch less: the number is corrected later.
    """

    def __init__(self, rows: WatchersSql, clock: Clock, changed: Callable[[str], None]) -> None:
        self._rows, self._clock, self._changed = rows, clock, changed
        self._here: Counter[Watcher] = Counter()
        self._counts: dict[str, int] = {}
        self._turns = asyncio.Lock()
        self._ended = False
        self._writing: set[asyncio.Task[None]] = set()

    def count(self, match_id: str) -> int:
        """How many watch, as far as this process has heard."""
        return self._counts.get(match_id, 0)

    def total(self) -> int:
        """How many watch any match, as far as this process has heard; who watches two is two."""
        return sum(self._counts.values())

    @contextlib.asynccontextmanager
    async def watching(self, match_id: str, player_id: str) -> AsyncIterator[None]:
        """One stream of one person, for as long as the block lasts."""
        watcher = (match_id, player_id)
        self._here[watcher] += 1
        try:
            if self._here[watcher] == 1:
                await self._write(watcher)
            yield
        finally:
            self._here[watcher] -= 1
            if self._here[watcher] == 0:
                del self._here[watcher]
                if not self._ended:
                    # Not awaited: who is leaving may be in a hurry, and be cancelled.
                    self._write(watcher)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Count for as long as the block lasts. Who leaves afterwards writes nothing: by then all
        rows of this process are gone, and perhaps the database's connections.
        """
        try:
            async with in_background(self._beat):
                yield
        finally:
            self._ended = True
            if self._writing:
                await asyncio.wait(self._writing)
            with contextlib.suppress(RefusedError):
                await self._rows.beat((), self._clock(), self._clock() - LAPSE_MS)

    def _write(self, watcher: Watcher) -> asyncio.Future[None]:
        task = asyncio.create_task(self._settle(watcher))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return asyncio.shield(task)

    async def _settle(self, watcher: Watcher) -> None:
        """Write down what is so by now. In turns, so that the last one to write is right."""
        match_id, _ = watcher
        async with self._turns:
            with contextlib.suppress(RefusedError):
                await self._rows.put(watcher, self._clock(), here=watcher in self._here)
                self._heard({match_id}, await self._rows.counts(match_id))

    async def _beat(self) -> None:
        while True:
            async with self._turns:
                with contextlib.suppress(RefusedError):
                    now_ms = self._clock()
                    if self._here or self._counts:  # else there is nothing to write
                        await self._rows.beat(tuple(self._here), now_ms, now_ms - LAPSE_MS)
                    counts = await self._rows.counts()
                    self._heard({*self._counts, *counts}, counts)
            await asyncio.sleep(BEAT_S)

    def _heard(self, match_ids: set[str], counts: dict[str, int]) -> None:
        for match_id in match_ids:
            before, now = self.count(match_id), counts.get(match_id, 0)
            if now:
                self._counts[match_id] = now
            else:
                self._counts.pop(match_id, None)
            if now != before:
                self._changed(match_id)
