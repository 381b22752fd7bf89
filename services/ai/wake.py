"""Being woken by Redis. Only ever faster: the poll finds everything without it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

_log = structlog.get_logger("wake")

CHANNEL: Final = "oddsocks:waiting"
"""Rules publishes here after each commit that leaves an agent's seat waiting."""
PAUSE_S: Final = 1.0


class Waker:
    """Calls `wake` for each message on the channel."""

    def __init__(self, redis_url: str, wake: Callable[[], None]) -> None:
        self._url, self._wake = redis_url, wake

    async def run(self) -> None:
        """Listen, for as long as the task lives."""
        while True:
            try:
                await self._listen()
            except (RedisError, OSError) as error:
                _log.warning("no wake-ups, polling only", error=type(error).__name__)
            await asyncio.sleep(PAUSE_S)

    async def _listen(self) -> None:
        # The health check finds a link that died in silence; without messages nothing else would.
        client = Redis.from_url(
            self._url, socket_timeout=5, socket_connect_timeout=2, health_check_interval=10
        )
        async with client, client.pubsub() as channel:
            await channel.subscribe(CHANNEL)
            # Whatever was published while nobody listened.
            self._wake()
            while True:
                if await channel.get_message(ignore_subscribe_messages=True, timeout=5):
                    self._wake()
