"""Computer opponents by name, their levels, and what they think of a position.

An agent gets what its seat knows and nothing else. `agent(name)` is one that plays whatever game it
is asked about; `analyse` weighs a decision for hints and reviews.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from services.engine.agents.base import (
    Agent,
    Analysis,
    Budget,
    Clock,
    Search,
    Stop,
    UnknownAgent,
    Weighed,
)
from services.engine.agents.levels import (
    Level,
    Monster,
    Words,
    level,
    levels_for,
    make_agent,
    monster,
    top_level,
)
from services.engine.agents.named import NAMES, Named
from services.engine.agents.searches import search
from services.engine.core import Action, Ruleset

__all__ = [
    "Agent",
    "Analysis",
    "Budget",
    "Clock",
    "Level",
    "Monster",
    "Search",
    "Stop",
    "UnknownAgent",
    "Weighed",
    "Words",
    "agent",
    "agent_names",
    "agents_for",
    "analyse",
    "level",
    "levels_for",
    "make_agent",
    "monster",
    "top_level",
]

RANDOM: Final = "random"


def agents_for(game: str) -> dict[str, int]:
    """The agents that play `game` with their levels, kindest first; raises `UnknownGame`.

    Level 0 plays where it is asked to, such as for somebody absent, but is not offered as an
    opponent: `random`, where a game has levels.
    """
    levels = {each.agent: each.number for each in levels_for(game)}
    return {RANDOM: 0 if levels else 1, **levels}


def agent_names(game: str) -> tuple[str, ...]:
    """The agents that play `game`, kindest first; raises `UnknownGame`."""
    return tuple(agents_for(game))


def agent(name: str) -> Agent:
    """The agent of this name; raises `UnknownAgent`."""
    if name not in NAMES:
        raise UnknownAgent(name)
    return Named(name)


def analyse(
    ruleset: Ruleset[Any, Any, Any],
    information: Any,
    budget: Budget,
    rng: Random,
    stop: Stop,
    now: Clock,
    also: Sequence[Action] = (),
) -> Analysis:
    """What the strongest search of the game thinks of a decision, by what its seat knows.

    For any game, with or without levels. `also`: legal actions to look at even if they do not seem
    worth it, such as the one that was played.
    """
    return search(ruleset.game).analyse(ruleset, information, budget, rng, stop, now, also)
