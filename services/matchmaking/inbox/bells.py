"""Waking those who watch their inbox. What is new they read from SQL; a bell only says when.

    oddsocks:inbox:PLAYER    channel: something came in for the player
    oddsocks:match:MATCH     channel of rules: the match has got to the revision in the message

All of it may be lost: inboxes are compared with SQL every few seconds as well.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final

from services.common.background import in_background
from services.common.listener import REDIS_FAILURES, RETRY_S, TIMEOUT_S, Listener, redis_at

_INBOX: Final = "oddsocks:inbox:"
_MATCH: Final = "oddsocks:match:"
_MOST_PENDING: Final = 10_000


class Bell:
    """One watcher's. Collects what is worth looking at until it is waited for."""

    def __init__(self, player_id: str) -> None:
        self.player_id = player_id
        self.version = 0
        self.matches: dict[str, int] = {}
        """Matches the watcher cares about, with the revisions it knows."""
        self._inbox = False
        self._moved: set[str] = set()
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Something came in."""
        self._inbox = True
        self._rung.set()

    def moved(self, match_id: str) -> None:
        """A match of the player moved on."""
        self._moved.add(match_id)
        self._rung.set()

    async def wait(self, timeout_s: float) -> bool:
        """Wait until it has been rung since the last `take`; False after `timeout_s`."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._rung.wait()
        except TimeoutError:
            return False
        return True

    def take(self) -> tuple[bool, set[str]]:
        """Whether something came in, and which matches moved on, since this was asked last."""
        taken = (self._inbox, self._moved)
        self._inbox, self._moved = False, set()
        self._rung.clear()
        return taken


class Bells:
    """All bells of the process, by player; with Redis those of other processes ring too."""

    def __init__(self, redis_url: str = "") -> None:
        self._redis_url = redis_url
        self._bells: dict[str, set[Bell]] = {}
        self._pending: dict[str, None] = {}
        self._news = asyncio.Event()
        self._listener: Listener | None = None

    @contextlib.contextmanager
    def listen(self, player_id: str) -> Iterator[Bell]:
        """A bell for one watcher, for as long as the block lasts."""
        bell = Bell(player_id)
        self._bells.setdefault(player_id, set()).add(bell)
        try:
            yield bell
        finally:
            self._bells[player_id].discard(bell)
            if not self._bells[player_id]:
                del self._bells[player_id]

    def all(self) -> list[Bell]:
        """Every bell."""
        return [bell for bells in self._bells.values() for bell in bells]

    def ring(self, player_ids: Iterable[str]) -> None:
        """Something came in for players, and has been committed. Returns at once."""
        for player_id in player_ids:
            self._ring_here(player_id)
            if self._redis_url and len(self._pending) < _MOST_PENDING:
                self._pending[player_id] = None
                self._news.set()

    def ring_all(self) -> None:
        """Wake everybody, to look at something else."""
        for bell in self.all():
            bell.ring()

    def online(self) -> bool:
        """Whether news of other processes comes in."""
        return self._listener is not None and self._listener.online()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send and receive for as long as the block lasts."""
        if not self._redis_url:
            yield
            return
        redis = redis_at(self._redis_url)
        self._listener = Listener(redis, (f"{_INBOX}*", f"{_MATCH}*"), self._heard)
        try:
            async with in_background(self._publish, self._listener.run):
                yield
        finally:
            await redis.aclose()

    def _ring_here(self, player_id: str) -> None:
        for bell in self._bells.get(player_id, ()):
            bell.ring()

    def _heard(self, channel: str, _text: str) -> None:
        if channel.startswith(_INBOX):
            self._ring_here(channel.removeprefix(_INBOX))
            return
        match_id = channel.removeprefix(_MATCH)
        for bell in self.all():
            if match_id in bell.matches:
                bell.moved(match_id)

    async def _publish(self) -> None:
        redis = redis_at(self._redis_url)
        async with redis:
            while True:
                await self._news.wait()
                self._news.clear()
                while self._pending:
                    player_id = next(iter(self._pending))
                    del self._pending[player_id]
                    try:
                        async with asyncio.timeout(TIMEOUT_S):
                            await redis.publish(f"{_INBOX}{player_id}", "")
                    except REDIS_FAILURES:
                        self._pending.setdefault(player_id)
                        await asyncio.sleep(RETRY_S)
