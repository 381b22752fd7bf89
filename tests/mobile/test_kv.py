"""What a rule of a screen says about itself, where Kivy would not notice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import app

FOLDER = Path(app.__file__).parent
_HINT = re.compile(r"( +)size_hint_([xy]): (?:[\d.]+|None) if (.+) else (?:[\d.]+|None)$")
_SIDES = {"x": "width", "y": "height"}


def _hints() -> list[tuple[str, str, str, list[str]]]:
    """Of every hint that comes and goes: where it stands, its side, its condition, what follows."""
    found = []
    for file in sorted(FOLDER.rglob("*.kv")):
        lines = file.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            hint = _HINT.match(line)
            if hint and "None" in line:
                indent, axis, condition = hint.groups()
                rules = [one.strip() for one in lines[number + 1 : number + 5] if indent in one]
                place = f"{file.name}:{number + 1}"
                found.append((place, _SIDES[axis], condition.removeprefix("not "), rules))
    return found


HINTS = _hints()


def test_there_are_such_hints() -> None:
    assert len(HINTS) > 5


@pytest.mark.parametrize(
    ("side", "condition", "rules"), [one[1:] for one in HINTS], ids=[one[0] for one in HINTS]
)
def test_a_length_is_set_anew_when_the_layout_no_longer_sets_it(
    side: str, condition: str, rules: list[str]
) -> None:
    # A rule is only looked at again when something in it changes; else the length stays that which
    # the layout gave last.
    length = next(rule for rule in rules if rule.startswith(f"{side}: "))
    assert condition in length
