"""The ai service and its workers as real processes, for tests that kill them."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

START_S = 30.0
STOP_S = 30.0
"""For ending politely, on a busy machine."""


@dataclass
class Site:
    """Where a test's processes find each other; `more` are further settings of all of them."""

    directory: Path
    redis_url: str
    rules_address: str
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """Settings for the service and its workers."""
        keys = self.directory / "keys"
        return os.environ | {
            "ODDSOCKS_REDIS_URL": self.redis_url,
            "ODDSOCKS_RULES_ADDRESS": self.rules_address,
            # Rules and ai are one server here.
            "ODDSOCKS_AI_ADDRESS": self.rules_address,
            "ODDSOCKS_SERVICE_SECRET_FILE": str(keys / "service.secret"),
            "ODDSOCKS_KEYS_FILE": str(keys / "verify.json"),
            "ODDSOCKS_DATABASE_URL": f"sqlite:///{self.directory}/ai.sqlite3",
            **self.more,
        }


@asynccontextmanager
async def worker(
    site: Site,
    *,
    concurrency: int = 2,
    queues: str = "live,slow,review",
    module: str = "services.ai.worker",
) -> AsyncIterator[Process]:
    """A worker that takes jobs; `module` is what is run."""
    pulse = site.directory / f"worker-{time.monotonic_ns()}.pulse"
    arguments = ("-m", module, f"--concurrency={concurrency}", f"--queues={queues}")
    environment = site.environment | {"ODDSOCKS_WORKER_PULSE_FILE": str(pulse)}
    async with _process(arguments, environment, pulse) as started:
        yield started


@asynccontextmanager
async def ai_service(site: Site) -> AsyncIterator[Process]:
    """The ai service, sweeping."""
    ready = site.directory / f"ai-{time.monotonic_ns()}.ready"
    environment = site.environment | {"ODDSOCKS_READY_FILE": str(ready)}
    async with _process(("-m", "services.ai"), environment, ready) as started:
        yield started


@asynccontextmanager
async def _process(
    arguments: tuple[str, ...], environment: dict[str, str], ready: Path
) -> AsyncIterator[Process]:
    """A process that has made the file `ready`; stopped politely at the end if it still runs."""
    log = ready.with_suffix(".log")
    with log.open("wb") as out:
        started = await asyncio.create_subprocess_exec(
            sys.executable, *arguments, env=environment, stdout=out, stderr=out
        )
    try:
        await until(lambda: ready.exists() or started.returncode is not None, START_S)
        assert started.returncode is None, log.read_text()
        yield started
    finally:
        with suppress(ProcessLookupError):
            started.terminate()
        try:
            await asyncio.wait_for(started.wait(), STOP_S)
        except TimeoutError:
            started.kill()
            raise AssertionError(f"{arguments[-1]} is deaf to SIGTERM: {log.read_text()}") from None


async def until(condition: Callable[[], bool], within_s: float = 20.0) -> None:
    """Wait until `condition` holds; TimeoutError after `within_s` seconds."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 (it holds in another process; no event can tell)
            await asyncio.sleep(0.02)


def children(of: Process) -> list[psutil.Process]:
    """The processes that `of` has started."""
    return list(psutil.Process(of.pid).children(recursive=True))


def have_ended(processes: list[psutil.Process]) -> bool:
    """Whether none of them runs any more."""
    return not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes)
