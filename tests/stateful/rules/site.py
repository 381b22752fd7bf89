"""Two real services on one database, fifty clients, faults, and a thread for all of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

import grpc

from services.common.errors import error_info
from tests.contract.ai.own_redis import OwnRedis, own_redis
from tests.fixtures.rules import Client, Rules, make_settings, serving
from tests.fixtures.rules_faults import Faults

T = TypeVar("T")
PLAYERS = ("anna", "ben")
CROWD = 50


class Site:
    """Both services; the first one's answers can be lost. With `redis`, one of its own."""

    def __init__(self, directory: Path, database_url: str, *, redis: bool = False) -> None:
        self.faults = Faults()
        self.redis: OwnRedis | None = None
        self._directory, self._database_url, self._with_redis = directory, database_url, redis
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._stack = AsyncExitStack()
        self._rules: list[Rules] = []
        self.crowd: list[list[Client]] = []
        """By seat: clients of its player, on connections to one service and the other in turns."""
        self.run(self._start())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something there and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(120)

    async def _start(self) -> None:
        if self._with_redis:
            self.redis = await self._stack.enter_async_context(own_redis())
        settings = make_settings(
            self._directory / "keys",
            self._database_url,
            redis_url=self.redis.url if self.redis else "",
            account_calls_per_minute=0,
            address_calls_per_minute=0,
        )
        for service in (serving(settings, wrap=self.faults.wrap), serving(settings)):
            rules, _ = await self._stack.enter_async_context(service)
            self._rules.append(rules)
        for player in PLAYERS:
            clients = [self._rules[i % 2].player(player) for i in range(CROWD // len(PLAYERS))]
            self.crowd.append(clients)

    def new_match(self, **options: Any) -> str:
        """A match of Socker of the two players."""
        return self.run(self._rules[0].new_match(*PLAYERS, **options))

    async def restart_redis(self) -> None:
        """Lose all it had."""
        assert self.redis is not None
        await self.redis.kill()
        await self.redis.start()

    def close(self) -> None:
        """Stop everything."""
        self.run(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def answer_of(call: Any) -> Any:
    """(applied, new) revision, or the reason of the refusal."""
    try:
        reply = await call
    except grpc.aio.AioRpcError as error:
        info = error_info(error)
        return error.code().name if info is None else info.reason
    return tuple(reply) if isinstance(reply, tuple) else (reply.applied_revision, reply.revision)
