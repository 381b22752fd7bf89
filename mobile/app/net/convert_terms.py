"""What stands beside the games on the wire: agreements, clocks, questions, wishes."""

from __future__ import annotations

from typing import Any

from app.model.terms import Absence, Ask, Clock, Pace, Said, SeatClock, SeatState, Terms
from oddsocks.play.v1 import play_pb2 as play

_ABSENCE = {
    Absence.SITTER: play.ABSENCE_RULE_SITTER,
    Absence.PASS: play.ABSENCE_RULE_PASS,
    Absence.FORFEIT: play.ABSENCE_RULE_FORFEIT,
}
_ABSENCE_BACK = {number: absence for absence, number in _ABSENCE.items()}
_STATES = {
    play.SEAT_STATE_PRESENT: SeatState.PRESENT,
    play.SEAT_STATE_SITTER: SeatState.SITTER,
    play.SEAT_STATE_RETURNING: SeatState.RETURNING,
    play.SEAT_STATE_GIVEN_UP: SeatState.GIVEN_UP,
}
_SAID = {
    play.CONTROL_KIND_UNDO: Said.UNDO,
    play.CONTROL_KIND_ASK_TAKEBACK: Said.ASK_TAKEBACK,
    play.CONTROL_KIND_OFFER_END: Said.OFFER_END,
    play.CONTROL_KIND_AGREE: Said.AGREE,
    play.CONTROL_KIND_DECLINE: Said.DECLINE,
    play.CONTROL_KIND_TAKEBACK: Said.TAKEBACK,
    play.CONTROL_KIND_END: Said.END,
    play.CONTROL_KIND_RESIGN: Said.RESIGN,
    play.CONTROL_KIND_ABANDON: Said.ABANDON,
    play.CONTROL_KIND_SIT: Said.SIT,
    play.CONTROL_KIND_RETURN: Said.RETURN,
    play.CONTROL_KIND_FORFEIT: Said.FORFEIT,
    play.CONTROL_KIND_VACATION: Said.VACATION,
}


def terms(message: play.TableRules, pace: int) -> Terms:
    """`pace` is what stands beside the rules, for those that name none."""
    days = (message.pace or pace) == play.PACE_DAYS
    return Terms(
        pace=Pace.DAYS if days else Pace.LIVE,
        turn_seconds=message.turn_seconds,
        reserve_seconds=_given(message, "reserve_seconds"),
        turn_days=message.turn_days,
        absence=_ABSENCE_BACK.get(message.absence, Absence.SITTER),
        sitter=message.sitter,
        vacation_days=_given(message, "vacation_days"),
        spectators=message.spectators,
        undo=_given(message, "undo") is not False,
        takeback=_given(message, "takeback") is not False,
        hints=_given(message, "hints") is not False,
    )


def terms_to(value: Terms) -> play.TableRules:
    return play.TableRules(
        pace=play.PACE_DAYS if value.pace is Pace.DAYS else play.PACE_LIVE,
        turn_seconds=value.turn_seconds,
        reserve_seconds=value.reserve_seconds,
        turn_days=value.turn_days,
        absence=_ABSENCE[value.absence],
        sitter=value.sitter,
        vacation_days=value.vacation_days,
        spectators=value.spectators,
        undo=value.undo,
        takeback=value.takeback,
        hints=value.hints,
    )


def clock(message: play.Clock) -> Clock:
    return Clock(
        deadline_ms=_given(message, "deadline_ms"),
        reserve_from_ms=_given(message, "reserve_from_ms"),
        now_ms=message.now_ms,
        seats=tuple(
            SeatClock(
                one.seat,
                one.reserve_left_ms,
                _given(one, "vacation_until_ms"),
                one.vacation_left_ms,
            )
            for one in message.seats
        ),
    )


def ask(message: play.Ask) -> Ask:
    return Ask(
        kind=_SAID.get(message.kind, Said.UNKNOWN),
        seat=message.seat,
        revision=message.revision,
        waiting=tuple(message.waiting),
    )


def said(message: play.Control) -> Said:
    return _SAID.get(message.kind, Said.UNKNOWN)


def away(seat: play.Seat) -> dict[str, Any]:
    """Who acts for a person's seat, as fields of `Occupant`."""
    return {"state": _STATES.get(seat.state, SeatState.UNKNOWN), "sitter": seat.sitter}


def _given(message: Any, name: str) -> Any:
    return getattr(message, name) if message.HasField(name) else None
