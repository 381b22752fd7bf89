"""A worker that was told to stop does not stay, whatever hangs in it."""

from __future__ import annotations

import subprocess
import sys

from services.ai import worker
from services.ai.celery_app import HARD_LIMIT_S

HUNG = """
import threading
from services.ai.worker import leave_within
leave_within({seconds})
threading.Event().wait({hangs})
"""


def _run(seconds: float, hangs: float) -> subprocess.CompletedProcess[str]:
    code = HUNG.format(seconds=seconds, hangs=hangs)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_hung_shutdown_is_ended_and_logged() -> None:
    done = _run(seconds=0.2, hangs=3600)
    assert done.returncode == 1
    assert "shutdown hung" in done.stdout + done.stderr
    assert "most recent call first" in done.stderr


def test_one_that_ends_in_time_ends_as_it_likes() -> None:
    assert _run(seconds=3600, hangs=0).returncode == 0


def test_the_clock_starts_when_celery_begins_to_shut_down() -> None:
    code = """
import threading
from celery.signals import worker_shutting_down
import services.ai.worker as worker
worker.SHUTDOWN_S = 0.2
worker_shutting_down.send("worker@here", sig="SIGTERM", how="Warm", exitcode=0)
threading.Event().wait(3600)
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=60, check=False)
    assert done.returncode == 1


def test_running_jobs_have_their_time() -> None:
    assert worker.SHUTDOWN_S > HARD_LIMIT_S
