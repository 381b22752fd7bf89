"""Whose time runs, how much of it is left, and who is there. Pure.

All times in here are *served* milliseconds: milliseconds since 1970 UTC, less all the time in
which no server was there to be played with (`uptime`). So nobody's time runs while nobody can act.

A turn is all that a seat does until another one is to act. Its clock starts once, whatever happens
within it: undoing and acting again gives no time back, and a reserve never grows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError, invalid_field
from services.engine.core import Seat
from services.rules.table_rules import DAY_MS, TableRules

GRACE_MS: Final = 10 * 60 * 1_000
"""How long a live match waits when nobody is there any more; one over days waits a turn."""
IDLE_MS: Final = 30 * DAY_MS
"""How long one waits whose turns have no end."""
SHORT_MS: Final = 12 * 3_600 * 1_000
"""Over days, time is short when a quarter of the turn is left, and never longer before its end."""
MISSES: Final = 2
"""Who lets so many turns pass in a row is not there."""


class Presence(IntEnum):
    """Who acts for a person's seat; the contract's `SeatState`."""

    PRESENT = play_pb2.SEAT_STATE_PRESENT
    SITTER = play_pb2.SEAT_STATE_SITTER
    RETURNING = play_pb2.SEAT_STATE_RETURNING
    GIVEN_UP = play_pb2.SEAT_STATE_GIVEN_UP


@dataclass(frozen=True, slots=True)
class Vacation:
    """From when until when, served milliseconds."""

    start_ms: int
    end_ms: int

    def overlap(self, start_ms: int, end_ms: int) -> int:
        """How much of it lies between two times."""
        return max(0, min(self.end_ms, end_ms) - max(self.start_ms, start_ms))


@dataclass(frozen=True, slots=True)
class SeatTime:
    """What a person's seat has left. `missed` counts the turns in a row that time ended."""

    reserve_ms: int
    vacation_left_ms: int
    presence: Presence = Presence.PRESENT
    missed: int = 0
    vacation: Vacation | None = None

    @property
    def there(self) -> bool:
        """Whether its person still takes part."""
        return self.presence <= Presence.PRESENT and self.missed < MISSES or self.returning

    @property
    def returning(self) -> bool:
        """Whether its person takes over at the next turn."""
        return self.presence == Presence.RETURNING

    @property
    def played_by_person(self) -> bool:
        """Whether its person is the one to act."""
        return self.presence == Presence.PRESENT


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The clock of a match at one revision.

    `turn_of` is the seat whose turn began at `since_ms`; None before the first turn and after the
    end. `seats` holds None for seats that agents have from the beginning. `deserted_ms` is since
    when none of the persons is there.
    """

    turn_of: Seat | None = None
    since_ms: int = 0
    seats: tuple[SeatTime | None, ...] = ()
    deserted_ms: int | None = None

    def persons(self) -> list[SeatTime]:
        """The seats of persons."""
        return [seat for seat in self.seats if seat is not None]

    def agent_plays(self, seat: Seat) -> bool:
        """Whether an agent acts for a seat: its own, or a sitter."""
        time = self.seats[seat]
        return time is None or not time.played_by_person

    @property
    def abandoned(self) -> bool:
        """Whether all persons have given up their seats."""
        return all(seat.presence == Presence.GIVEN_UP for seat in self.persons()) and any(
            self.persons()
        )


def first_clock(rules: TableRules, persons: Sequence[bool]) -> TurnClock:
    """The clock before the first turn; `persons` says for each seat whether a person has it."""
    fresh = SeatTime(rules.reserve_ms, rules.vacation_ms)
    return TurnClock(seats=tuple(fresh if person else None for person in persons))


def turn(rules: TableRules, clock: TurnClock, actor: Seat | None, now_ms: int) -> TurnClock:
    """The clock once `actor` is to act; None: nobody, the match is over.

    The turn before ends if it was another seat's: overtime comes off that seat's reserve, and
    whoever is back takes over.
    """
    if actor == clock.turn_of:
        return clock
    before = clock.turn_of
    time = None if before is None else clock.seats[before]
    if before is not None and time is not None:
        if time.returning:
            time = replace(time, presence=Presence.PRESENT, missed=0)
        elif time.played_by_person and rules.turn_ms is not None:
            over = max(0, _running(clock, time, now_ms) - rules.turn_ms)
            time = replace(time, reserve_ms=max(0, time.reserve_ms - over))
        clock = _seated(clock, before, time)
    return replace(clock, turn_of=actor, since_ms=now_ms)


def deadline(rules: TableRules, clock: TurnClock) -> int | None:
    """When something is to happen although nobody acts; None: nothing ever.

    No clock runs for agents, who act by themselves.
    """
    if clock.turn_of is None or not clock.persons():
        return None
    if clock.deserted_ms is not None:
        return clock.deserted_ms + _grace(rules)
    time = clock.seats[clock.turn_of]
    if time is None or not time.played_by_person:
        return None
    length = IDLE_MS if rules.turn_ms is None else rules.turn_ms + time.reserve_ms
    return _after(clock.since_ms, length, time.vacation)


def reserve_from(rules: TableRules, clock: TurnClock) -> int | None:
    """When the reserve of the seat to act begins to run; None where there is none."""
    time = None if clock.turn_of is None else clock.seats[clock.turn_of]
    if time is None or rules.turn_ms is None or not time.reserve_ms or not time.played_by_person:
        return None
    return _after(clock.since_ms, rules.turn_ms, time.vacation)


def short_from(rules: TableRules, clock: TurnClock) -> int | None:
    """When somebody who is not looking should be told that time is short; None: never."""
    time = None if clock.turn_of is None else clock.seats[clock.turn_of]
    if time is None or not time.played_by_person or clock.deserted_ms is not None:
        return None
    if rules.pace != play_pb2.PACE_DAYS or rules.turn_ms is None:
        return None
    left = min(rules.turn_ms // 4, SHORT_MS)
    return _after(clock.since_ms, rules.turn_ms - left, time.vacation)


def acted(clock: TurnClock, seat: Seat, now_ms: int) -> TurnClock:
    """The clock once the seat's person has acted: they are there, whatever was before."""
    time = clock.seats[seat]
    if time is None or time.played_by_person and time.missed == 0:
        return clock
    if not time.played_by_person:
        # What is left of this turn is theirs.
        clock = replace(clock, since_ms=now_ms)
    time = replace(time, presence=Presence.PRESENT, missed=0)
    return _attended(_seated(clock, seat, time), now_ms)


def come_back(clock: TurnClock, seat: Seat, now_ms: int) -> TurnClock:
    """The clock once the seat's person is back.

    They take over at the seat's next turn: the one under way is the sitter's, so that coming back
    is no way to a longer turn. Where everybody had gone nobody has waited, and they take over now.
    Raises `RefusedError` NOT_YOUR_SEAT for a seat that was given up.
    """
    time = _persons(clock, seat)
    if time.presence == Presence.SITTER and clock.turn_of == seat and clock.deserted_ms is None:
        return _seated(clock, seat, replace(time, presence=Presence.RETURNING))
    if time.presence == Presence.RETURNING:
        return clock
    time = replace(time, presence=Presence.PRESENT, missed=0)
    return _attended(_seated(clock, seat, time), now_ms)


def let_pass(clock: TurnClock, seat: Seat, now_ms: int) -> TurnClock:
    """The clock once time has made a seat pass."""
    time = _persons(clock, seat)
    time = replace(time, reserve_ms=0, missed=time.missed + 1)
    return _attended(_seated(clock, seat, time), now_ms)


def sit(clock: TurnClock, seat: Seat, now_ms: int) -> TurnClock:
    """The clock once a sitter plays a seat. Its reserve has been used up."""
    time = replace(_persons(clock, seat), reserve_ms=0, presence=Presence.SITTER)
    return _attended(_seated(clock, seat, time), now_ms)


def give_up(clock: TurnClock, seat: Seat, now_ms: int) -> TurnClock:
    """The clock once a seat is given up for good."""
    time = SeatTime(reserve_ms=0, vacation_left_ms=0, presence=Presence.GIVEN_UP)
    return _attended(_seated(clock, seat, time), now_ms)


def go_on_vacation(
    rules: TableRules, clock: TurnClock, seat: Seat, length_ms: int, now_ms: int
) -> TurnClock:
    """The clock with the seat on vacation from now on; 0 ends one. Its time does not run then.

    What was not used of a vacation is given back. Raises `RefusedError`: INVALID_FIELD for more
    than is left, TABLE_FORBIDS in a match without, NOT_YOUR_SEAT unless its person plays.
    """
    time = _persons(clock, seat)
    if length_ms and not rules.vacation_ms:
        raise RefusedError(
            ErrorReason.ERROR_REASON_TABLE_FORBIDS,
            "this match has no vacations",
            rule="vacation_days",
        )
    since_ms = clock.since_ms
    if time.vacation is not None:
        if clock.turn_of == seat:
            since_ms += time.vacation.overlap(since_ms, now_ms)
        back = time.vacation.overlap(now_ms, time.vacation.end_ms)
        time = replace(time, vacation_left_ms=time.vacation_left_ms + back, vacation=None)
    if not 0 <= length_ms <= time.vacation_left_ms:
        raise invalid_field("days", f"must be 0 to {time.vacation_left_ms // DAY_MS}")
    if length_ms:
        time = replace(
            time,
            vacation_left_ms=time.vacation_left_ms - length_ms,
            vacation=Vacation(now_ms, now_ms + length_ms),
        )
    return _seated(replace(clock, since_ms=since_ms), seat, time)


def _running(clock: TurnClock, time: SeatTime, now_ms: int) -> int:
    """How long the turn of a seat has taken."""
    off = 0 if time.vacation is None else time.vacation.overlap(clock.since_ms, now_ms)
    return max(0, now_ms - clock.since_ms - off)


def _after(since_ms: int, length_ms: int, vacation: Vacation | None) -> int:
    """When so much time has run since then, outside of the vacation."""
    end_ms = since_ms + length_ms
    if vacation is None or vacation.start_ms >= end_ms:
        return end_ms
    return end_ms + vacation.overlap(since_ms, vacation.end_ms)


def _grace(rules: TableRules) -> int:
    if rules.turn_ms is None:
        return GRACE_MS
    return rules.turn_ms if rules.pace == play_pb2.PACE_DAYS else max(GRACE_MS, rules.turn_ms)


def _persons(clock: TurnClock, seat: Seat) -> SeatTime:
    time = clock.seats[seat]
    if time is None or time.presence == Presence.GIVEN_UP:
        raise RefusedError(
            ErrorReason.ERROR_REASON_NOT_YOUR_SEAT, f"seat {seat} is no person's any more"
        )
    return time


def _seated(clock: TurnClock, seat: Seat, time: SeatTime) -> TurnClock:
    return replace(clock, seats=(*clock.seats[:seat], time, *clock.seats[seat + 1 :]))


def _attended(clock: TurnClock, now_ms: int) -> TurnClock:
    """The clock after a change of who is there: it stops when nobody is, and starts anew."""
    persons = clock.persons()
    if any(time.there for time in persons) or not persons:
        if clock.deserted_ms is None:
            return clock
        return replace(clock, deserted_ms=None, since_ms=now_ms)
    if clock.deserted_ms is not None:
        return clock
    return replace(clock, deserted_ms=now_ms)
