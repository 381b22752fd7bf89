"""A report may never look better than what was tried."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.reports import Report


def test_a_report_says_what_was_found_and_what_was_asked(tmp_path: Path) -> None:
    report = Report("chaos", command="make chaos")
    assert report.at_most("max_gap_s", 12.5, 30, "s")
    assert report.at_least("submits", 900, 500, "1/s")
    assert report.equals("lost", 0, 0)
    assert report.measured("plies", 83)
    assert report.write(tmp_path) == 0

    content = json.loads((tmp_path / "chaos.json").read_text())
    assert set(content) == {"commit", "date", "command", "checks"}
    assert content["checks"][0] == {
        "id": "max_gap_s",
        "status": "passed",
        "value": 12.5,
        "bound": 30,
        "unit": "s",
    }


def test_one_check_that_does_not_hold_fails_the_target(tmp_path: Path) -> None:
    report = Report("bench")
    report.at_most("in bounds", 1, 1)
    assert not report.at_most("over", 31, 30)
    assert report.write(tmp_path) == 1


def test_a_skipped_check_counts_as_failed(tmp_path: Path) -> None:
    report = Report("bench")
    assert not report.skipped("redis", "no Redis on this machine")
    assert report.write(tmp_path) == 1
    assert json.loads((tmp_path / "bench.json").read_text())["checks"][0]["status"] == "skipped"


def test_nothing_checked_is_not_all_well(tmp_path: Path) -> None:
    assert Report("bench").write(tmp_path) == 1


@pytest.mark.parametrize("path", ["/tmp/report", "../report", "a/b", "a\\b", "..", ".report", ""])
def test_a_report_is_named_and_not_placed(path: str) -> None:
    with pytest.raises(ValueError, match="is no name of a report") as refused:
        Report(path)
    assert repr(path) in str(refused.value)
