"""What a review says of a match, held against the rules and against arithmetic."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from oddsocks.ai.v1 import advice_pb2 as pb
from services.advice import review as review_module
from services.advice.line import Line, Step, read_line
from services.advice.review import PART_S, conclude, look_through
from services.engine.agents import Analysis, Weighed
from services.engine.core import CHANCE
from services.engine.core.record import UnreadableRecord
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message
from tests.unit.ai.records import Played


def ticking(step_s: float) -> Callable[[], float]:
    """A clock that goes on by so much each time it is looked at."""
    ticks = itertools.count()
    return lambda: next(ticks) * step_s


def reviewed(line: Line, seat: int, now: Callable[[], float]) -> tuple[pb.Review, int]:
    """The whole review, and how many parts it took."""
    found, strayed, quiet, parts, at = pb.Review(), [0] * line.seats, 0, 0, 0
    while True:
        part = look_through(line, seat, at, 1.0, now, Random(1))
        assert at < part.next <= part.total
        parts += 1
        found.MergeFrom(part.found)
        strayed = [a + b for a, b in zip(strayed, part.strayed, strict=True)]
        quiet += part.quiet
        at = part.next
        if at == part.total:
            conclude(found, strayed, quiet)
            return found, parts


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """An agent whose every expectation follows from what the seat knows; gives what it was told."""
    told: list[tuple[int, str]] = []

    def analyse(rules: Any, information: Any, *_: Any, also: Any = (), **__: Any) -> Analysis:
        state = rules.determinize(information, Random(0))
        seat, text = rules.actor(state), rules.format_information(information)
        told.append((seat, text))
        draws = Random(text)
        seats = rules.seats(state)

        def results() -> tuple[float, ...]:
            first = draws.random()
            return (first, *[(1 - first) / (seats - 1)] * (seats - 1))

        legal = rules.legal_actions(state)
        return Analysis(seat, tuple(Weighed(action, 1, results()) for action in legal), 1)

    monkeypatch.setattr(review_module, "analyse", analyse)
    return told


def seats_actions(match: Played, seat: int) -> list[int]:
    return [event["revision"] for event in match.history if event.get("actor") == seat]


@pytest.fixture(params=["socker", "sock_monsters", "hide_and_seek"])
def match(request: pytest.FixtureRequest) -> Played:
    played = Played(request.param, seed=2)
    played.to_the_end(most=150)
    return played


@pytest.mark.parametrize("seat", [0, 1])
def test_every_decision_of_the_seat_is_there_once(
    match: Played, asked: list[tuple[int, str]], seat: int
) -> None:
    found, parts = reviewed(read_line(match.record()), seat, ticking(PART_S / 5))
    assert [one.revision for one in found.decisions] == seats_actions(match, seat)
    for one in found.decisions:
        event = match.history[one.revision]
        played = action_from_message(match.rules, one.played)
        assert match.rules.format_action(played) == event["action"]
        best = action_from_message(match.rules, one.best)
        assert match.rules.is_legal(match.states[one.revision], best)
        assert one.loss_permille == max(0, one.best_permille - one.played_permille)
    assert parts > 1


def test_agents_are_told_what_the_seat_knew_and_no_more(
    match: Played, asked: list[tuple[int, str]]
) -> None:
    """What was asked about is a position of the match, or one that chance could have led to."""
    line = read_line(match.record())
    reviewed(line, 0, ticking(0))
    rules = match.rules
    todo = [*(step.before for step in line.steps), line.steps[-1].after]
    possible: set[tuple[int, str]] = set()
    while todo:
        state = todo.pop()
        actor = rules.actor(state)
        if actor == CHANCE:
            todo += [rules.apply(state, one.action) for one in rules.chance_outcomes(state)]
        elif actor is not None:
            known = rules.information(state, actor)
            possible.add((actor, rules.format_information(known)))
    assert asked
    assert set(asked) <= possible


def test_luck_adds_up(match: Played, asked: list[tuple[int, str]]) -> None:
    found, _ = reviewed(read_line(match.record()), 0, ticking(0))
    for seat, luck in enumerate(found.luck):
        assert luck.seat == seat
        assert luck.luck_permille == sum(
            one.after_permille[seat] - one.before_permille[seat] for one in found.chances
        )
    kinds = {one.kind for one in found.chances}
    if match.rules.game == "socker":
        assert kinds <= {pb.CHANCE_KIND_TOSS}
    else:
        assert pb.CHANCE_KIND_REVEAL in kinds
    by_revision = {event["revision"]: event for event in match.history}
    for one in found.chances:
        by_chance = by_revision[one.revision]["actor"] == CHANCE
        assert by_chance == (one.kind != pb.CHANCE_KIND_REVEAL)


def test_before_a_die_all_its_faces_count(asked: list[tuple[int, str]]) -> None:
    """The oracle: the mean over the faces of what the agent said after each, by their weights."""
    match = Played("sock_monsters", seed=4)
    match.to_the_end(most=120)
    line = read_line(match.record())
    found, _ = reviewed(line, 0, ticking(0))
    rules = match.rules
    dice = {one.revision: one for one in found.chances if one.kind == pb.CHANCE_KIND_DIE}
    assert dice
    checked = 0
    for step in line.steps:
        if step.chance != "die" or step.revision not in dice:
            continue
        outcomes = rules.chance_outcomes(step.before)
        afters = [rules.apply(step.before, outcome.action) for outcome in outcomes]
        if len(outcomes) > review_module.MOST_OUTCOMES or any(
            rules.outcome(after) is not None or rules.actor(after) == CHANCE for after in afters
        ):
            continue
        values = []
        for after in afters:
            seat = rules.actor(after)
            assert seat is not None
            known = rules.information(after, seat)
            analyse: Any = vars(review_module)["analyse"]
            values.append(analyse(rules, known).results[0])
        weights = [outcome.weight for outcome in outcomes]
        mean = sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
        assert dice[step.revision].before_permille[0] == pytest.approx(1_000 * mean, abs=0.51)
        checked += 1
    assert checked


def test_the_curve_ends_with_the_result(match: Played, asked: list[tuple[int, str]]) -> None:
    record = match.record()
    found, _ = reviewed(read_line(record), 0, ticking(0))
    assert [one.revision for one in found.curve] == sorted(one.revision for one in found.curve)
    end = found.curve[-1]
    winners = record["outcome"]["winners"] or [0, 1]
    assert end.revision == len(match.history)
    assert list(end.expected_permille) == [
        1_000 // len(winners) * (seat in winners) for seat in range(2)
    ]


def test_what_was_undone_is_not_on_the_line() -> None:
    match = Played("socker", seed=1)
    for _ in range(6):
        match.play(match.random())
    before = len(match.history)
    match.play(match.random())
    match.restore(before)
    match.play(match.random())
    steps = read_line(match.record()).steps
    assert before not in [step.revision for step in steps]
    assert len(match.history) - 1 in [step.revision for step in steps]
    for earlier, later in itertools.pairwise(steps):
        assert earlier.after == later.before


def test_a_missed_win_is_the_loss_of_all_that_was_left() -> None:
    """With the real search: South could have won with its last action, and ended its turn."""
    rules = ruleset("socker")
    text = "socker/1 2 | 9/1o7/2S6/9/9/9/9/4N4/9/9/9 south:2/3"
    state, end = rules.parse_state(text), rules.parse_action("end")
    step = Step(7, 0, end, state, rules.apply(state, end))
    part = look_through(
        Line(rules, 2, (step,), 8, (0.0, 1.0)), 0, 0, 60.0, ticking(0.05), Random(1)
    )
    (decision,) = part.found.decisions
    assert rules.format_action(action_from_message(rules, decision.best)) == "c9*b10"
    assert decision.best_permille == 1_000
    assert decision.loss_permille == 1_000 - decision.played_permille > 0


def test_a_match_in_which_nobody_acted_has_a_review() -> None:
    match = Played("socker", seed=1)
    record = match.record()
    record["history"] = []
    found, parts = reviewed(read_line(record), 1, ticking(0))
    assert parts == 1
    assert not found.decisions
    assert list(found.curve[-1].expected_permille) == [0, 1_000]


def test_a_match_by_other_rules_is_not_looked_through() -> None:
    record = Played("socker").record()
    record["ruleset_version"] += 1
    with pytest.raises(UnreadableRecord):
        read_line(record)
