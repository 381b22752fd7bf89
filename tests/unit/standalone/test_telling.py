"""How a match is told and judged: the demo's words, the chaos report's numbers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from app.model.follow import Connection
from app.model.values import Event, Finished, Match, MatchStatus, Occupant, Outcome, SeatView
from app.net import convert
from services.engine.core import CHANCE, SPECTATOR
from services.engine.core.registry import ruleset
from services.standalone.chaos import Finding, check, compare, report_failure
from services.standalone.demo import Result, Scribe
from services.standalone.problem import Problem
from services.wire.actions import action_to_message
from services.wire.observations import observation_to_message

GAME = ruleset("socker")
SEATS = (Occupant(agent="random"), Occupant(agent="socker_search"))


def played(plies: int = 10_000, seed: int = 3) -> tuple[list[Event], list[Match], Outcome | None]:
    """A random match: its events, and the match after each."""
    rng, state = Random(seed), GAME.initial({}, 2)
    events: list[Event] = []
    matches = [seen(state, 0)]
    while GAME.actor(state) is not None and len(events) < plies:
        actor = GAME.actor(state)
        assert actor is not None
        action = rng.choice(GAME.legal_actions(state))
        act = convert.act(action_to_message(GAME, action))
        events.append(Event(len(events), actor, act))
        state = GAME.apply(state, action)
        matches.append(seen(state, len(events)))
    return events, matches, GAME.outcome(state)


def seen(state: object, revision: int) -> Match:
    view = convert.view(observation_to_message(GAME, GAME.observe(state, SPECTATOR)))
    actor = GAME.actor(state)
    status = MatchStatus.FINISHED if actor is None else MatchStatus.RUNNING
    return Match(
        "m", "socker", SEATS, revision, status, actor, (SeatView(SPECTATOR, view, ()),), None
    )


@pytest.fixture(scope="module")
def whole() -> Result:
    events, _, outcome = played()
    assert outcome is not None
    return Result("m", outcome, tuple(events))


def test_the_result_is_a_line_for_programs(whole: Result) -> None:
    line = json.loads(whole.as_json())
    assert list(line) == ["match_id", "plies", "outcome", "history_sha256"]
    assert line["plies"] == sum(event.actor != CHANCE for event in whole.history)
    assert line["outcome"] == {
        "reason": whole.outcome.reason,
        "winners": list(whole.outcome.winners),
        "scores": list(whole.outcome.scores),
    }


def test_the_hash_is_over_the_notation_of_all_events(whole: Result) -> None:
    text = "".join(event.notation + "\n" for event in whole.history)
    assert text.startswith("toss:")
    assert whole.history_sha256 == hashlib.sha256(text.encode()).hexdigest()
    shorter = replace(whole, history=whole.history[:-1])
    assert shorter.history_sha256 != whole.history_sha256


async def test_every_turn_is_drawn_once_with_its_actions() -> None:
    events, matches, _ = played(plies=40)
    lines: list[str] = []
    scribe = Scribe(lines.append)
    await scribe.hear(Connection(True))
    await scribe.hear(matches[0])
    for event, match in zip(events, matches[1:], strict=True):
        await scribe.hear(event)
        await scribe.hear(match)
    told = "\n".join(lines)
    handovers = sum(a.actor != b.actor for a, b in pairwise(matches))
    assert told.count("a b c d e f g h i") == 2 * (handovers + 1)
    heads = [line for line in lines if line.startswith("\n")]
    turns = " ".join(head.partition(": ")[2] for head in heads)
    assert turns.split() == [event.notation for event in events][: len(turns.split())]
    assert any("seat 1 (socker_search)" in head for head in heads)


async def test_the_end_names_the_winner() -> None:
    lines: list[str] = []
    scribe = Scribe(lines.append)
    _, matches, _ = played(plies=3)
    await scribe.hear(matches[-1])
    await scribe.hear(Finished(Outcome("goals", (1,), (0, 1))))
    assert lines[-1] == "\nwon by seat 1 (socker_search): goals, 0-1"


def test_an_honest_history_has_no_faults(whole: Result) -> None:
    assert compare(whole.history, whole.history) == (0, 0)
    assert check(whole) == whole


def test_faults_are_counted(whole: Result) -> None:
    history = list(whole.history)
    assert compare(history, [*history, history[5]]) == (1, 0)
    assert compare(history, history[:5] + history[6:]) == (0, 2)  # seen, and a hole
    assert compare(history[:9], history[:8]) == (0, 1)
    other = replace(history[3], act=history[4].act)
    assert compare(history, [*history[:3], other, *history[4:]]) == (0, 1)


def test_a_history_against_the_rules_is_no_match(whole: Result) -> None:
    again = list(whole.history[:6]) + [
        replace(event, revision=event.revision + 1) for event in whole.history[5:]
    ]
    with pytest.raises(Problem, match=r"was not to act|no match"):
        check(replace(whole, history=tuple(again)))
    with pytest.raises(Problem, match="otherwise"):
        check(replace(whole, outcome=Outcome("goals", (0,), (9, 0))))


@pytest.mark.parametrize(
    ("gap", "duplicates", "lost", "status"),
    [(29.9, 0, 0, 0), (30.1, 0, 0, 1), (1.0, 1, 0, 1), (1.0, 0, 1, 1)],
)
def test_chaos_holds_only_within_its_bounds(
    tmp_path: Path, gap: float, duplicates: int, lost: int, status: int
) -> None:
    finding = Finding("rules", "2026-01-01T00:00:00.000+00:00", 16, gap, duplicates, lost, "m")
    assert finding.report(tmp_path) == status
    report = json.loads((tmp_path / "chaos.json").read_text())
    values = {entry["id"]: entry["value"] for entry in report["checks"]}
    assert (values["max_gap_s"], values["duplicates"], values["lost"]) == (gap, duplicates, lost)
    assert {"killed_at", "max_gap_s", "duplicates", "lost"} <= set(json.loads(finding.as_json()))


def test_a_match_that_did_not_end_is_a_failed_report(tmp_path: Path) -> None:
    report_failure("redis", Problem("the match did not end within 600 s"), tmp_path)
    report = json.loads((tmp_path / "chaos.json").read_text())
    failed = [entry for entry in report["checks"] if entry["status"] != "passed"]
    assert [entry["value"] for entry in failed] == ["the match did not end within 600 s"]
