"""Clocks, against a model that lets time pass tick by tick."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.play.v1.play_pb2 import PACE_DAYS, PACE_LIVE
from services.common.errors import RefusedError
from services.rules import turn_clock
from services.rules.life import ALL_THERE, Life, SeatState
from services.rules.table_rules import DAY_MS, UNTIMED, TableRules
from services.rules.turn_clock import (
    GRACE_MS,
    IDLE_MS,
    STOPPED,
    TurnClock,
    acted,
    deadline,
    deserted,
    dump_clock,
    first_clock,
    load_clock,
    reserve_from,
    short_from,
    take_vacation,
    timed_out,
)

LIVE = TableRules(pace=PACE_LIVE, turn_ms=100, reserve_ms=50)
DAYS = TableRules(pace=PACE_DAYS, turn_ms=10 * DAY_MS, vacation_ms=20 * DAY_MS)
TWO = (True, True)
go_on = partial(turn_clock.go_on, revision=7)


def begin(rules: TableRules, now_ms: int = 0, actor: int = 0) -> TurnClock:
    clock = first_clock(rules, TWO)
    return go_on(rules, clock, ALL_THERE, ALL_THERE, actor, now_ms)


def to(rules: TableRules, clock: TurnClock, actor: int | None, now_ms: int) -> TurnClock:
    return go_on(rules, clock, ALL_THERE, ALL_THERE, actor, now_ms)


def left(clock: TurnClock, seat: int) -> int:
    time = clock.seats[seat]
    assert time is not None
    return time.reserve_ms


@dataclass
class Model:
    """Two persons' clocks, a tick at a time."""

    turn: int
    reserves: list[int]
    budgets: list[int]
    actor: int = 0
    now: int = 0
    turn_left: int = 0
    resting: list[int] = field(default_factory=lambda: [0, 0])

    def begin_turn(self, actor: int) -> None:
        self.actor, self.turn_left = actor, self.turn

    def tick(self) -> None:
        self.now += 1
        if self.resting[self.actor] == 0:
            if self.turn_left > 0:
                self.turn_left -= 1
            elif self.reserves[self.actor] > 0:
                self.reserves[self.actor] -= 1
        self.resting = [max(0, ticks - 1) for ticks in self.resting]

    def ticks_to_end(self) -> int:
        """How long until the actor's time is up, if nobody does anything."""
        return self.resting[self.actor] + self.turn_left + self.reserves[self.actor]

    def rest(self, seat: int, ticks: int) -> None:
        self.budgets[seat] += self.resting[seat] // WHOLE * WHOLE - ticks
        self.resting[seat] = ticks


WHOLE = 3
"""A vacation that is cut short is given back in steps of so many ticks."""
WAIT = st.tuples(st.just("wait"), st.integers(1, 9))
MOVE = st.tuples(st.just("move"), st.integers(0, 1))
REST = st.tuples(st.just("rest"), st.integers(0, 1), st.integers(0, 12))


@patch("services.rules.turn_clock.VACATION_MS", WHOLE)
@given(
    turn=st.integers(3, 9),
    reserve=st.integers(0, 9),
    budget=st.integers(1, 20),
    steps=st.lists(st.one_of(WAIT, MOVE, REST), max_size=40),
)
def test_time_runs_as_it_does_tick_by_tick(
    turn: int, reserve: int, budget: int, steps: list[tuple[str, int] | tuple[str, int, int]]
) -> None:
    """Turns, reserves and vacations in any order, until somebody's time is up."""
    rules = TableRules(PACE_LIVE, turn, reserve, budget)
    model = Model(turn, [reserve, reserve], [budget, budget])
    model.begin_turn(0)
    clock = begin(rules)
    for what, *numbers in steps:
        if what == "wait":
            for _ in range(numbers[0]):
                model.tick()
        elif what == "move":
            clock = to(rules, clock, numbers[0], model.now)
            if numbers[0] != model.actor:
                model.begin_turn(numbers[0])
        else:
            seat, length = numbers
            if length > model.budgets[seat] + model.resting[seat] // WHOLE * WHOLE:
                with pytest.raises(RefusedError):
                    take_vacation(rules, clock, seat, length, model.now)
                continue
            model.rest(seat, length)
            clock = take_vacation(rules, clock, seat, length, model.now)
        if model.ticks_to_end() == 0:
            ends = deadline(rules, clock, ALL_THERE)
            assert ends is not None
            assert ends <= model.now
            return
        assert deadline(rules, clock, ALL_THERE) == model.now + model.ticks_to_end()
        for seat in (0, 1):
            time = clock.seats[seat]
            assert time is not None
            assert time.vacation_left_ms == model.budgets[seat]
            if seat != model.actor:
                assert time.reserve_ms == model.reserves[seat]


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 1)), max_size=30))
def test_a_reserve_never_grows_and_a_turn_begins_once(moves: list[tuple[int, int]]) -> None:
    """Whatever comes in between: undoing and taking back are changes of who is to act, too."""
    clock, now = begin(LIVE), 0
    for wait, actor in moves:
        now += wait
        before = clock
        clock = to(LIVE, clock, actor, now)
        assert all(left(clock, seat) <= left(before, seat) for seat in (0, 1))
        if actor == before.turn_of:
            assert clock == before, "nothing that a seat does in its turn changes its clock"
        else:
            assert clock.since_ms == now


def test_the_reserve_begins_when_the_turns_own_time_is_up() -> None:
    clock = begin(LIVE)
    assert (reserve_from(LIVE, clock, ALL_THERE), deadline(LIVE, clock, ALL_THERE)) == (100, 150)
    clock = to(LIVE, clock, 1, 130)
    assert left(clock, 0) == 20
    clock = to(LIVE, clock, 0, 200)
    assert (reserve_from(LIVE, clock, ALL_THERE), deadline(LIVE, clock, ALL_THERE)) == (300, 320)
    clock = to(LIVE, clock, 1, 320)
    assert left(clock, 0) == 0
    clock = to(LIVE, clock, 0, 400)
    assert (reserve_from(LIVE, clock, ALL_THERE), deadline(LIVE, clock, ALL_THERE)) == (None, 500)


def test_nothing_runs_for_agents_and_after_the_end() -> None:
    clock = first_clock(LIVE, (True, False))
    agents_turn = go_on(LIVE, clock, ALL_THERE, ALL_THERE, 1, 0)
    assert deadline(LIVE, agents_turn, ALL_THERE) is None
    assert deadline(LIVE, to(LIVE, begin(LIVE), None, 5), ALL_THERE) is None
    nobody = go_on(LIVE, first_clock(LIVE, (False, False)), ALL_THERE, ALL_THERE, 0, 0)
    assert deadline(LIVE, nobody, ALL_THERE) is None
    assert not deserted(nobody, ALL_THERE)


def states(*values: SeatState) -> Life:
    return Life(states=values)


PRESENT, SITTER, RETURNING, GIVEN_UP = SeatState


def test_nobodys_time_runs_once_a_sitter_plays() -> None:
    clock = timed_out(begin(LIVE), 0)
    away = states(SITTER, PRESENT)
    clock = go_on(LIVE, clock, ALL_THERE, away, 0, 150)
    assert deadline(LIVE, clock, away) is None
    clock = go_on(LIVE, clock, away, away, 1, 160)
    assert deadline(LIVE, clock, away) == 310
    back = states(PRESENT, PRESENT)
    clock = go_on(LIVE, acted(clock, 0), away, back, 1, 170)
    assert deadline(LIVE, clock, back) == 310, "the other's turn goes on as before"
    clock = go_on(LIVE, clock, back, back, 0, 180)
    assert deadline(LIVE, clock, back) == 280, "a new turn, and nothing left of the reserve"


def test_who_takes_over_from_an_agent_has_a_new_turn_without_a_reserve() -> None:
    clock = go_on(LIVE, timed_out(begin(LIVE), 0), ALL_THERE, states(SITTER, PRESENT), 0, 150)
    clock = go_on(LIVE, clock, states(SITTER, PRESENT), ALL_THERE, 0, 190)
    assert deadline(LIVE, clock, ALL_THERE) == 290


@pytest.mark.parametrize(
    ("rules", "grace_ms"), [(LIVE, GRACE_MS), (DAYS, 10 * DAY_MS), (UNTIMED, GRACE_MS)]
)
@pytest.mark.parametrize("last", [SITTER, GIVEN_UP])
def test_a_match_waits_a_while_for_anybody_at_all(
    rules: TableRules, grace_ms: int, last: SeatState
) -> None:
    one, none = states(SITTER, PRESENT), states(SITTER, last)
    clock = go_on(rules, begin(rules), ALL_THERE, one, 1, 7)
    assert clock.deserted_ms is None
    clock = go_on(rules, clock, one, none, 1, 1_000)
    assert deadline(rules, clock, none) == 1_000 + grace_ms
    later = go_on(rules, clock, none, none, 1, 5_000)
    assert deadline(rules, later, none) == 1_000 + grace_ms, "still nobody"
    returned = go_on(rules, later, none, one, 1, 6_000)
    assert (returned.deserted_ms, returned.since_ms) == (None, 6_000)


def test_who_lets_turns_pass_is_gone_until_they_do_something() -> None:
    clock = begin(LIVE)
    for turn in range(2):
        clock = timed_out(timed_out(clock, 0), 1)
        clock = to(LIVE, clock, turn % 2, 1_000)
        assert (clock.deserted_ms is not None) == (turn == 1)
    clock = to(LIVE, acted(clock, 1), 1, 2_000)
    assert deadline(LIVE, clock, ALL_THERE) == 2_100


def test_turns_without_an_end_wait_long_and_no_longer() -> None:
    assert deadline(UNTIMED, begin(UNTIMED, 5), ALL_THERE) == 5 + IDLE_MS
    assert reserve_from(UNTIMED, begin(UNTIMED), ALL_THERE) is None


@pytest.mark.parametrize(("days", "hours_left"), [(1, 6), (2, 12), (14, 12)])
def test_time_is_short_before_it_is_up(days: int, hours_left: int) -> None:
    rules = replace(DAYS, turn_ms=days * DAY_MS)
    clock = begin(rules)
    ends, short = deadline(rules, clock, ALL_THERE), short_from(rules, clock, ALL_THERE)
    assert ends is not None
    assert short is not None
    assert ends - short == hours_left * 3_600_000
    assert short_from(LIVE, begin(LIVE), ALL_THERE) is None, "who plays live is looking"


def test_vacations_are_bounded_and_what_is_not_used_is_kept() -> None:
    clock = take_vacation(DAYS, begin(DAYS), 0, 12 * DAY_MS, 2 * DAY_MS)
    assert deadline(DAYS, clock, ALL_THERE) == 22 * DAY_MS
    with pytest.raises(RefusedError) as caught:
        take_vacation(DAYS, clock, 0, 19 * DAY_MS, 4 * DAY_MS)
    assert caught.value.details["field"] == "days"
    assert "18" in str(caught.value), "2 of 20 days are used"
    clock = take_vacation(DAYS, clock, 0, 0, 5 * DAY_MS)
    assert deadline(DAYS, clock, ALL_THERE) == 13 * DAY_MS, "three days were off"
    time = clock.seats[0]
    assert time is not None
    assert (time.vacation, time.vacation_left_ms) == (None, 17 * DAY_MS)
    clock = take_vacation(DAYS, clock, 1, 20 * DAY_MS, 5 * DAY_MS)
    assert deadline(DAYS, clock, ALL_THERE) == 13 * DAY_MS, "another seat's stops nobody else"
    clock = to(DAYS, clock, 1, 6 * DAY_MS)
    assert deadline(DAYS, clock, ALL_THERE) == 35 * DAY_MS


def test_a_day_that_has_begun_is_taken() -> None:
    """Else one could come and go without end, for nothing."""
    clock = begin(DAYS)
    for days in range(20):
        clock = take_vacation(DAYS, clock, 1, DAY_MS, days * 10)
        clock = take_vacation(DAYS, clock, 1, 0, days * 10 + 5)
    with pytest.raises(RefusedError):
        take_vacation(DAYS, clock, 1, DAY_MS, 300)
    assert deadline(DAYS, clock, ALL_THERE) == 10 * DAY_MS


def test_a_clock_is_read_back_as_it_was_written() -> None:
    clock = take_vacation(DAYS, begin(DAYS), 0, DAY_MS, 5)
    clock = replace(clock, seats=(*clock.seats, None))
    for one in (clock, replace(clock, deserted_ms=7), timed_out(clock, 1), STOPPED):
        assert load_clock(dump_clock(one)) == one


def test_a_table_may_allow_no_vacation() -> None:
    with pytest.raises(RefusedError) as caught:
        take_vacation(LIVE, begin(LIVE), 0, 1, 0)
    assert caught.value.reason == ErrorReason.ERROR_REASON_TABLE_FORBIDS
    assert caught.value.details == {"rule": "vacation_days"}
