"""The thread and stitches that show the last turn."""

from __future__ import annotations

import pytest

from app.model.socker import Kind, SockerAct
from app.model.socker_trace import Trace
from tests.mobile.positions import cell, view


def act(kind: Kind, origin: str = "", target: str = "") -> SockerAct:
    return SockerAct(kind, cell(origin) if origin else None, cell(target) if target else None)


EMPTY = view("socker/1 2 | 9/9/9/9/9/9/9/3oS1S2/9/9/9 south:0/3")


def test_a_turn_leaves_a_thread_and_stitches() -> None:
    trace = Trace()
    trace = trace.after(0, act(Kind.MOVE, "e4", "e5"), EMPTY)
    trace = trace.after(0, act(Kind.KICK, "e5", "e6"), EMPTY)
    trace = trace.after(0, act(Kind.KICK, "e6", "e7"), EMPTY)
    assert trace.steps == ((cell("e4"), cell("e5")),)
    assert trace.thread == (cell("e6"), cell("e7"), cell("e8"))


def test_the_next_side_starts_a_new_trace() -> None:
    trace = Trace().after(0, act(Kind.KICK, "e5", "e6"), EMPTY)
    trace = trace.after(1, act(Kind.MOVE, "a9", "a8"), EMPTY)
    assert (trace.seat, trace.thread) == (1, ())


def test_the_same_side_after_a_pass_of_the_other_starts_a_new_trace() -> None:
    trace = Trace().after(0, act(Kind.MOVE, "a2", "a3"), EMPTY)
    trace = trace.after(0, act(Kind.END_TURN), EMPTY).after(1, act(Kind.PASS), EMPTY)
    trace = trace.after(0, act(Kind.MOVE, "a3", "a4"), EMPTY)
    assert trace.steps == ((cell("a3"), cell("a4")),)


@pytest.mark.ruling("2.8")
def test_a_ball_over_the_side_line_comes_back_to_column_e() -> None:
    trace = Trace().after(0, act(Kind.KICK, "g7", "h7"), EMPTY)
    assert trace.thread == (cell("h7"), cell("i7"), cell("e7"))


def test_a_pick_by_the_other_side_goes_on_with_the_thread() -> None:
    taken = view("socker/1 2 | 9/4N4/9/9/9/9/9/9/9/6So1/9 south:0/3")
    trace = Trace().after(0, act(Kind.KICK, "g10", "h10"), taken)
    assert trace.thread == (cell("h10"), cell("i10"))
    trace = trace.after(1, act(Kind.RECENTRE, target="d9"), taken)
    assert trace.thread == (cell("h10"), cell("i10"), cell("d9"))


def test_a_sock_shows_who_was_pushed_where() -> None:
    trace = Trace().after(0, act(Kind.SOCK, "d6", "e7"), EMPTY)
    assert trace.steps == ((cell("e7"), cell("f8")),)
