"""What a table may agree on: defaults, bounds, and what a match shows of it."""

from __future__ import annotations

from typing import Any

import pytest

from oddsocks.play.v1 import play_pb2
from services.common.errors import RefusedError
from services.rules.table_rules import DAY_MS, UNTIMED, read_rules, rules_to_message

LIVE, DAYS = play_pb2.PACE_LIVE, play_pb2.PACE_DAYS


def rules(**fields: Any) -> play_pb2.TableRules:
    return play_pb2.TableRules(**fields)


def test_who_says_only_the_pace_gets_the_defaults_for_it() -> None:
    live = read_rules(rules(), LIVE, players=2)
    assert (live.turn_ms, live.reserve_ms, live.vacation_ms) == (120_000, 300_000, 0)
    assert live == read_rules(rules(), play_pb2.PACE_UNSPECIFIED, players=2)
    days = read_rules(rules(), DAYS, players=2)
    assert (days.turn_ms, days.reserve_ms, days.vacation_ms) == (3 * DAY_MS, 0, 14 * DAY_MS)
    for found in (live, days):
        assert (found.absence, found.sitter) == (play_pb2.ABSENCE_RULE_SITTER, "random")
        assert (found.spectators, found.undo, found.takeback, found.hints) == (
            *(False, True, True),
            True,
        )


def test_the_rules_say_more_than_the_pace_beside_them() -> None:
    assert read_rules(rules(pace=DAYS), LIVE, players=2).pace == DAYS


@pytest.mark.parametrize("pace", [LIVE, DAYS])
def test_one_person_alone_has_all_the_time_unless_they_choose(pace: int) -> None:
    alone = read_rules(rules(), pace, players=1)
    assert (alone.turn_ms, alone.reserve_ms, alone.vacation_ms) == (None, 0, 0)
    assert rules_to_message(alone).turn_seconds == rules_to_message(alone).turn_days == 0
    chosen = read_rules(rules(turn_seconds=60, turn_days=2), pace, players=1)
    assert chosen.turn_ms == (60_000 if pace == LIVE else 2 * DAY_MS)


def test_an_answer_is_not_taken_for_none() -> None:
    found = read_rules(
        rules(reserve_seconds=0, undo=False, takeback=False, hints=False), LIVE, players=2
    )
    assert (found.reserve_ms, found.undo, found.takeback, found.hints) == (0, False, False, False)
    assert read_rules(rules(vacation_days=0), DAYS, players=2).vacation_ms == 0


@pytest.mark.parametrize(
    "said",
    [
        rules(pace=LIVE, turn_seconds=10, reserve_seconds=7_200, sitter="quick", undo=False),
        rules(pace=DAYS, turn_days=14, vacation_days=28, absence="ABSENCE_RULE_PASS"),
        rules(pace=DAYS, turn_days=1, vacation_days=0, absence="ABSENCE_RULE_FORFEIT"),
        rules(pace=LIVE, turn_seconds=3_600, reserve_seconds=0, spectators=True, hints=False),
    ],
)
def test_a_match_shows_what_was_agreed(said: play_pb2.TableRules) -> None:
    shown = rules_to_message(read_rules(said, play_pb2.PACE_UNSPECIFIED, players=2))
    for field, value in said.ListFields():
        assert getattr(shown, field.name) == value
    again = read_rules(shown, play_pb2.PACE_UNSPECIFIED, players=2)
    assert rules_to_message(again) == shown, "and it can be agreed on again"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("turn_seconds", 9),
        ("turn_seconds", 3_601),
        ("turn_seconds", -1),
        ("reserve_seconds", 7_201),
        ("reserve_seconds", -1),
        ("turn_days", 15),
        ("turn_days", -1),
        ("vacation_days", 29),
        ("vacation_days", -1),
        ("sitter", "x" * 101),
        ("sitter", "a\nb"),
        ("absence", 4),
        ("pace", 3),
    ],
)
def test_what_is_out_of_bounds_is_named(field: str, value: Any) -> None:
    with pytest.raises(RefusedError) as caught:
        read_rules(rules(**{field: value}), LIVE, players=2)
    assert caught.value.details["field"] == f"rules.{field}"


def test_an_unknown_pace_beside_the_rules_is_named_as_ever() -> None:
    with pytest.raises(RefusedError) as caught:
        read_rules(rules(), 3, players=2)
    assert caught.value.details["field"] == "pace"


def test_matches_from_before_there_were_clocks_have_none() -> None:
    shown = rules_to_message(UNTIMED)
    assert (shown.turn_seconds, shown.reserve_seconds) == (0, 0)
