"""What is suggested, and why, held against the rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from oddsocks.ai.v1 import advice_pb2 as pb
from services.advice.hint import agent_of, find_hint
from services.advice.reasons import Seen, look_ahead, reasons
from services.engine.agents import Analysis, Budget, Weighed
from services.engine.core import Action
from services.engine.core.registry import AnyRuleset, game_names, ruleset
from services.wire.actions import action_from_message
from tests.unit.ai.records import Played

LITTLE = Budget(seconds=None, iterations=200)


GOAL = "9/1o7/2S6/9/9/4N4/9/9/9/9/9 south:2/3"
"""South's last action of the turn: c9*b10 is a goal."""


def hint_in(rules: AnyRuleset, state: Any) -> tuple[str, pb.Hint]:
    """The hint for whoever is to act, and the notation of its action."""
    seat = rules.actor(state)
    assert seat is not None
    text = rules.format_information(rules.information(state, seat))
    hint = find_hint(rules.game, text, LITTLE)
    return rules.format_action(action_from_message(rules, hint.action)), hint


@pytest.mark.parametrize("game", game_names())
def test_a_hint_is_legal_and_says_why(game: str) -> None:
    match = Played(game, seed=3)
    rules = match.rules
    for _ in range(3):
        action, hint = hint_in(rules, match.state)
        assert rules.is_legal(match.state, rules.parse_action(action))
        assert hint.reasons
        assert pb.HINT_REASON_UNSPECIFIED not in hint.reasons
        assert hint.agent == agent_of(game)
        assert not hint.HasField("expected_permille") or 0 <= hint.expected_permille <= 1_000
        for _ in range(3):
            match.play(match.random())


def test_a_goal_that_wins_is_suggested_as_such() -> None:
    rules = ruleset("socker")
    action, hint = hint_in(rules, rules.parse_state(f"socker/1 2 | {GOAL}"))
    assert action == "c9*b10"
    assert list(hint.reasons) == [pb.HINT_REASON_WINS]
    assert hint.expected_permille == 1_000


def test_a_goal_that_does_not_win_yet_scores() -> None:
    rules = ruleset("socker")
    action, hint = hint_in(rules, rules.parse_state(f"socker/1 2 goals_to_win=3 | {GOAL}"))
    assert action == "c9*b10"
    assert hint.reasons[0] == pb.HINT_REASON_SCORES


def test_what_is_known_to_match_is_taken() -> None:
    """Hide and Seek after a card was turned whose like was seen before."""
    match = Played("hide_and_seek", seed=5)
    rules = match.rules
    while True:
        seat = match.actor
        assert seat is not None
        sure = {
            action
            for action in rules.legal_actions(match.state)
            if look_ahead(
                rules, rules.information(match.state, seat), seat, action, Random(1)
            ).scores
            == 1
        }
        if sure and len(sure) < len(rules.legal_actions(match.state)):
            break
        match.play(match.random())
    action, hint = hint_in(rules, match.state)
    assert rules.parse_action(action) in sure
    assert hint.reasons[0] in (pb.HINT_REASON_SCORES, pb.HINT_REASON_WINS)


def test_an_only_action_needs_no_search() -> None:
    rules = ruleset("socker")
    # A pick of a cell is not free where the ball went out and only one cell is left; simplest is a
    # turn that can only be passed.
    state = rules.parse_state("socker/1 2 | 9/9/9/9/9/4o4/9/4N4/9/9/9 south:0/3")
    assert len(rules.legal_actions(state)) == 1
    action, hint = hint_in(rules, state)
    assert action == "pass"
    assert list(hint.reasons) == [pb.HINT_REASON_ONLY_ACTION]


def test_turning_over_what_nobody_has_seen_is_a_look() -> None:
    match = Played("hide_and_seek", seed=5)
    rules, seat = match.rules, match.actor
    assert seat is not None
    known = rules.information(match.state, seat)
    flip = next(a for a in rules.legal_actions(match.state) if "flip" in rules.format_action(a))
    seen = look_ahead(rules, known, seat, flip, Random(1))
    assert seen.looks
    assert seen.wins == 0


@pytest.mark.parametrize(
    ("seen", "others", "expected"),
    [
        (Seen(1, 1, False), 0.2, [pb.HINT_REASON_WINS, pb.HINT_REASON_MUCH_BETTER]),
        (Seen(0.5, 1, False), 0.6, [pb.HINT_REASON_MAY_WIN]),
        (Seen(0, 0.5, True), 0.65, [pb.HINT_REASON_MAY_SCORE, pb.HINT_REASON_LOOKS]),
        (Seen(0, 0, False), 0.695, [pb.HINT_REASON_AS_GOOD]),
        (Seen(0, 0, False), 0.65, [pb.HINT_REASON_BEST_ON_AVERAGE]),
        (Seen(0, 0, False), None, [pb.HINT_REASON_BEST_ON_AVERAGE]),
    ],
)
def test_reasons_come_by_what_they_tell(
    seen: Seen, others: float | None, expected: list[Any]
) -> None:
    best = Weighed(Action(1), 90, (0.7, 0.3))
    other = Weighed(Action(2), 10, () if others is None else (others, 1 - others))
    assert reasons(Analysis(0, (best, other), 100), seen) == expected


def test_what_nobody_can_read_is_an_error() -> None:
    with pytest.raises(Exception, match="socker"):
        find_hint("socker", "socker/1 2 | nonsense")
