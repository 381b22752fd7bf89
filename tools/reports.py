"""The one format in which every target that measures or checks writes down what it found.

`build/reports/<target>.json` holds `{commit, date, command, checks: [{id, status, value, bound,
unit}]}`. Status is passed, failed or skipped, and a skipped check counts as failed, so that a
report can never look better than what was really tried.

    report = Report("chaos")
    report.at_most("max_gap_s", gap, 30, "s")
    report.equals("lost", lost, 0)
    sys.exit(report.write())
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
# Elsewhere only for tests of the reports themselves.
REPORTS = Path(os.environ.get("ODDSOCKS_REPORTS") or ROOT / "build" / "reports")

_NAME = re.compile(r"\w([\w.-]*\w)?", re.ASCII)

Status: TypeAlias = Literal["passed", "failed", "skipped"]
Value: TypeAlias = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: what was found (`value`) and, where there is one, the `bound` it had
    to keep, both in `unit`. `labels` are further members of its JSON object."""

    id: str
    status: Status
    value: Value = None
    bound: Value = None
    unit: str = ""
    labels: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        members = asdict(self)
        labels: dict[str, Any] = members.pop("labels")
        return members | labels


class Report:
    """The checks of one run of a target, whose name becomes the file's: raises `ValueError` on one
    that is a path, which could lead out of the folder of the reports."""

    def __init__(self, target: str, *, command: str | None = None) -> None:
        if not _NAME.fullmatch(target):
            raise ValueError(
                f"{target!r} is no name of a report: letters, digits and the signs '_', '-'"
                " and '.' within it only"
            )
        self.target = target
        self.command = shlex.join(sys.orig_argv) if command is None else command
        self.checks: list[Check] = []

    def add(self, check: Check) -> bool:
        """Take in a check; returns whether it holds."""
        self.checks.append(check)
        return check.status == "passed"

    def at_most(self, id: str, value: float, bound: float, unit: str = "") -> bool:
        """`value` has to be `bound` or less."""
        return self.add(Check(id, "passed" if value <= bound else "failed", value, bound, unit))

    def at_least(self, id: str, value: float, bound: float, unit: str = "") -> bool:
        """`value` has to be `bound` or more."""
        return self.add(Check(id, "passed" if value >= bound else "failed", value, bound, unit))

    def equals(self, id: str, value: Value, bound: Value, unit: str = "") -> bool:
        """`value` has to be `bound`."""
        return self.add(Check(id, "passed" if value == bound else "failed", value, bound, unit))

    def measured(self, id: str, value: Value, unit: str = "") -> bool:
        """`value` is worth knowing, and nothing is asked of it."""
        return self.add(Check(id, "passed", value, None, unit))

    def skipped(self, id: str, why: str) -> bool:
        """The check could not be made; counts as failed."""
        return self.add(Check(id, "skipped", why))

    @property
    def holds(self) -> bool:
        """Whether there is a check and all of them passed."""
        return bool(self.checks) and all(check.status == "passed" for check in self.checks)

    def write(self, folder: Path = REPORTS) -> int:
        """Write the file; returns the exit status of the target: 0 if all holds, else 1."""
        folder.mkdir(parents=True, exist_ok=True)
        content = {
            "commit": commit(),
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "command": self.command,
            "checks": [check.as_json() for check in self.checks],
        }
        text = json.dumps(content, indent=1, ensure_ascii=False)
        (folder / f"{self.target}.json").write_text(text + "\n", encoding="utf-8")
        return 0 if self.holds else 1


def commit() -> str:
    """The commit of the working tree, with `+changes` if it holds something else, or `unknown`."""
    try:
        head = _git("rev-parse", "HEAD")
        return head + ("+changes" if _git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()
