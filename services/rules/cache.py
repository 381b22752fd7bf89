"""Redis: copies of positions, and notices to other processes. Losing it loses speed, never a move.

    oddsocks:state:MATCH     a recent position, as JSON; one key a match, gone after an hour
    oddsocks:match:MATCH     channel: the match has got to the revision in the message
    oddsocks:waiting         channel: an agent's seat of the match in the message is to act

Nothing a request waits for takes longer than TIMEOUT_S because of Redis: notices are sent by a
task of their own, and after a failure nobody asks Redis for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Final

import structlog

from services.common.background import in_background
from services.common.listener import REDIS_FAILURES, RETRY_S, TIMEOUT_S, Listener, redis_at
from services.rules.life import dump_life, load_life
from services.rules.match import MatchInfo, Position
from services.rules.store import Snapshot
from services.rules.wakes import Wakes

_log = structlog.get_logger("cache")

KEEP_S: Final = 3_600
_PENDING: Final = 10_000
WAITING_CHANNEL: Final = "oddsocks:waiting"
_MATCH_CHANNEL: Final = "oddsocks:match:"
_STATE_KEY: Final = "oddsocks:state:"


class LocalNotices:
    """Without Redis: wakes the watchers of this process."""

    def __init__(self, wakes: Wakes) -> None:
        self._wakes = wakes

    def committed(self, info: MatchInfo, position: Position) -> None:
        """See `Notices.committed`."""
        self._wakes.announce(info.match_id, position.revision)

    async def recall(self, match_id: str) -> Snapshot | None:
        """See `Notices.recall`: nothing is kept."""
        del match_id
        return None

    def online(self) -> bool:
        """Whether notices of other processes come in."""
        return False


class RedisNotices(LocalNotices):
    """With Redis: also the watchers of other processes, and the ai service."""

    def __init__(self, url: str, wakes: Wakes) -> None:
        super().__init__(wakes)
        self._redis = redis_at(url)
        self._listener = Listener(self._redis, (f"{_MATCH_CHANNEL}*",), self._heard)
        # Only the newest position of a match is worth telling.
        self._pending: OrderedDict[str, tuple[MatchInfo, Position]] = OrderedDict()
        self._news = asyncio.Event()
        self._avoid_until = 0.0

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send and receive notices for as long as the block lasts."""
        try:
            async with in_background(self._publish, self._listener.run):
                yield
        finally:
            await self._redis.aclose()

    def committed(self, info: MatchInfo, position: Position) -> None:
        """See `Notices.committed`."""
        super().committed(info, position)
        self._pending[info.match_id] = (info, position)
        self._pending.move_to_end(info.match_id)
        if len(self._pending) > _PENDING:
            self._pending.popitem(last=False)
        self._news.set()

    async def recall(self, match_id: str) -> Snapshot | None:
        """See `Notices.recall`."""
        if time.monotonic() < self._avoid_until:
            return None
        try:
            async with asyncio.timeout(TIMEOUT_S):
                text = await self._redis.get(f"{_STATE_KEY}{match_id}")
        except REDIS_FAILURES as error:
            self._failed("read", error)
            return None
        return None if text is None else _load(text)

    def online(self) -> bool:
        """Whether notices of other processes come in."""
        return self._listener.online()

    def _failed(self, what: str, error: BaseException) -> None:
        if time.monotonic() >= self._avoid_until:
            _log.warning("redis is away", action=what, error=type(error).__name__)
        self._avoid_until = time.monotonic() + RETRY_S

    async def _publish(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._pending:
                match_id, (info, position) = self._pending.popitem(last=False)
                try:
                    async with asyncio.timeout(TIMEOUT_S):
                        await self._tell(info, position)
                except REDIS_FAILURES as error:
                    self._failed("publish", error)
                    self._pending.setdefault(match_id, (info, position))
                    await asyncio.sleep(RETRY_S)

    async def _tell(self, info: MatchInfo, position: Position) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.set(f"{_STATE_KEY}{info.match_id}", _dump(info, position), ex=KEEP_S)
        pipeline.publish(f"{_MATCH_CHANNEL}{info.match_id}", position.revision)
        if info.agent_to_act(position) is not None:
            pipeline.publish(WAITING_CHANNEL, info.match_id)
        await pipeline.execute()

    def _heard(self, channel: str, text: str) -> None:
        with contextlib.suppress(ValueError):
            self._wakes.announce(channel.removeprefix(_MATCH_CHANNEL), int(text))


def _dump(info: MatchInfo, position: Position) -> str:
    return json.dumps(
        [
            position.revision,
            position.draws,
            position.acting_since_ms,
            info.ruleset.format_state(position.state),
            dump_life(position.life),
        ]
    )


def _load(text: str | bytes) -> Snapshot | None:
    """A copy somebody stored; None for anything that is none."""
    try:
        revision, draws, since_ms, position, beside = json.loads(text)
        life = load_life(beside)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    parts = (revision, draws, since_ms)
    if all(type(part) is int for part in parts) and isinstance(position, str):
        return Snapshot(revision, draws, since_ms, position, life)
    return None
