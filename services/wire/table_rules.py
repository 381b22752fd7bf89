"""What may be agreed on at a table beside the game's options: bounds and defaults of `TableRules`.

Here because several have to know: matchmaking, where people agree on it, and rules, where it holds.
So nobody sits down at a table whose match would be refused. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from oddsocks.play.v1 import play_pb2

SITTER: Final = "random"
"""Who plays for somebody absent unless another was chosen: every game has an agent of this name."""
MAX_AGENT: Final = 100


class InvalidTableRules(ValueError):
    """A field that says what no table may agree on; its text says what the field must be."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field = field


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a number may be, both ends included, and what it is where nobody chose."""

    least: int
    most: int
    default: int


BOUNDS: Final[Mapping[str, Bounds]] = MappingProxyType(
    {
        "turn_seconds": Bounds(10, 3_600, 120),
        "reserve_seconds": Bounds(0, 7_200, 300),
        "turn_days": Bounds(1, 14, 3),
        "vacation_days": Bounds(0, 28, 14),
    }
)


def check(message: play_pb2.TableRules, pace: int) -> None:
    """Raise `InvalidTableRules` unless tables may agree on this, `pace` being said beside it."""
    for field, said in (("rules.pace", message.pace), ("pace", pace)):
        if said not in play_pb2.Pace.values():
            raise InvalidTableRules(field, f"{said} is not a pace")
    if message.absence not in play_pb2.AbsenceRule.values():
        raise InvalidTableRules("rules.absence", f"{message.absence} is not an absence rule")
    if len(message.sitter) > MAX_AGENT or not message.sitter.isprintable():
        problem = f"must be at most {MAX_AGENT} printable characters"
        raise InvalidTableRules("rules.sitter", problem)
    # Only what was said: what was not has its default.
    for descriptor, value in message.ListFields():
        bounds = BOUNDS.get(descriptor.name)
        if bounds is not None and not bounds.least <= value <= bounds.most:
            problem = f"must be {bounds.least} to {bounds.most}"
            raise InvalidTableRules(f"rules.{descriptor.name}", problem)


def chosen(message: play_pb2.TableRules, field: str) -> int:
    """A number that was said, or else its default. For the length of a turn 0 says nothing."""
    said = {descriptor.name: value for descriptor, value in message.ListFields()}
    return int(said.get(field, BOUNDS[field].default))
