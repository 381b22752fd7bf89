"""docs/phone-manners.md names tests, too: a row whose test is gone is held by nothing."""

from __future__ import annotations

from tests.meta.test_guarantees import TEST_ID, names_in
from tools.reports import ROOT

PAGE = ROOT / "docs" / "phone-manners.md"
ROWS = 16


def test_every_habit_of_phones_names_tests_that_exist() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    habits = [row for row in rows if not row.startswith("| # |")]
    assert [row.split("|")[1].strip() for row in habits] == [str(n + 1) for n in range(ROWS)]
    for row in habits:
        named = TEST_ID.findall(row)
        assert named, f"held by nothing: {row}"
        assert row.count("::") == len(named), f"not the id of a test: {row}"
        for file, name in named:
            assert name in names_in(file), f"{file} has no {name}"
