"""Screens of other densities with large print, turned: the board is whole and targets are large.

Those of density 1 are looked at by the other tests of this folder, whose process has it.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tools.reports import ROOT


@pytest.mark.field(34)
@pytest.mark.parametrize("density", [pytest.param(2, marks=pytest.mark.long), 3.5])
def test_a_turned_screen_shows_the_whole_board_and_large_targets(density: float) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.mobile.densities", str(density)],
        cwd=ROOT,
        text=True,
        capture_output=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == []
