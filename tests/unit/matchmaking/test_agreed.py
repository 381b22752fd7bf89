"""What a table agrees on: read, kept and shown, and what rules would say to it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from oddsocks.play.v1 import play_pb2
from services.common.errors import RefusedError
from services.matchmaking.agreed import read_rules, rules_message, sitter, spectators
from services.matchmaking.model import Pace
from services.rules import table_rules


def around(least: int, most: int) -> st.SearchStrategy[int]:
    """Numbers within bounds, and those beside them."""
    return st.integers(least, most) | st.sampled_from([least - 1, least, most, most + 1, -1])


messages = st.builds(
    play_pb2.TableRules,
    pace=st.sampled_from([0, 1, 2, 3]),
    turn_seconds=st.just(0) | around(10, 3_600),
    reserve_seconds=st.none() | around(0, 7_200),
    turn_days=st.just(0) | around(1, 14),
    absence=st.sampled_from([0, 1, 2, 3, 4]),
    sitter=st.sampled_from(["", "random", "a\0", "x" * 100, "x" * 101]),
    vacation_days=st.none() | around(0, 28),
    spectators=st.none() | st.booleans(),
    undo=st.none() | st.booleans(),
)


@given(messages, st.sampled_from([0, 1, 2, 3]))
def test_a_table_is_refused_exactly_when_rules_would_refuse_its_match(
    message: play_pb2.TableRules, pace: int
) -> None:
    try:
        text, _ = read_rules(message, pace)
    except RefusedError as error:
        here = error.details["field"]
    else:
        here = ""
        message = rules_message(text, read_rules(message, pace)[1])
    try:
        table_rules.read_rules(message, pace if here else 0, 2)
    except RefusedError as error:
        there = error.details["field"]
    else:
        there = ""
    assert here == there


@given(messages)
def test_what_is_kept_is_what_was_agreed(message: play_pb2.TableRules) -> None:
    try:
        text, pace = read_rules(message, play_pb2.PACE_UNSPECIFIED)
    except RefusedError:
        return
    expected = play_pb2.TableRules()
    expected.CopyFrom(message)
    expected.pace = message.pace or play_pb2.PACE_LIVE
    assert rules_message(text, pace) == expected
    assert json.loads(text) == json.loads(json.dumps(json.loads(text), sort_keys=True))
    assert sitter(text) == message.sitter
    assert spectators(text) == message.spectators


def test_the_pace_beside_the_rules_counts_where_they_say_none() -> None:
    assert read_rules(play_pb2.TableRules(), play_pb2.PACE_DAYS)[1] is Pace.DAYS
    assert read_rules(play_pb2.TableRules(), play_pb2.PACE_UNSPECIFIED)[1] is Pace.LIVE
    live = play_pb2.TableRules(pace=play_pb2.PACE_LIVE)
    assert read_rules(live, play_pb2.PACE_DAYS)[1] is Pace.LIVE


def test_tables_from_before_there_were_rules_have_their_pace() -> None:
    assert rules_message("{}", Pace.DAYS) == play_pb2.TableRules(pace=play_pb2.PACE_DAYS)
