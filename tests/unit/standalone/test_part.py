"""One supervised process, with small programs in the part of the parts."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from services.standalone import part as module
from services.standalone.part import Check, Part
from services.standalone.problem import Problem

READY = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(600)"
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + READY


class Program:
    """A program that says it is ready by making a file."""

    def __init__(self, directory: Path, code: str) -> None:
        self.ready = directory / "ready"
        self.log = directory / "program.log"
        self.command = [sys.executable, "-c", code, str(self.ready)]

    async def is_ready(self) -> bool:
        return self.ready.exists()

    def part(self, healthy: Check | None = None) -> Part:
        return Part("program", self.command, dict(os.environ), self.log, healthy or self.is_ready)


@asynccontextmanager
async def started(part: Part, grace_s: float = 5) -> AsyncIterator[Part]:
    await part.start()
    try:
        yield part
    finally:
        await part.stop(grace_s)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 (what it waits for is another process)
            await asyncio.sleep(0.02)


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_it_is_started_once_it_is_healthy(tmp_path: Path) -> None:
    program = Program(tmp_path, READY)
    async with started(program.part()) as part:
        assert program.ready.exists()
        pid = part.pid
        assert runs(pid)
    assert not runs(pid)


async def test_one_that_ends_at_once_is_quoted(tmp_path: Path) -> None:
    code = "import sys; print('some noise'); sys.exit('program: no socks left; buy some')"
    with pytest.raises(Problem, match="program: no socks left; buy some"):
        await Program(tmp_path, code).part().start()


async def test_one_that_never_gets_healthy_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "START_S", 0.5)
    part = Program(tmp_path, "import time; time.sleep(600)").part()
    with pytest.raises(Problem, match="program is not healthy after"):
        await part.start()
    pid = part.pid
    await part.stop(5)
    assert not runs(pid)


async def test_a_crashed_one_is_started_again(tmp_path: Path) -> None:
    heard: list[int] = []
    async with started(Program(tmp_path, READY).part()) as part:
        part.on_start = lambda: heard.append(part.pid)
        first = part.pid
        os.kill(first, signal.SIGKILL)
        await until(lambda: bool(heard))
        assert part.pid == heard[0] != first
        assert part.restarts == 1


async def test_one_that_cant_be_started_again_yet_is_tried_again(tmp_path: Path) -> None:
    """Its program is just being exchanged, say, or the machine has no room for a process."""
    program, interpreter = Program(tmp_path, READY), tmp_path / "python"
    interpreter.symlink_to(sys.executable)
    program.command[0] = str(interpreter)
    heard: list[int] = []
    async with started(program.part()) as part:
        part.on_start = lambda: heard.append(part.pid)
        interpreter.unlink()
        os.kill(part.pid, signal.SIGKILL)
        await until(lambda: part.restarts >= 1)
        assert not heard
        interpreter.symlink_to(sys.executable)
        await until(lambda: bool(heard))
        assert "can't be started" in program.log.read_text()


async def test_one_that_lives_but_is_ill_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHECK_EVERY_S", 0.05)
    monkeypatch.setattr(module, "ILL_S", 0.3)
    program = Program(tmp_path, READY)
    async with started(program.part()) as part:
        first = part.pid
        program.ready.unlink()
        await until(lambda: part.restarts == 1)
        await until(program.ready.exists)
        assert not runs(first)


async def test_one_that_is_deaf_is_ended_all_the_same(tmp_path: Path) -> None:
    async with started(Program(tmp_path, DEAF).part(), grace_s=0.2) as part:
        pid = part.pid
    assert not runs(pid)


async def test_it_stops_while_somebody_asks_how_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client library may take the cancellation for a failure of its own."""
    monkeypatch.setattr(module, "CHECK_EVERY_S", 0.01)
    program, asking = Program(tmp_path, READY), asyncio.Event()
    part = program.part()
    await part.start()

    async def swallows() -> bool:
        asking.set()
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            part.healthy = program.is_ready
        return True

    part.healthy = swallows
    await asyncio.wait_for(asking.wait(), 10)
    async with asyncio.timeout(10):
        await part.stop(5)
    assert not runs(part.pid)
