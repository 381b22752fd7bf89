"""The map from promises to tests, and how results get into it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import coverage_map
from tools.reports import ROOT, Report


def test_every_ruling_of_the_three_games_is_known() -> None:
    rulings = coverage_map.rulings()
    assert [n for n, game in rulings.items() if game == "sock_monsters"] == [
        f"1.{n}" for n in range(1, 24)
    ]
    assert [n for n, game in rulings.items() if game == "socker"] == [
        f"2.{n}" for n in range(1, 11)
    ]
    assert [n for n, game in rulings.items() if game == "hide_and_seek"] == [
        f"3.{n}" for n in range(1, 11)
    ]
    assert coverage_map.assigned_rulings(["socker"]) == tuple(f"2.{n}" for n in range(1, 11))


def test_every_field_failure_is_on_record() -> None:
    assert list(coverage_map.rows()) == list(range(1, 45))
    assert set(coverage_map.assigned_rows()) <= set(coverage_map.rows())


def judged(*results: dict[str, object]) -> dict[str, str]:
    report = Report("coverage-map")
    coverage_map.judge(results, report)
    return {check.id: check.status for check in report.checks}


def test_only_a_passed_test_holds_a_row_or_ruling() -> None:
    statuses = judged(
        {"id": "a", "status": "passed", "field": [1], "ruling": ["2.1", "2.2"]},
        {"id": "b", "status": "failed", "field": [2]},
        {"id": "c", "status": "skipped", "ruling": ["2.3"]},
    )
    assert statuses["field 1"] == statuses["ruling 2.1"] == statuses["ruling 2.2"] == "passed"
    assert statuses["field 2"] == statuses["ruling 2.3"] == statuses["field 44"] == "failed"


PROBE = """
import pytest

@pytest.mark.field(1)
@pytest.mark.ruling("2.1")
def test_holds(): pass

@pytest.mark.field(2)
def test_skipped(): pytest.skip("not here")
"""


def run_probe(folder: Path, source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a test file somewhere else under the project's own conftest.py and settings."""
    (folder / "test_probe.py").write_text(source)
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "tests.conftest", "--report", "probe"),
            *("-c", f"{ROOT}/pyproject.toml", f"--rootdir={folder}", str(folder), *arguments),
        ],
        cwd=folder,
        env=os.environ | {"ODDSOCKS_REPORTS": str(folder)},
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "two workers"])
def test_results_carry_their_markers_into_the_report(
    tmp_path: Path, workers: tuple[str, ...]
) -> None:
    done = run_probe(tmp_path, PROBE, *workers)
    assert "1 passed, 1 skipped" in done.stdout
    assert done.returncode == 1, "a skipped test counts as failed"
    checks = json.loads((tmp_path / "probe.json").read_text())["checks"]
    assert [(check["id"], check["status"]) for check in checks] == [
        ("test_probe.py::test_holds", "passed"),
        ("test_probe.py::test_skipped", "skipped"),
        ("exit status of pytest", "passed"),
    ]
    assert coverage_map.passing("field", checks) == {1: ["test_probe.py::test_holds"]}
    assert coverage_map.passing("ruling", checks) == {"2.1": ["test_probe.py::test_holds"]}


def test_a_marker_for_a_row_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    done = run_probe(tmp_path, PROBE.replace("field(2)", "field(99)"))
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "test_probe.py::test_skipped: there is no field 99" in done.stderr


def test_a_file_that_cannot_be_collected_fails_the_report(tmp_path: Path) -> None:
    done = run_probe(tmp_path, "import nothing_of_that_name")
    assert done.returncode != 0
    checks = json.loads((tmp_path / "probe.json").read_text())["checks"]
    assert checks[0]["status"] == "failed"


WHO = """
import os

def test_who():
    print("ran in", os.environ["PYTEST_XDIST_WORKER"])
"""


def test_whole_systems_are_started_by_one_worker_only(tmp_path: Path) -> None:
    for area in ("containers", "e2e", "containers/more"):
        (tmp_path / area).mkdir()
        (tmp_path / area / "test_who.py").write_text(WHO)
    done = run_probe(tmp_path, PROBE, "-n", "2", "-rP")
    assert len(re.findall(r"ran in gw\d", done.stdout)) == 3
    assert len(set(re.findall(r"ran in gw\d", done.stdout))) == 1
