"""From an information state to an action: what workers and the last resort both do.

An agent gets what its seat knows and nothing else.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any, Final

from services.ai.plan import Mode
from services.engine.agents import Budget, agent
from services.engine.core import Ruleset
from services.engine.core.registry import ruleset

LIVE: Final = Budget(seconds=0.4)
"""A person waits, and a turn may have five actions."""
SLOW: Final = Budget(seconds=2.0)
QUICK: Final = Budget(seconds=0.1)
OVERTIME_S: Final = 1.0
"""An agent that is this much over its budget is told to stop."""


@dataclass(frozen=True, slots=True)
class Question:
    """What an action is wanted for. `information` is in the game's notation."""

    game: str
    agent: str
    information: str
    live: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The action in the game's notation, and how it was found."""

    action: str
    origin: str


def think(question: Question, mode: Mode) -> Answer:
    """Choose an action with the effort of `mode`.

    Raises `EngineError` when the information can't be read or the agent is not on the shelf.
    """
    if mode is Mode.LEGAL:
        return any_legal(question)
    rules, information = _read(question)
    budget = QUICK if mode is Mode.QUICK else LIVE if question.live else SLOW
    deadline = time.monotonic() + (budget.seconds or 0) + OVERTIME_S
    action = agent(question.agent).choose(
        rules,
        information,
        budget,
        _rng(),
        stop=lambda: time.monotonic() > deadline,
        now=time.monotonic,
    )
    origin = question.agent if mode is Mode.AGENT else mode.value
    return Answer(rules.format_action(action), origin)


def any_legal(question: Question) -> Answer:
    """Any action the rules allow: what is known decides what is legal, so one sample will do."""
    rules, information = _read(question)
    rng = _rng()
    action = rng.choice(rules.legal_actions(rules.determinize(information, rng)))
    return Answer(rules.format_action(action), Mode.LEGAL.value)


def _read(question: Question) -> tuple[Ruleset[Any, Any, Any], Any]:
    rules = ruleset(question.game)
    return rules, rules.parse_information(question.information)


def _rng() -> random.Random:
    # Seeded from the system, so that nobody can compute an opponent's next move at home.
    return random.Random(random.SystemRandom().getrandbits(64))
