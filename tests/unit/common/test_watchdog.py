"""A process that hangs ends itself; one that only waits, or works, does not."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import asyncio, time
from services.common.watchdog import watched

async def hang():
    await asyncio.sleep(0.1)
    time.sleep(60)

async def wait_and_work():
    await asyncio.sleep(4)
    for _ in range(40):
        time.sleep(0.1)
        await asyncio.sleep(0)

async def hang_afterwards():
    await watched(asyncio.sleep(0.1), 1.0)
    time.sleep(2)

asyncio.run({})
"""


def ended(main: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("{}", main)],
        timeout=50,
        check=False,
        capture_output=True,
        text=True,
    )


def test_a_process_that_hangs_says_where_and_ends() -> None:
    process = ended("watched(hang(), 1.0)")
    assert process.returncode == 1
    assert "in hang" in process.stderr


@pytest.mark.parametrize("main", ["watched(wait_and_work(), 3.0)", "hang_afterwards()"])
def test_a_process_that_waits_or_works_is_let_be(main: str) -> None:
    process = ended(main)
    assert (process.returncode, process.stderr) == (0, "")
