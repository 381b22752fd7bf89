"""From a cold start to home."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.mobile.frames import queued_s
from tools.reports import ROOT, Report

COLD_START_S = 1.5
ALLOWED = 5
"""Absolute times are asserted at five times the value named: other work shares the machine."""
TRIES = 2


def started(data: Path) -> float:
    """Seconds from the start of the process to the first frame of home, less those in which it
    waited for a processor that the other tests of this machine used."""
    command = [sys.executable, str(ROOT / "mobile" / "main.py"), "--script", "home"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ODDSOCKS_")}
    began = time.monotonic()
    with subprocess.Popen(
        [*command, "--data", str(data)],
        env=kept,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as app:
        assert app.stdout is not None
        line = app.stdout.readline()
        seconds = time.monotonic() - began - queued_s(app.pid)
        _, said = app.communicate(timeout=60)
    assert app.returncode == 0, said[-2000:]
    assert '"home": true' in line
    return seconds


def test_home_is_there_soon_after_a_cold_start(tmp_path: Path) -> None:
    seconds = started(tmp_path)
    for _ in range(TRIES - 1):
        if seconds > COLD_START_S * ALLOWED:
            seconds = started(tmp_path)
    report = Report("mobile-cold-start")
    report.measured("seconds", round(seconds, 2), "s")
    report.at_most("seconds_allowed", round(seconds, 2), COLD_START_S * ALLOWED, "s")
    report.write()
    assert report.holds, seconds
