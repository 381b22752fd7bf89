"""From the first start to playing, without a network (as `make first-start` measures it)."""

from __future__ import annotations

from pathlib import Path

from tools.first_start import ALLOWED, HOME_S, SECONDS, TOUCHES, measure
from tools.reports import Report


def test_a_first_start_without_a_network_leads_to_a_match_in_few_touches(tmp_path: Path) -> None:
    found = measure(tmp_path / "data")
    assert 0 < found.touches <= TOUCHES
    report = Report("mobile-cold-start")
    report.measured("home", found.home_s, "s")
    report.at_most("home_allowed", found.home_s, HOME_S * ALLOWED, "s")
    report.write()
    assert found.home_s <= HOME_S * ALLOWED
    assert found.seconds <= SECONDS * ALLOWED
    assert found.connections == 0
    # What was begun is kept: the next start goes on with it.
    assert len(list((tmp_path / "data" / "matches").glob("here-*.json"))) == 1
