"""What was agreed at a table beside the game's options, complete. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from oddsocks.play.v1 import play_pb2
from services.common.errors import invalid_field
from services.wire.table_rules import SITTER, InvalidTableRules, check, chosen

SECOND_MS: Final = 1_000
DAY_MS: Final = 86_400 * SECOND_MS


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
    try:
        check(message, pace)
    except InvalidTableRules as error:
        raise invalid_field(error.field, str(error)) from error
    pace = message.pace or pace or play_pb2.PACE_LIVE
    seconds, reserve = chosen(message, "turn_seconds"), chosen(message, "reserve_seconds")
    days, vacation = chosen(message, "turn_days"), chosen(message, "vacation_days")
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
