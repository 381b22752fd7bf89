"""A Redis that a test may freeze, kill and start again on the same port."""

from __future__ import annotations

import asyncio
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.standalone.redis_server import redis_binary
from tests.fixtures.local import START_SECONDS, free_port


class OwnRedis:
    """One server; `url` stays the same for life."""

    def __init__(self) -> None:
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self._process: Process | None = None

    async def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        options = ("--port", str(self._port), "--bind", "127.0.0.1", "--save", "")
        self._process = await asyncio.create_subprocess_exec(
            redis_binary(), *options, stdout=DEVNULL
        )
        async with asyncio.timeout(START_SECONDS):
            while not await self._answers():  # noqa: ASYNC110 (no event of ours can tell)
                await asyncio.sleep(0.05)

    async def kill(self) -> None:
        """End it at once."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    def freeze(self) -> None:
        """Let connections hang: worse than refusing them."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def _answers(self) -> bool:
        async with Redis.from_url(self.url, socket_timeout=1) as client:
            try:
                return bool(await client.ping())
            except (RedisError, OSError):
                return False


@asynccontextmanager
async def own_redis() -> AsyncIterator[OwnRedis]:
    """A running Redis of a test's own."""
    redis = OwnRedis()
    await redis.start()
    try:
        yield redis
    finally:
        await redis.kill()
