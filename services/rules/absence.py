"""What happens in a match because somebody is not there, or is there again. Pure.

Like in `wishes`, each function returns what happens, or raises `RefusedError`.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.engine.core import Action, InvalidNotation, Seat
from services.rules.life import EventKind, SeatState
from services.rules.match import (
    Draw,
    MatchEvent,
    MatchInfo,
    Move,
    Position,
    Step,
    advance,
    check_revision,
    play,
)
from services.rules.turn_clock import (
    Time,
    TurnClock,
    deadline,
    first_clock,
    go_on,
    take_vacation,
    timed_out,
)
from services.rules.wishes import Wish, check_person, persons

ORIGIN: Final = "time"
"""The origin of a pass that nobody chose."""
PASSES: Final = ("pass", "end")
"""The notations of doing nothing, or nothing more, in games that know it."""


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The time of the seat to act is up, as seen at a revision."""

    seat: Seat
    expected_revision: int


@dataclass(frozen=True, slots=True)
class ComeBack:
    """A seat's person is back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Vacation:
    """A seat's person goes on vacation, or with length 0 is back from it."""

    seat: Seat
    length_ms: int


Wanted: TypeAlias = Wish | ComeBack | Vacation | TimeUp
"""All that may be asked of a match: by people, agents, or the sweep."""

Timed: TypeAlias = tuple[Step, TurnClock]
"""What happens, and what the clock has become by it, before it goes on (`with_clock`)."""


def with_clock(
    info: MatchInfo, before: Position, step: Step, clock: TurnClock, served_ms: int
) -> Step:
    """The step with the clock it leads to, from what `before`'s clock has become by now."""
    after = step.after
    was, life, revision = before.life, after.life, after.revision
    clock = go_on(info.rules, clock, was, life, after.actor, served_ms, revision=revision)
    return Step(step.events, replace(after, clock=clock))


def clock_of(info: MatchInfo, position: Position) -> TurnClock:
    """The clock of a match that is stored without one: it starts with the turn under way."""
    clock, life = first_clock(info.rules, info.persons), position.life
    now_ms, revision = position.acting_since_ms, position.revision
    return go_on(info.rules, clock, life, life, position.actor, now_ms, revision=revision)


def time_up(info: MatchInfo, position: Position, wish: TimeUp, draw: Draw, time: Time) -> Timed:
    """What the table chose for when time is up.

    Raises `RefusedError` STALE_REVISION where it is not, or not any more.
    """
    check_revision(position, wish.expected_revision)
    clock, seat, now_ms = position.clock, wish.seat, time.now_ms
    due_ms = deadline(info.rules, clock, position.life)
    if due_ms is None or due_ms > time.served_ms or position.actor != seat:
        raise RefusedError(
            ErrorReason.ERROR_REASON_STALE_REVISION,
            "the time is not up",
            revision=position.revision,
        )
    if not clock.attended or info.rules.turn_ms is None:
        return _happens(info, position, EventKind.ABANDON, seat, now_ms), clock
    clock = timed_out(clock, seat)
    if info.rules.absence == play_pb2.ABSENCE_RULE_PASS:
        step = _pass(info, position, seat, draw, now_ms)
    elif info.rules.absence == play_pb2.ABSENCE_RULE_FORFEIT:
        step = _happens(info, position, EventKind.FORFEIT, seat, now_ms)
        if step.after.outcome is None and not persons(info, step.after.life):
            last = _happens(info, step.after, EventKind.ABANDON, seat, now_ms)
            step = Step(step.events + last.events, last.after)
    else:
        step = _happens(info, position, EventKind.SIT, seat, now_ms)
    return step, clock


def come_back(info: MatchInfo, position: Position, wish: ComeBack, now_ms: int) -> Step:
    """A sitter's seat is its person's again, at once or at its next turn.

    The turn under way is the sitter's to finish, so that coming back is no way to more time. Where
    nothing is to be taken back, the step has no events. Raises `RefusedError`: MATCH_FINISHED,
    NOT_YOUR_SEAT for a seat that was given up.
    """
    check_person(position, wish.seat)
    time = position.clock.seats[wish.seat]
    missed = time is not None and time.missed > 0
    if position.life.state(wish.seat) is not SeatState.SITTER and not missed:
        return Step((), position)
    return _happens(info, position, EventKind.RETURN, wish.seat, now_ms)


def vacation(
    info: MatchInfo, position: Position, clock: TurnClock, wish: Vacation, time: Time
) -> Timed:
    """A vacation begins, or ends; and `clock` with it. Where there is none to end, nothing happens.

    Raises `RefusedError`: MATCH_FINISHED, NOT_YOUR_SEAT for a seat that was given up, and like
    `take_vacation`.
    """
    check_person(position, wish.seat)
    before = clock
    clock = take_vacation(info.rules, clock, wish.seat, wish.length_ms, time.served_ms)
    if clock == before == position.clock:
        return Step((), position), clock
    step = _happens(info, position, EventKind.VACATION, wish.seat, time.now_ms, wish.length_ms)
    return step, clock


def _happens(
    info: MatchInfo,
    position: Position,
    kind: EventKind,
    seat: Seat,
    now_ms: int,
    length_ms: int | None = None,
) -> Step:
    time_ms = position.time(now_ms)
    event = MatchEvent(position.revision, seat, "", time_ms, kind=kind, length_ms=length_ms)
    return Step((event,), advance(info, position, event))


def _pass(info: MatchInfo, position: Position, seat: Seat, draw: Draw, now_ms: int) -> Step:
    """The seat does nothing until its turn is over; where it has to act, a sitter does."""
    events: list[MatchEvent] = []
    while position.actor == seat and not info.agent_to_act(position):
        passing = _passing(info, position)
        if passing is None:
            step = _happens(info, position, EventKind.SIT, seat, now_ms)
        else:
            move = Move(seat, position.revision, passing, ORIGIN)
            step = play(info, position, move, draw, now_ms)
        events += step.events
        position = step.after
    return Step(tuple(events), position)


def _passing(info: MatchInfo, position: Position) -> Action | None:
    """The action of doing nothing, where one is legal."""
    for text in PASSES:
        with contextlib.suppress(InvalidNotation):
            action = info.ruleset.parse_action(text)
            if info.ruleset.is_legal(position.state, action):
                return action
    return None
