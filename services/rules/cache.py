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
from typing import Any, Final

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from services.common.background import end
from services.rules.match import MatchInfo, Position
from services.rules.store import Snapshot
from services.rules.wakes import Wakes

_log = structlog.get_logger("cache")

TIMEOUT_S: Final = 0.5
RETRY_S: Final = 0.5
"""Pause after a failure before Redis is asked again."""

SILENCE_S: Final = 2.0
"""A subscription this long without a word is pinged, and given up after as long again."""

KEEP_S: Final = 3_600
_PENDING: Final = 10_000
WAITING_CHANNEL: Final = "oddsocks:waiting"
_MATCH_CHANNEL: Final = "oddsocks:match:"
_STATE_KEY: Final = "oddsocks:state:"
_FAILURES: Final = (RedisError, OSError, TimeoutError)


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
        self._redis = Redis.from_url(
            url,
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
            retry=Retry(NoBackoff(), 0),
            decode_responses=True,
        )
        # Only the newest position of a match is worth telling.
        self._pending: OrderedDict[str, tuple[MatchInfo, Position]] = OrderedDict()
        self._news = asyncio.Event()
        self._subscribed = False
        self._avoid_until = 0.0

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Send and receive notices for as long as the block lasts."""
        tasks = [asyncio.create_task(self._publish()), asyncio.create_task(self._listen())]
        try:
            yield
        finally:
            await end(*tasks)
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
        except _FAILURES as error:
            self._failed("read", error)
            return None
        return None if text is None else _load(text)

    def online(self) -> bool:
        """Whether notices of other processes come in."""
        return self._subscribed

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
                except _FAILURES as error:
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

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.psubscribe(f"{_MATCH_CHANNEL}*")
                    await self._hear(channel)
            except _FAILURES as error:
                self._failed("listen", error)
            finally:
                self._subscribed = False
            await asyncio.sleep(RETRY_S)

    async def _hear(self, channel: PubSub) -> None:
        """Pass on notices until the subscription breaks, or falls silent and answers no ping."""
        heard, pinged = time.monotonic(), False
        while True:
            message = await channel.get_message(timeout=SILENCE_S / 4)
            now = time.monotonic()
            if message is not None:
                heard, pinged = now, False
                self._handle(message)
            elif now - heard > 2 * SILENCE_S:
                raise TimeoutError
            elif now - heard > SILENCE_S and not pinged:
                await channel.ping()
                pinged = True

    def _handle(self, message: dict[str, Any]) -> None:
        if message["type"] == "psubscribe":
            self._subscribed = True
        elif message["type"] == "pmessage":
            match_id = message["channel"].removeprefix(_MATCH_CHANNEL)
            with contextlib.suppress(ValueError):
                self._wakes.announce(match_id, int(message["data"]))


def _dump(info: MatchInfo, position: Position) -> str:
    return json.dumps(
        [
            position.revision,
            position.draws,
            position.acting_since_ms,
            info.ruleset.format_state(position.state),
        ]
    )


def _load(text: str | bytes) -> Snapshot | None:
    """A copy somebody stored; None for anything that is none."""
    try:
        revision, draws, since_ms, position = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    parts = (revision, draws, since_ms)
    if all(type(part) is int for part in parts) and isinstance(position, str):
        return Snapshot(revision, draws, since_ms, position)
    return None
