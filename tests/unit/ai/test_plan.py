"""What happens to a waiting seat, minute by minute."""

from __future__ import annotations

from itertools import pairwise

import pytest

from services.ai.plan import LIVE, MAX_PAUSE_MS, SLOW, Deadline, Key, Mode, Row, Waiting, make_plan

KEY = Key("match", 1, 7)
SEAT = Waiting(KEY, live=True)


def story(*, live: bool = True, until_ms: int, **conditions: bool) -> list[tuple[int, Mode | None]]:
    """Every try for a seat that goes on waiting: (time, mode), looking every 100 ms."""
    rows: dict[Key, Row] = {}
    tries = []
    for now in range(0, until_ms + 1, 100):
        plan = make_plan([Waiting(KEY, live)], rows, now, **conditions)
        rows.update({row.key: row for row in plan.put})
        tries += [(now, one.mode) for one in plan.tries]
    return tries


def test_a_new_seat_is_asked_for_at_once() -> None:
    plan = make_plan([SEAT], {}, 5_000)
    assert [one.mode for one in plan.tries] == [Mode.AGENT]
    assert plan.put == [Row(KEY, 1, 5_000, 5_000 + LIVE.retry_ms)]


def test_nobody_is_asked_twice_at_the_same_time() -> None:
    row = make_plan([SEAT], {}, 0).put[0]
    assert make_plan([SEAT], {KEY: row}, row.next_try_ms - 1).tries == []


def test_silent_workers_are_asked_again_and_then_passed_over() -> None:
    tries = story(until_ms=20_000)
    assert tries[:3] == [(0, Mode.AGENT), (3_000, Mode.AGENT), (9_000, Mode.QUICK)]
    assert tries[3:] == [(10_000, None), (13_000, None), (19_000, None)]


@pytest.mark.field(11)
@pytest.mark.parametrize("live", [True, False])
def test_whatever_workers_do_a_seat_is_decided_here_within_30_s(live: bool) -> None:
    patience = LIVE if live else SLOW
    first_here = next(when for when, mode in story(live=live, until_ms=60_000) if mode is None)
    assert first_here == patience.decide_ms < 30_000


def test_slow_play_gives_workers_more_time() -> None:
    assert story(live=False, until_ms=10_000) == [(0, Mode.AGENT), (10_000, Mode.AGENT)]


def test_known_silence_is_not_waited_for_again() -> None:
    assert story(until_ms=2_000, workers_silent=True) == [(0, Mode.AGENT), (2_000, None)]


def test_without_a_queue_actions_are_found_here_at_once() -> None:
    assert story(until_ms=2_000, queue=False) == [(0, None)]


def test_tries_never_end_and_never_come_in_a_rush() -> None:
    times = [when for when, _ in story(until_ms=600_000)]
    pauses = [later - sooner for sooner, later in pairwise(times)]
    assert min(pauses) >= 1_000
    assert max(pauses) == MAX_PAUSE_MS


def test_an_answered_seat_is_forgotten() -> None:
    row = Row(KEY, 3, 0, 99_000)
    plan = make_plan([Waiting(KEY._replace(revision=8), True)], {KEY: row}, 1_000)
    assert plan.drop == [row]
    assert [one.row.key.revision for one in plan.tries] == [8]


def test_the_order_of_rules_is_kept() -> None:
    seats = [Waiting(Key(name, 0, 1), True) for name in ("c", "a", "b")]
    assert [one.row.key.match_id for one in make_plan(seats, {}, 0).tries] == ["c", "a", "b"]


def test_it_says_when_to_look_again() -> None:
    assert make_plan([], {}, 0).next_try_ms is None
    first = make_plan([SEAT], {}, 1_000)
    assert first.next_try_ms == 1_000 + LIVE.retry_ms
    other = Waiting(Key("other", 0, 1), live=True)
    rows = {KEY: first.put[0]}
    assert make_plan([SEAT, other], rows, 2_000).next_try_ms == first.next_try_ms


@pytest.mark.parametrize("back_ms", [100, 3_000, 60_000, 3_600_000])
def test_a_seat_does_not_wait_for_a_clock_that_was_set_back_to_catch_up(back_ms: int) -> None:
    """The job was lost, and then an hour came a second time."""
    rows = {KEY: Row(KEY, 1, 10_000_000, 10_000_000 + LIVE.retry_ms)}
    start = 10_000_000 + 50 - back_ms
    for now in range(start, start + 30_000, 100):
        plan = make_plan([SEAT], rows, now)
        rows.update({row.key: row for row in plan.put})
        if any(one.mode is None for one in plan.tries):
            return
    raise AssertionError("not decided here within 30 s")


def test_the_longer_a_turn_has_waited_the_less_it_is_thought_about() -> None:
    (one,) = make_plan([SEAT], {}, 5_000).tries
    assert one.deadline == Deadline(5_000, 5_000 + LIVE.decide_ms)
    rungs = [one.deadline.rung(Mode.AGENT, now) for now in range(5_000, 18_000, 100)]
    assert (rungs[0], rungs[-1]) == (Mode.AGENT, Mode.LEGAL)
    assert set(rungs) == set(Mode)
    order = list(Mode)
    assert rungs == sorted(rungs, key=order.index)
    # Half of the time is left for those that get no thought at all.
    assert rungs.index(Mode.LEGAL) * 100 == LIVE.decide_ms // 2


def test_no_turn_gets_more_thought_than_was_asked_for() -> None:
    deadline = Deadline(0, 10_000)
    assert deadline.rung(Mode.QUICK, 0) is Mode.QUICK
    assert deadline.rung(Mode.LEGAL, 0) is Mode.LEGAL
    assert deadline.rung(Mode.QUICK, 9_000) is Mode.LEGAL
    assert deadline.rung(Mode.AGENT, -5_000) is Mode.AGENT  # a clock that is behind


def test_all_attempts_have_one_deadline() -> None:
    rows: dict[Key, Row] = {}
    deadlines = set()
    for now in range(0, 9_500, 100):
        plan = make_plan([SEAT], rows, now)
        rows.update({row.key: row for row in plan.put})
        deadlines |= {one.deadline for one in plan.tries}
    assert deadlines == {Deadline(0, LIVE.decide_ms)}
