"""What people ask for beside the game: to undo, to take back, to end, to give up. Pure.

Each function returns the events of its wish and the position they lead to, or raises
`RefusedError`. Agents ask for nothing and object to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.engine.core import Seat
from services.rules.life import RESTORES, Ask, EventKind, Life, SeatState
from services.rules.match import (
    MatchEvent,
    MatchInfo,
    Move,
    Position,
    Step,
    advance,
    check_revision,
    check_running,
)
from services.rules.refusals import not_your_seat


@dataclass(frozen=True, slots=True)
class Undo:
    """A seat's person undoes its last action, at the revision they have seen."""

    seat: Seat
    expected_revision: int


@dataclass(frozen=True, slots=True)
class AskTakeback:
    """A seat's person asks to take back its last action and all since."""

    seat: Seat
    expected_revision: int


@dataclass(frozen=True, slots=True)
class OfferEnd:
    """A seat's person offers to end the match without a winner."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's person answers what was asked at `ask_revision`."""

    seat: Seat
    ask_revision: int
    agree: bool


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat's person gives it up."""

    seat: Seat


Wish: TypeAlias = Move | Undo | AskTakeback | OfferEnd | Answer | Resign


def undo(info: MatchInfo, position: Position, wish: Undo, before: Position, now_ms: int) -> Step:
    """Back to `before`, the position at the revision that `undo_target` names."""
    to_revision = undo_target(info, position, wish)
    assert before.revision == to_revision
    steps = _Steps(info, position, now_ms)
    steps.add(EventKind.UNDO, wish.seat, to_revision, info.ruleset.format_state(before.state))
    return steps.done()


def undo_target(info: MatchInfo, position: Position, wish: Undo) -> int:
    """The revision to go back to; raises `RefusedError` where the seat may not undo."""
    check_revision(position, wish.expected_revision)
    check_person(position, wish.seat)
    _check_rule(info.rules.undo, "undo")
    if position.actor != wish.seat or not may_undo(info, position, wish.seat):
        raise _cannot_undo()
    return position.life.undoable[-1]


def may_undo(info: MatchInfo, position: Position, seat: Seat) -> bool:
    """Whether the seat's person may undo its last action now."""
    return (
        info.rules.undo
        and position.actor == seat
        and info.agent_of(position, seat) is None
        and bool(position.life.undoable)
    )


def ask_takeback(
    info: MatchInfo,
    position: Position,
    wish: AskTakeback,
    history: Sequence[MatchEvent],
    now_ms: int,
) -> Step:
    """Ask for it. With nobody to be asked, the caller goes on with `conclude`."""
    check_revision(position, wish.expected_revision)
    check_person(position, wish.seat)
    _check_rule(info.rules.takeback, "takeback")
    _check_may_ask(position.life, wish.seat)
    own = [event.revision for event in standing(history) if event.actor == wish.seat]
    if not own:
        raise _cannot_undo()
    steps = _Steps(info, position, now_ms)
    steps.add(EventKind.ASK_TAKEBACK, wish.seat, own[-1])
    return steps.done()


def offer_end(info: MatchInfo, position: Position, wish: OfferEnd, now_ms: int) -> Step:
    """Offer it."""
    check_person(position, wish.seat)
    _check_may_ask(position.life, wish.seat)
    steps = _Steps(info, position, now_ms)
    steps.add(EventKind.OFFER_END, wish.seat)
    return steps.done()


def answer(info: MatchInfo, position: Position, wish: Answer, now_ms: int) -> Step:
    """Agree or decline; the asker declines to take the question back."""
    check_person(position, wish.seat)
    ask = position.life.ask
    waiting = waiting_for(info, position.life)
    withdraws = ask is not None and _same_person(info, wish.seat, ask.seat) and not wish.agree
    if ask is None or ask.revision != wish.ask_revision or not (wish.seat in waiting or withdraws):
        raise RefusedError(ErrorReason.ERROR_REASON_ASK_LAPSED, "this is not asked, or no more")
    steps = _Steps(info, position, now_ms)
    steps.add(EventKind.AGREE if wish.agree else EventKind.DECLINE, wish.seat)
    return steps.done()


def resign(info: MatchInfo, position: Position, wish: Resign, now_ms: int) -> Step:
    """Give the seat up: the end with two seats, and when the last person goes."""
    check_person(position, wish.seat)
    steps = _Steps(info, position, now_ms)
    steps.add(EventKind.RESIGN, wish.seat)
    if steps.position.outcome is None and not persons(info, steps.position.life):
        steps.add(EventKind.ABANDON, wish.seat)
    return steps.done()


def all_agreed(info: MatchInfo, position: Position) -> Ask | None:
    """What is asked and has everybody's consent; None: nothing has."""
    ask = position.life.ask
    return ask if ask is not None and not waiting_for(info, position.life) else None


def conclude(info: MatchInfo, step: Step, ask: Ask, before: Position | None, now_ms: int) -> Step:
    """The step with what was agreed to at its end; `before` is the position at `to_revision`."""
    steps = _Steps(info, step.after, now_ms, list(step.events))
    if ask.to_revision is None:
        steps.add(EventKind.END, ask.seat)
    else:
        assert before is not None
        assert before.revision == ask.to_revision
        restored = info.ruleset.format_state(before.state)
        steps.add(EventKind.TAKEBACK, ask.seat, ask.to_revision, restored)
    return steps.done()


def waiting_for(info: MatchInfo, life: Life) -> tuple[Seat, ...]:
    """The seats whose people have yet to answer what is asked."""
    if life.ask is None:
        return ()
    agreed = {info.seats[seat].player_id for seat in life.ask.agreed}
    return tuple(seat for seat in persons(info, life) if info.seats[seat].player_id not in agreed)


def check_person(position: Position, seat: Seat) -> None:
    """Raise `RefusedError` unless the match goes on and the seat is not given up."""
    check_running(position)
    if position.life.state(seat) is SeatState.GIVEN_UP:
        raise not_your_seat(seat)


def persons(info: MatchInfo, life: Life) -> tuple[Seat, ...]:
    """The seats that people have, away for a while or not."""
    return tuple(
        seat
        for seat, who in enumerate(info.seats)
        if who.player_id is not None and life.state(seat) is not SeatState.GIVEN_UP
    )


def standing(history: Sequence[MatchEvent]) -> list[MatchEvent]:
    """The actions of a match that were not undone or taken back."""
    actions: list[MatchEvent] = []
    for event in history:
        if event.kind is EventKind.ACTION:
            actions.append(event)
        elif event.kind in RESTORES:
            assert event.to_revision is not None
            while actions and actions[-1].revision >= event.to_revision:
                actions.pop()
    return actions


class _Steps:
    """Events one after another, and where they lead."""

    def __init__(
        self,
        info: MatchInfo,
        position: Position,
        now_ms: int,
        events: list[MatchEvent] | None = None,
    ) -> None:
        self.info, self.position, self.now_ms = info, position, position.time(now_ms)
        self.events = [] if events is None else events

    def add(
        self,
        kind: EventKind,
        seat: Seat,
        to_revision: int | None = None,
        restored: str | None = None,
    ) -> None:
        event = MatchEvent(
            self.position.revision,
            seat,
            "",
            self.now_ms,
            kind=kind,
            to_revision=to_revision,
            restored=restored,
        )
        self.events.append(event)
        self.position = advance(self.info, self.position, event)

    def done(self) -> Step:
        return Step(tuple(self.events), self.position)


def _check_rule(allowed: bool, rule: str) -> None:
    if not allowed:
        raise RefusedError(
            ErrorReason.ERROR_REASON_TABLE_FORBIDS, f"this table plays without {rule}", rule=rule
        )


def _check_may_ask(life: Life, seat: Seat) -> None:
    if life.ask is not None or seat in life.asked:
        raise RefusedError(
            ErrorReason.ERROR_REASON_ASK_PENDING,
            "something is asked already, or this seat has asked since the last action",
        )


def _cannot_undo() -> RefusedError:
    return RefusedError(
        ErrorReason.ERROR_REASON_CANNOT_UNDO, "this seat has no action that could be taken back"
    )


def _same_person(info: MatchInfo, one: Seat, other: Seat) -> bool:
    return info.seats[one].player_id == info.seats[other].player_id
