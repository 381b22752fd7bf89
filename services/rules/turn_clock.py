"""Whose time runs, and how much of it is left. Pure.

All times in here are *served* milliseconds: milliseconds since 1970 UTC, less all the time in
which no server was there to be played with (`uptime`). So nobody's time runs while nobody can act.

A turn is all that a seat does until another one is to act. Its clock starts once, whatever happens
within it: undoing and acting again gives no time back, and a reserve never grows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Final, NamedTuple

from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError, invalid_field
from services.engine.core import Seat
from services.rules.life import Life, SeatState
from services.rules.table_rules import DAY_MS, TableRules

GRACE_MS: Final = 10 * 60 * 1_000
"""How long a live match waits when nobody is there any more; one over days waits a turn."""
IDLE_MS: Final = 30 * DAY_MS
"""How long one waits whose turns have no end."""
SHORT_MS: Final = 12 * 3_600 * 1_000
"""Over days, time is short when a quarter of the turn is left, and never longer before its end."""
VACATION_MS: Final = DAY_MS
"""What has begun of a vacation is taken: so much at least."""
MISSES: Final = 2
"""Who lets so many turns pass in a row is not there."""


class Time(NamedTuple):
    """Now, by the server's clock, and how much time was lost so far, in milliseconds."""

    now_ms: int
    lost_ms: int = 0

    @property
    def served_ms(self) -> int:
        """Now, in served milliseconds."""
        return self.now_ms - self.lost_ms

    def shown(self, served_ms: int) -> int:
        """A served time as milliseconds since 1970 UTC, as far as is known now."""
        return served_ms + self.lost_ms


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
    missed: int = 0
    vacation: Vacation | None = None


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The clock of a match at one revision.

    `turn_of` is the seat whose turn began at `since_ms`, with `turn_revision`; None before the
    first turn and after the end. `seats` holds None for seats that agents have from the beginning.
    `deserted_ms` is since when none of the persons is there.
    """

    turn_of: Seat | None = None
    since_ms: int = 0
    seats: tuple[SeatTime | None, ...] = ()
    deserted_ms: int | None = None
    turn_revision: int = 0

    @property
    def attended(self) -> bool:
        """Whether anybody is there to play with; also where no persons ever were."""
        return self.deserted_ms is None

    def agent_plays(self, life: Life, seat: Seat) -> bool:
        """Whether an agent acts for a seat: its own, or one that sits there for its person."""
        return self.seats[seat] is None or life.state(seat) != SeatState.PRESENT


STOPPED: Final = TurnClock()
"""The clock of a match without seats: where it is not known, or does not matter."""


def first_clock(rules: TableRules, persons: Sequence[bool]) -> TurnClock:
    """The clock before the first turn; `persons` says for each seat whether a person has it."""
    fresh = SeatTime(rules.reserve_ms, rules.vacation_ms)
    return TurnClock(seats=tuple(fresh if person else None for person in persons))


def go_on(
    rules: TableRules,
    clock: TurnClock,
    was: Life,
    life: Life,
    actor: Seat | None,
    now_ms: int,
    *,
    revision: int,
) -> TurnClock:
    """The clock after whatever happened: the seats stood as `was` and stand as `life` now.

    `actor` is who is to act at `revision`; None: nobody, the match is over. When that is another
    seat than before, a new turn begins, and the overtime of the last one comes off its seat's
    reserve. A person who takes over from an agent has a new turn, too.
    """
    before = clock.turn_of
    if actor != before:
        if before is not None:
            clock = _charged(rules, clock, before, now_ms)
        clock = replace(clock, turn_of=actor, since_ms=now_ms, turn_revision=revision)
    elif actor is not None and clock.agent_plays(was, actor) and not clock.agent_plays(life, actor):
        clock = replace(clock, since_ms=now_ms, turn_revision=revision)
    return _attended(clock, life, now_ms)


def acted(clock: TurnClock, seat: Seat) -> TurnClock:
    """The clock once the seat's person has done anything: they are there."""
    time = clock.seats[seat]
    if time is None or time.missed == 0:
        return clock
    return _with(clock, seat, replace(time, missed=0))


def timed_out(clock: TurnClock, seat: Seat) -> TurnClock:
    """The clock once the time of a person's seat has been used up, its reserve included."""
    time = clock.seats[seat]
    assert time is not None, f"seat {seat} is an agent's"
    return _with(clock, seat, replace(time, reserve_ms=0, missed=time.missed + 1))


def deadline(rules: TableRules, clock: TurnClock, life: Life) -> int | None:
    """When something is to happen although nobody acts; None: never.

    No clock runs for agents, who act by themselves.
    """
    if clock.turn_of is None or not any(clock.seats):
        return None
    if clock.deserted_ms is not None:
        return clock.deserted_ms + _grace(rules)
    time = _running(clock, life)
    if time is None:
        return None
    length = IDLE_MS if rules.turn_ms is None else rules.turn_ms + time.reserve_ms
    return _after(clock.since_ms, length, time.vacation)


def reserve_from(rules: TableRules, clock: TurnClock, life: Life) -> int | None:
    """When the reserve of the seat to act begins to run; None where there is none."""
    time = _running(clock, life)
    if time is None or rules.turn_ms is None or time.reserve_ms == 0:
        return None
    return _after(clock.since_ms, rules.turn_ms, time.vacation)


def short_from(rules: TableRules, clock: TurnClock, life: Life) -> int | None:
    """When somebody who is not looking should hear that time is short; None: never."""
    time = _running(clock, life)
    if time is None or rules.turn_ms is None or rules.pace != play_pb2.PACE_DAYS:
        return None
    left_ms = min(rules.turn_ms // 4, SHORT_MS)
    return _after(clock.since_ms, rules.turn_ms - left_ms, time.vacation)


def called_at(clock: TurnClock, life: Life) -> int | None:
    """The revision with which a person's turn began who should hear of it; None: nobody's."""
    return None if _running(clock, life) is None else clock.turn_revision


def vacation_until(time: SeatTime, now_ms: int) -> int | None:
    """Until when a seat is on vacation; None: it is not."""
    if time.vacation is None or time.vacation.end_ms <= now_ms:
        return None
    return time.vacation.end_ms


def take_vacation(
    rules: TableRules, clock: TurnClock, seat: Seat, length_ms: int, now_ms: int
) -> TurnClock:
    """The clock with a person's seat on vacation from now on, or back from one with length 0.

    Its time does not run then. What was not used of a vacation is given back, but each begun
    `VACATION_MS` is taken: else a seat could come and go without end, and so move the match on
    whenever another seat is about to act. Raises `RefusedError`: TABLE_FORBIDS in a match
    without, INVALID_FIELD for more than is left.
    """
    if not rules.vacation_ms:
        raise RefusedError(
            ErrorReason.ERROR_REASON_TABLE_FORBIDS,
            "this match has no vacations",
            rule="vacation_days",
        )
    time = clock.seats[seat]
    assert time is not None, f"seat {seat} is an agent's"
    if time.vacation is not None:
        if clock.turn_of == seat:
            off_ms = time.vacation.overlap(clock.since_ms, now_ms)
            clock = replace(clock, since_ms=clock.since_ms + off_ms)
        unused_ms = time.vacation.overlap(now_ms, time.vacation.end_ms)
        left_ms = time.vacation_left_ms + unused_ms // VACATION_MS * VACATION_MS
        time = replace(time, vacation_left_ms=left_ms, vacation=None)
    if not 0 <= length_ms <= time.vacation_left_ms:
        raise invalid_field("days", f"must be 0 to {time.vacation_left_ms // DAY_MS}")
    if length_ms:
        left_ms = time.vacation_left_ms - length_ms
        vacation = Vacation(now_ms, now_ms + length_ms)
        time = replace(time, vacation_left_ms=left_ms, vacation=vacation)
    return _with(clock, seat, time)


def dump_clock(clock: TurnClock) -> str:
    """The JSON of a clock."""
    return json.dumps(
        {
            "turn_of": clock.turn_of,
            "since_ms": clock.since_ms,
            "deserted_ms": clock.deserted_ms,
            "turn_revision": clock.turn_revision,
            "seats": [None if time is None else astuple(time) for time in clock.seats],
        }
    )


def load_clock(text: str) -> TurnClock:
    """The opposite of `dump_clock`; raises ValueError, KeyError or TypeError for anything else."""
    data = json.loads(text)
    return TurnClock(
        data["turn_of"],
        data["since_ms"],
        tuple(None if time is None else _load_time(*time) for time in data["seats"]),
        data["deserted_ms"],
        data.get("turn_revision", 0),
    )


def deserted(clock: TurnClock, life: Life) -> bool:
    """Whether there are persons, and none of them is there."""
    return any(clock.seats) and not any(
        time is not None
        and time.missed < MISSES
        and life.state(seat) in (SeatState.PRESENT, SeatState.RETURNING)
        for seat, time in enumerate(clock.seats)
    )


def _load_time(
    reserve_ms: int, vacation_left_ms: int, missed: int, vacation: tuple[int, int] | None
) -> SeatTime:
    taken = None if vacation is None else Vacation(*vacation)
    return SeatTime(reserve_ms, vacation_left_ms, missed, taken)


def _running(clock: TurnClock, life: Life) -> SeatTime | None:
    """The seat whose time runs, if any does."""
    seat = clock.turn_of
    if seat is None or clock.deserted_ms is not None or clock.agent_plays(life, seat):
        return None
    return clock.seats[seat]


def _charged(rules: TableRules, clock: TurnClock, seat: Seat, now_ms: int) -> TurnClock:
    """The clock once the turn of a seat is over. A sitter's turn costs nothing: its reserve is 0,
    since that is how the sitter came to be there."""
    time = clock.seats[seat]
    if time is None or rules.turn_ms is None:
        return clock
    took_ms = now_ms - clock.since_ms
    if time.vacation is not None:
        took_ms -= time.vacation.overlap(clock.since_ms, now_ms)
    left_ms = time.reserve_ms - max(0, took_ms - rules.turn_ms)
    return _with(clock, seat, replace(time, reserve_ms=max(0, left_ms)))


def _attended(clock: TurnClock, life: Life, now_ms: int) -> TurnClock:
    """The clock after a change of who is there: it stops when nobody is, and starts anew."""
    gone = deserted(clock, life)
    if gone and clock.deserted_ms is None:
        return replace(clock, deserted_ms=now_ms)
    if not gone and clock.deserted_ms is not None:
        return replace(clock, deserted_ms=None, since_ms=now_ms)
    return clock


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


def _with(clock: TurnClock, seat: Seat, time: SeatTime) -> TurnClock:
    return replace(clock, seats=(*clock.seats[:seat], time, *clock.seats[seat + 1 :]))
