"""What was agreed at a table beside the game's options, with its defaults and bounds. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from oddsocks.play.v1 import play_pb2
from services.common.errors import invalid_field

SECOND_MS: Final = 1_000
DAY_MS: Final = 86_400 * SECOND_MS

TURN_SECONDS: Final = (10, 3_600, 120)
"""Least, most, default; so below."""
RESERVE_SECONDS: Final = (0, 7_200, 300)
TURN_DAYS: Final = (1, 14, 3)
VACATION_DAYS: Final = (0, 28, 14)
SITTER: Final = "random"
"""Every game has an agent of this name. To this service it is no more than a name."""
MAX_AGENT: Final = 100


@dataclass(frozen=True, slots=True)
class TableRules:
    """The contract's `TableRules`, complete. Lengths are in milliseconds.

    `turn_ms` is None where turns have no end, as in matches from before there were clocks.
    `reserve_ms` is 0 in a match over days, `vacation_ms` in a live one. `pace` and `absence` are
    the contract's numbers.
    """

    pace: int
    turn_ms: int | None = None
    reserve_ms: int = 0
    vacation_ms: int = 0
    absence: int = play_pb2.ABSENCE_RULE_SITTER
    sitter: str = SITTER
    spectators: bool = False
    undo: bool = True
    takeback: bool = True
    hints: bool = True


UNTIMED: Final = TableRules(pace=play_pb2.PACE_LIVE)
"""What holds where nobody agreed on anything."""


def read_rules(message: play_pb2.TableRules, pace: int, players: int) -> TableRules:
    """The rules of a new match with so many different players, defaults filled in.

    `pace` is what was said beside the rules. Who asks for no length of a turn, and has nobody who
    waits for it, gets turns without an end. Raises `RefusedError` INVALID_FIELD, naming the field.
    """
    for field, said in (("rules.pace", message.pace), ("pace", pace)):
        if said not in play_pb2.Pace.values():
            raise invalid_field(field, f"{said} is not a pace")
    pace = message.pace or pace or play_pb2.PACE_LIVE
    if message.absence not in play_pb2.AbsenceRule.values():
        raise invalid_field("rules.absence", f"{message.absence} is not an absence rule")
    if len(message.sitter) > MAX_AGENT or not message.sitter.isprintable():
        raise invalid_field("rules.sitter", f"must be at most {MAX_AGENT} printable characters")
    reserve = message.reserve_seconds if message.HasField("reserve_seconds") else None
    vacation = message.vacation_days if message.HasField("vacation_days") else None
    seconds = _within("rules.turn_seconds", message.turn_seconds or None, TURN_SECONDS)
    reserve = _within("rules.reserve_seconds", reserve, RESERVE_SECONDS)
    days = _within("rules.turn_days", message.turn_days or None, TURN_DAYS)
    vacation = _within("rules.vacation_days", vacation, VACATION_DAYS)
    live = pace == play_pb2.PACE_LIVE
    turn_ms: int | None = seconds * SECOND_MS if live else days * DAY_MS
    if players < 2 and not (message.turn_seconds if live else message.turn_days):
        turn_ms = None
    return TableRules(
        pace=pace,
        turn_ms=turn_ms,
        reserve_ms=reserve * SECOND_MS if live and turn_ms is not None else 0,
        vacation_ms=0 if live or turn_ms is None else vacation * DAY_MS,
        absence=message.absence or play_pb2.ABSENCE_RULE_SITTER,
        sitter=message.sitter or SITTER,
        spectators=message.spectators,
        undo=not message.HasField("undo") or message.undo,
        takeback=not message.HasField("takeback") or message.takeback,
        hints=not message.HasField("hints") or message.hints,
    )


def rules_to_message(rules: TableRules) -> play_pb2.TableRules:
    """The message that shows the rules of a match."""
    live = rules.pace == play_pb2.PACE_LIVE
    turn_ms = rules.turn_ms or 0
    return play_pb2.TableRules(
        pace=play_pb2.Pace.ValueType(rules.pace),
        turn_seconds=turn_ms // SECOND_MS if live else 0,
        reserve_seconds=rules.reserve_ms // SECOND_MS if live else None,
        turn_days=0 if live else turn_ms // DAY_MS,
        absence=play_pb2.AbsenceRule.ValueType(rules.absence),
        sitter=rules.sitter,
        vacation_days=None if live else rules.vacation_ms // DAY_MS,
        spectators=rules.spectators,
        undo=rules.undo,
        takeback=rules.takeback,
        hints=rules.hints,
    )


def _within(field: str, value: int | None, bounds: tuple[int, int, int]) -> int:
    least, most, default = bounds
    if value is None:
        return default
    if not least <= value <= most:
        raise invalid_field(field, f"must be {least} to {most}")
    return value
