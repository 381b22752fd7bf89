"""One supervised process: started, watched, restarted when it ends or falls ill, stopped."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from services.common.background import end
from services.common.process import die_with_parent
from services.standalone.problem import Problem

START_S: Final = 60.0
"""A start that takes longer has failed. Usually it takes a few seconds."""
FIRST_PAUSE_S: Final = 0.25
MAX_PAUSE_S: Final = 8.0
STEADY_S: Final = 30.0
"""A part that ran this long had a good start: its next restart is immediate again."""
CHECK_EVERY_S: Final = 3.0
ILL_S: Final = 30.0
"""A part that has not answered for this long is killed and started again."""
LOG_LIMIT: Final = 5_000_000

Check = Callable[[], Awaitable[bool]]


@dataclass(slots=True)
class Part:
    """A program to keep running. `healthy` says whether it does its work right now;
    `stdin` is what it reads at its start. Changes of `environment` count from the next start.
    """

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    healthy: Check
    stdin: bytes = b""
    on_start: Callable[[], None] = lambda: None
    restarts: int = 0
    _process: asyncio.subprocess.Process | None = None
    _watch: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def pid(self) -> int:
        """The process as it is now."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it and wait until it is healthy; then watch over it. Raises `Problem`."""
        await self._spawn()
        try:
            async with asyncio.timeout(START_S):
                while not await self.healthy():
                    if self._ended:
                        raise Problem(f"{self._last_words()} (log: {self.log})")
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise Problem(
                f"{self.name} is not healthy after {START_S:.0f} s: see {self.log}"
            ) from None
        self._watch = asyncio.create_task(self._keep_running(), name=f"watch {self.name}")

    async def stop(self, grace_s: float) -> None:
        """End it: politely, and after `grace_s` seconds for certain."""
        if self._watch is not None:
            await end(self._watch)
        process = self._process
        if process is None or self._ended:
            return
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace_s):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    @property
    def _ended(self) -> bool:
        return self._process is None or self._process.returncode is not None

    async def _spawn(self) -> None:
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".old.log"))
        with self.log.open("ab") as out:
            self._process = await asyncio.create_subprocess_exec(
                *self.arguments,
                env=self.environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=out,
                stderr=out,
                # Ctrl-C is for us alone: we stop the parts in order. And none outlives us.
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        assert self._process.stdin is not None
        with suppress(BrokenPipeError, ConnectionResetError):
            self._process.stdin.write(self.stdin)
            await self._process.stdin.drain()
        self._process.stdin.close()
        self.on_start()

    async def _keep_running(self) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            started = time.monotonic()
            await self._until_it_ends()
            if time.monotonic() - started >= STEADY_S:
                pause_s = FIRST_PAUSE_S
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, MAX_PAUSE_S)
            self.restarts += 1
            try:
                await self._spawn()
            except OSError as error:
                # No room for a process, say, or its program is being exchanged: again later.
                with suppress(OSError), self.log.open("a") as out:
                    out.write(f"{self.name} can't be started: {error}\n")

    async def _until_it_ends(self) -> None:
        assert self._process is not None
        ended = asyncio.create_task(self._process.wait())
        well = time.monotonic()
        try:
            while not (await asyncio.wait({ended}, timeout=CHECK_EVERY_S))[0]:
                if await self.healthy():
                    well = time.monotonic()
                elif time.monotonic() - well > ILL_S:
                    self._process.kill()
                    await ended
        finally:
            ended.cancel()

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"{self.name} ended without a word"
