"""From an information state to an action: what workers and the last resort both do.

An agent gets what its seat knows and nothing else.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any, Final

import structlog

from services.ai.plan import Mode
from services.engine.agents import Budget, agent
from services.engine.core import Ruleset
from services.engine.core.registry import ruleset

_log = structlog.get_logger("think")

LIVE: Final = Budget(seconds=2.0)
"""A person waits. All but the strongest levels allow themselves less."""
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


class BadAnswer(Exception):
    """An agent's action that the rules do not allow."""


def think_or_play_on(question: Question, mode: Mode) -> Answer:
    """`think`, or any legal action when the agent fails in whatever way, or runs out of time.

    Raises `EngineError` when the information can't be read.
    """
    try:
        return think(question, mode)
    except Exception as error:
        # The type only: what an exception says may tell what is hidden.
        _log.error("agent failed", agent=question.agent, error=type(error).__name__)
        return any_legal(question)


def think(question: Question, mode: Mode) -> Answer:
    """Choose an action with the effort of `mode`.

    Raises `EngineError` when the information can't be read or the agent is not on the shelf,
    `BadAnswer`, and whatever an agent at fault raises.
    """
    if mode is Mode.LEGAL:
        return any_legal(question)
    rules, information = _read(question)
    budget = QUICK if mode is Mode.QUICK else LIVE if question.live else SLOW
    deadline = time.monotonic() + (budget.seconds or 0) + OVERTIME_S
    rng = _rng()
    action = agent(question.agent).choose(
        rules,
        information,
        budget,
        rng,
        stop=lambda: time.monotonic() > deadline,
        now=time.monotonic,
    )
    # What is known decides what is legal, so one sample will do.
    if not rules.is_legal(rules.determinize(information, rng), action):
        raise BadAnswer(question.agent)
    origin = question.agent if mode is Mode.AGENT else mode.value
    return Answer(rules.format_action(action), origin)


def any_legal(question: Question) -> Answer:
    """Any action the rules allow. Raises `EngineError` when the information can't be read."""
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
