"""Waking those who watch a match when it moves on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from services.common.errors import RefusedError
from services.rules.store import Head

POLL_AWAY_S: Final = 1.0
"""How often SQL is asked for news of watched matches while Redis is away."""

POLL_S: Final = 5.0
"""How often otherwise, for notices that got lost on the way."""

_PAGE: Final = 500


class Heads(Protocol):
    """Where news is read from: `MatchStore.heads`."""

    async def __call__(self, match_ids: Sequence[str]) -> Mapping[str, Head]: ...


class Bell:
    """One watcher's: rings when its match has got to a revision."""

    def __init__(self) -> None:
        self.revision = 0
        self._rung = asyncio.Event()

    def ring(self, revision: int) -> None:
        """Wake the watcher."""
        self.revision = max(self.revision, revision)
        self._rung.set()

    async def wait(self, timeout_s: float) -> bool:
        """Wait until it has been rung since the last wait; False after `timeout_s`."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._rung.wait()
        except TimeoutError:
            return False
        self._rung.clear()
        return True


class Wakes:
    """All bells of the process, by match."""

    def __init__(self) -> None:
        self._bells: dict[str, set[Bell]] = {}

    @contextlib.contextmanager
    def listen(self, match_id: str) -> Iterator[Bell]:
        """A bell for one watcher, for as long as the block lasts."""
        bell = Bell()
        self._bells.setdefault(match_id, set()).add(bell)
        try:
            yield bell
        finally:
            self._bells[match_id].discard(bell)
            if not self._bells[match_id]:
                del self._bells[match_id]

    def announce(self, match_id: str, revision: int) -> None:
        """The match has got to this revision."""
        for bell in self._bells.get(match_id, ()):
            bell.ring(revision)

    def ring(self, match_id: str) -> None:
        """Wake a match's watchers, to look at something else than its revision."""
        self.announce(match_id, 0)

    def ring_all(self) -> None:
        """Wake everybody, to look at something else than a revision."""
        for bells in self._bells.values():
            for bell in bells:
                bell.ring(0)

    def watchers(self) -> int:
        """How many watch."""
        return sum(map(len, self._bells.values()))

    async def poll(self, heads: Heads, online: Callable[[], bool]) -> None:
        """Ask SQL now and then, as long as the task lives."""
        while True:
            await asyncio.sleep(POLL_S if online() else POLL_AWAY_S)
            # A database that is away is asked again; its watchers have their heartbeats.
            with contextlib.suppress(RefusedError):
                await self.look(heads)

    async def look(self, heads: Heads) -> None:
        """Ask SQL once about all watched matches."""
        watched = list(self._bells)
        for start in range(0, len(watched), _PAGE):
            for head in (await heads(watched[start : start + _PAGE])).values():
                for bell in self._bells.get(head.match_id, ()):
                    if head.revision > bell.revision:
                        bell.ring(head.revision)
