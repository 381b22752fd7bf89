"""Which test holds which promise: `python -m tools.coverage_map`.

Two lists have to be covered by passing tests: the field failures that are assigned in
docs/field_failures.toml (tests marked `field(7)`), and the numbered rulings in
docs/rules/RULINGS.md of every game on the shelf (tests marked `ruling("2.4")`). The results are
those of the last `make test` and `make test-long`, if they are of this very commit; marked tests of
which there is no result run now.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from services.engine.core.registry import game_names
from tools.reports import REPORTS, ROOT, Check, Report, commit

FIELD_FAILURES = ROOT / "docs" / "field_failures.toml"
RULINGS = ROOT / "docs" / "rules" / "RULINGS.md"

Results = Iterable[Mapping[str, Any]]


@cache
def rows() -> dict[int, str]:
    """All field failures: number → what the product has to do."""
    table = tomllib.loads(FIELD_FAILURES.read_text(encoding="utf-8"))
    return {row["number"]: row["must"] for row in table["row"]}


@cache
def assigned_rows() -> tuple[int, ...]:
    """The field failures that have to have a test by now."""
    table = tomllib.loads(FIELD_FAILURES.read_text(encoding="utf-8"))
    return tuple(table["assigned"])


@cache
def rulings() -> dict[str, str]:
    """All numbered rulings: "2.4" → the game they belong to."""
    found: dict[str, str] = {}
    section, game = "", ""
    for line in RULINGS.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## (\d+)\. .*?\(`(\w+)`", line):
            section, game = heading.groups()
        elif section and (ruling := re.match(r"(\d+)\. ", line)):
            found[f"{section}.{ruling.group(1)}"] = game
    return found


def assigned_rulings(games: Iterable[str]) -> tuple[str, ...]:
    """The rulings of `games`."""
    wanted = set(games)
    return tuple(number for number, game in rulings().items() if game in wanted)


def passing(kind: str, results: Results) -> dict[Any, list[str]]:
    """Row or ruling → the tests that hold it. A test with any other status holds nothing."""
    held: dict[Any, list[str]] = {}
    for result in results:
        if result["status"] == "passed":
            for value in result.get(kind, ()):
                held.setdefault(value, []).append(result["id"])
    return held


def judge(results: Results, report: Report) -> None:
    """Add one check to `report` for each assigned row and ruling."""
    results = list(results)
    wanted: tuple[tuple[str, Iterable[Any]], ...] = (
        ("field", assigned_rows()),
        ("ruling", assigned_rulings(game_names())),
    )
    for kind, numbers in wanted:
        held = passing(kind, results)
        for number in numbers:
            tests = held.get(number, [])
            report.add(
                Check(
                    f"{kind} {number}",
                    "passed" if tests else "failed",
                    len(tests),
                    1,
                    "tests",
                    {"tests": tests},
                )
            )


def recorded() -> list[Mapping[str, Any]]:
    """The results of earlier runs over this very commit, none if something has changed since."""
    now = commit()
    results: list[Mapping[str, Any]] = []
    for target in ("test", "test-long"):
        path = REPORTS / f"{target}.json"
        if path.exists():
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["commit"] == now and "+" not in now:
                results += content["checks"]
    return results


def run_marked_tests(which: str = "field or ruling") -> list[Mapping[str, Any]]:
    """Run the tests that hold a row or a ruling, or some of them; returns their results."""
    target = "coverage-tests"
    # Failures show up in the report: that decides, not pytest's exit status.
    subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "2", "-m", which, "--report", target],
        cwd=ROOT,
        check=False,
    )
    content = json.loads((REPORTS / f"{target}.json").read_text(encoding="utf-8"))
    return list(content["checks"])


def _is_complete(results: Results) -> bool:
    report = Report("coverage-map")
    judge(results, report)
    return all(check.status == "passed" for check in report.checks)


def main() -> int:
    results = recorded()
    if not results:
        print("No test results of this commit; running the marked tests.", flush=True)
        results = run_marked_tests()
    elif not _is_complete(results):
        print("No results of some long tests of this commit; running those.", flush=True)
        results += run_marked_tests("long and (field or ruling)")
    report = Report("coverage-map")
    judge(results, report)
    for check in report.checks:
        missing = "" if check.status == "passed" else "  ← no passing test"
        print(f"{check.id:<12} {check.value} tests{missing}")
    return report.write()


if __name__ == "__main__":
    sys.exit(main())
