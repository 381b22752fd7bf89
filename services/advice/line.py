"""The record of a finished match as the line of play that led to its end. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from services.engine.core import CHANCE, Action, Outcome, Ruleset, Seat
from services.engine.core.record import CHANCE_KINDS, UnreadableRecord
from services.engine.core.registry import ruleset

RESTORES: Final = frozenset({"undo", "takeback"})
SETUP: Final = "shuffle"
"""Chance that lays things out and hides them: it is nobody's luck before somebody looks."""


@dataclass(frozen=True, slots=True)
class Step:
    """An action that stood to the end. `chance` is its kind in `CHANCE_KINDS`, else ""."""

    revision: int
    actor: Seat
    action: Action
    before: Any
    after: Any
    chance: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """All steps that matter, and the end: each seat's share of the win at the last revision."""

    rules: Ruleset[Any, Any, Any]
    seats: int
    steps: tuple[Step, ...]
    last_revision: int
    shares: tuple[float, ...]


def read_line(document: Mapping[str, Any]) -> Line:
    """The line of a record (docs/export.md), which is trusted. Raises `UnreadableRecord` for one of
    other rules than this version has, and `EngineError` for one that can't be read.

    What was undone or taken back is not on it, nor is the setup.
    """
    rules = ruleset(document["game"])
    if rules.version != document["ruleset_version"]:
        raise UnreadableRecord("by other rules than these")
    seats = len(document["seats"])
    state = rules.initial(document["options"], seats)
    states, steps = [state], list[Step]()
    for event in document["history"]:
        if event["kind"] == "action":
            action, actor = rules.parse_action(event["action"]), event["actor"]
            after = rules.apply(state, action)
            word = event["action"].partition(":")[0]
            chance = CHANCE_KINDS.get(word, "draw") if actor == CHANCE else ""
            if chance != SETUP:
                steps.append(Step(event["revision"], actor, action, state, after, chance))
            state = after
        elif event["kind"] in RESTORES:
            state = states[event["to_revision"]]
            steps = [step for step in steps if step.revision < event["to_revision"]]
        states.append(state)
    said = document["outcome"]
    outcome = Outcome(said["reason"], tuple(said["winners"]), tuple(said["scores"]))
    return Line(rules, seats, tuple(steps), len(document["history"]), shares(outcome, seats))


def shares(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """Each seat's share of the win; without winners it is everybody's."""
    winners = outcome.winners or tuple(range(seats))
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(seats))
