"""Hearing what other processes publish in Redis. Whatever comes may also be lost on the way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

_log = structlog.get_logger("redis")

TIMEOUT_S: Final = 0.5
RETRY_S: Final = 0.5
"""Pause after a failure before Redis is asked again."""

SILENCE_S: Final = 2.0
"""A subscription this long without a word is pinged, and given up after as long again."""

REDIS_FAILURES: Final = (RedisError, OSError, TimeoutError)


def redis_at(url: str) -> Redis:
    """A client for which nobody waits longer than `TIMEOUT_S`."""
    return Redis.from_url(
        url,
        socket_timeout=TIMEOUT_S,
        socket_connect_timeout=TIMEOUT_S,
        retry=Retry(NoBackoff(), 0),
        decode_responses=True,
    )


class Listener:
    """Subscribes to channels by pattern, again and again while Redis is away.

    `heard` gets the channel and the text of each message.
    """

    def __init__(
        self, redis: Redis, patterns: Sequence[str], heard: Callable[[str, str], None]
    ) -> None:
        self._redis, self._patterns, self._heard = redis, patterns, heard
        self._subscribed = False
        self._failing = False

    def online(self) -> bool:
        """Whether messages come in."""
        return self._subscribed

    async def run(self) -> None:
        """Listen, for as long as the task lives."""
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.psubscribe(*self._patterns)
                    await self._hear(channel)
            except REDIS_FAILURES as error:
                if not self._failing:
                    _log.warning("redis is away", action="listen", error=type(error).__name__)
                self._failing = True
            finally:
                self._subscribed = False
            await asyncio.sleep(RETRY_S)

    async def _hear(self, channel: PubSub) -> None:
        """Pass on messages until the subscription breaks, or falls silent and answers no ping."""
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
            self._subscribed, self._failing = True, False
        elif message["type"] == "pmessage":
            self._heard(message["channel"], message["data"])
