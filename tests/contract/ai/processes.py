"""The ai service and its workers as real processes, for tests that kill them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

START_S = 30.0


@dataclass
class Site:
    """Where a test's processes find each other."""

    directory: Path
    redis_url: str
    rules_address: str

    @property
    def keys(self) -> Path:
        return self.directory / "keys"

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {
            "ODDSOCKS_REDIS_URL": self.redis_url,
            "ODDSOCKS_RULES_ADDRESS": self.rules_address,
            "ODDSOCKS_SERVICE_SECRET_FILE": str(self.keys / "service.secret"),
            "ODDSOCKS_KEYS_FILE": str(self.keys / "verify.json"),
            "ODDSOCKS_DATABASE_URL": f"sqlite:///{self.directory}/ai.sqlite3",
        }


@asynccontextmanager
async def worker(site: Site, *, concurrency: int = 2) -> AsyncIterator[subprocess.Popen[bytes]]:
    """A worker that takes jobs."""
    pulse = site.directory / f"pulse-{time.monotonic_ns()}"
    log = pulse.with_suffix(".log")
    command = [sys.executable, "-m", "services.ai.worker", f"--concurrency={concurrency}"]
    environment = site.environment | {"ODDSOCKS_WORKER_PULSE_FILE": str(pulse)}
    async with process(command, environment, log, pulse) as started:
        yield started


@asynccontextmanager
async def ai_service(site: Site) -> AsyncIterator[subprocess.Popen[bytes]]:
    """The ai service, sweeping."""
    ready = site.directory / "ai.ready"
    ready.unlink(missing_ok=True)
    environment = site.environment | {"ODDSOCKS_READY_FILE": str(ready)}
    command = [sys.executable, "-m", "services.ai"]
    async with process(command, environment, site.directory / "ai.log", ready) as started:
        yield started


@asynccontextmanager
async def process(
    command: list[str], environment: dict[str, str], log: Path, ready: Path
) -> AsyncIterator[subprocess.Popen[bytes]]:
    """A process that has made the file `ready`; stopped politely at the end if it still runs."""
    with log.open("wb") as out:
        started = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
    try:
        deadline = time.monotonic() + START_S
        while not ready.exists():
            assert started.poll() is None, log.read_text()
            assert time.monotonic() < deadline, f"silent: {log.read_text()}"
            await asyncio.sleep(0.05)
        yield started
    finally:
        started.send_signal(signal.SIGTERM)
        try:
            await asyncio.to_thread(started.wait, 15)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()
            raise AssertionError(f"deaf to SIGTERM: {log.read_text()}") from None


def children(of: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The processes that `of` has started."""
    return psutil.Process(of.pid).children(recursive=True)


async def gone(processes: list[psutil.Process], within_s: float) -> None:
    """Wait until none of them runs."""
    async with asyncio.timeout(within_s):
        while any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes):
            await asyncio.sleep(0.05)
