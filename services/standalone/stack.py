"""The whole system as processes of this machine."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpclib.client import Channel, UnaryUnaryMethod
from grpclib.exceptions import GRPCError, StreamTerminatedError

from services.ai.kernels import python_for_workers
from services.common.background import end
from services.standalone.part import Part
from services.standalone.ports import free_port
from services.standalone.problem import Problem
from services.standalone.redis_server import (
    answers_ping,
    redis_binary,
    redis_config,
)
from services.standalone.state import Running, State

ROOT: Final = Path(__file__).resolve().parents[2]
SERVICES: Final = ("rules", "matchmaking", "ai")
WORKERS: Final = {
    # Somebody waits for these …
    "worker": ("--queues=live", "--concurrency=2"),
    # … and nobody for these, so they never stand in front.
    "worker-slow": ("--queues=slow,review", "--concurrency=1"),
}
PARTS: Final = (*SERVICES, *WORKERS, "redis")
PULSE_S: Final = 15.0
"""A worker whose pulse is older can't take jobs."""
HEALTH_S: Final = 2.0
"""For a service to answer how it is."""
_PORT_TRIES: Final = 3
_GRACE_S: Final = 9.0

Say = Callable[[str], None]


@dataclass(slots=True)
class Stack:
    """Redis, the three services and the workers, for as long as the `async with` block lasts.

    `say` hears what happens. With a `first_port`, rules, matchmaking and ai listen on it and the
    next two; otherwise on any free ones. `behind_edge`: believe what the edge before it says of
    where calls come from. Raises `Problem` when a part does not get healthy.
    """

    state: State
    say: Say
    first_port: int = 0
    behind_edge: bool = False
    parts: dict[str, Part] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    _internal: dict[str, str] = field(default_factory=dict)
    _redis_url: str = ""

    async def __aenter__(self) -> Self:
        for attempt in range(1, _PORT_TRIES + 1):
            try:
                await self._start_all()
            except BaseException as problem:
                await self._stop()
                # Between asking for a free port and using it, somebody else may take it.
                if self.first_port or attempt == _PORT_TRIES or not _is_about_a_port(problem):
                    raise
            else:
                break
        self._publish()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stop()

    async def _start_all(self) -> None:
        """Everything at once: all addresses are known before, and each part waits for others."""
        for number, name in enumerate(SERVICES):
            port = free_port(self.first_port and self.first_port + number)
            self.addresses[name] = f"127.0.0.1:{port}"
            self._internal[name] = f"127.0.0.1:{free_port()}"
        redis = self._redis()
        starts = [
            asyncio.create_task(self._start(part))
            for part in (redis, *map(self._service, SERVICES), *map(self._worker, WORKERS))
        ]
        try:
            await asyncio.gather(*starts)
        finally:
            await end(*starts)

    async def _stop(self) -> None:
        """Those that call first, then those that are called."""
        for names in ((*WORKERS, "matchmaking", "ai"), ("rules",), ("redis",)):
            parts = [self.parts.pop(name) for name in names if name in self.parts]
            await asyncio.gather(*(part.stop(_GRACE_S) for part in parts))

    async def _start(self, part: Part) -> None:
        started = time.monotonic()
        self.parts[part.name] = part
        await part.start()
        part.on_start = lambda: self._restarted(part)
        self.say(f"{part.name} is healthy ({time.monotonic() - started:.1f} s)")

    def _restarted(self, part: Part) -> None:
        self.say(f"{part.name} had ended and was started again, see {part.log}")
        self._publish()

    def _publish(self) -> None:
        pids = {name: part.pid for name, part in self.parts.items()}
        self.state.publish(Running(os.getpid(), self.addresses, pids))

    # --- the parts --------------------------------------------------------------------------------

    def _redis(self) -> Part:
        port, password = free_port(), secrets.token_hex(16)
        url = self._redis_url = f"redis://:{password}@127.0.0.1:{port}/0"
        return Part(
            "redis",
            [redis_binary(), "-"],
            self._environment(),
            self.state.logs / "redis.log",
            lambda: answers_ping(url),
            stdin=redis_config(port, password, self.state.run).encode(),
        )

    def _service(self, name: str) -> Part:
        keys = "signing.json" if name == "matchmaking" else "verify.json"
        environment = {
            "ODDSOCKS_LISTEN": self.addresses[name],
            "ODDSOCKS_INTERNAL_LISTEN": self._internal[name],
            "ODDSOCKS_DATABASE_URL": self.state.database(name),
            "ODDSOCKS_KEYS_FILE": str(self.state.keys / keys),
            "ODDSOCKS_RULES_ADDRESS": self._internal["rules"],
            "ODDSOCKS_AI_ADDRESS": self._internal["ai"],
        }
        return Part(
            name,
            [sys.executable, "-m", f"services.{name}"],
            self._environment() | environment,
            self.state.logs / f"{name}.log",
            lambda: is_serving(self.addresses[name]),
        )

    def _worker(self, name: str) -> Part:
        pulse = self.state.run / f"{name}.pulse"
        pulse.unlink(missing_ok=True)

        async def beats() -> bool:
            try:
                return time.time() - pulse.stat().st_mtime < PULSE_S
            except FileNotFoundError:
                return False

        python, path = python_for_workers(ROOT)
        environment = {
            "ODDSOCKS_RULES_ADDRESS": self._internal["rules"],
            "ODDSOCKS_AI_ADDRESS": self._internal["ai"],
            "ODDSOCKS_WORKER_PULSE_FILE": str(pulse),
            "PYTHONPATH": path,
        }
        return Part(
            name,
            [*python, "-m", "services.ai.worker", *WORKERS[name]],
            self._environment() | environment,
            self.state.logs / f"{name}.log",
            beats,
        )

    def _environment(self) -> dict[str, str]:
        # What ODDSOCKS_… this command was started with is about the command, not its parts.
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("ODDSOCKS_")}
        return inherited | {
            "ODDSOCKS_BEHIND_EDGE": "1" if self.behind_edge else "0",
            "ODDSOCKS_REDIS_URL": self._redis_url,
            "ODDSOCKS_SERVICE_SECRET_FILE": str(self.state.secret),
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")]),
        }


def _is_about_a_port(problem: BaseException) -> bool:
    return isinstance(problem, Problem) and "listen" in str(problem).lower()


async def is_serving(address: str) -> bool:
    """Whether the service at `address` says that it is healthy.

    Asked with grpclib: grpcio's threads would make starting processes from here unsafe. But with
    the messages that the services use: no process can hold grpclib's own copy of them as well.
    """
    host, _, port = address.rpartition(":")
    async with Channel(host, int(port)) as channel:
        check = UnaryUnaryMethod[HealthCheckRequest, HealthCheckResponse](
            channel, "/grpc.health.v1.Health/Check", HealthCheckRequest, HealthCheckResponse
        )
        try:
            response = await check(HealthCheckRequest(), timeout=HEALTH_S)
        except (OSError, TimeoutError, GRPCError, StreamTerminatedError):
            return False
    return bool(response.status == HealthCheckResponse.SERVING)
