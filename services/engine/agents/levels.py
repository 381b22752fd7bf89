"""Levels of computer opponents: which there are, and the agents that play them."""

from __future__ import annotations

from random import Random
from typing import Any

from services.engine.agents.base import Agent, Budget, Clock, Stop, UnknownAgent
from services.engine.agents.level_table import LEVELS, MONSTERS, Level, Monster, Words
from services.engine.agents.searches import search
from services.engine.core import Action, Ruleset, UnknownGame
from services.engine.core.registry import game_names

__all__ = ["Level", "Monster", "Words", "level", "levels_for", "make_agent", "monster", "top_level"]


def levels_for(game: str) -> tuple[Level, ...]:
    """The levels of a game, kindest first; empty for one without. Raises `UnknownGame`."""
    if game not in game_names():
        raise UnknownGame(game)
    return LEVELS.get(game, ())


def level(game: str, agent: str) -> Level:
    """The level at which the agent of this name plays a game; raises `UnknownAgent`."""
    for found in levels_for(game):
        if found.agent == agent:
            return found
    raise UnknownAgent(agent)


def top_level(game: str) -> Level | None:
    """The strongest level of a game; None for a game without levels."""
    return (levels_for(game) or (None,))[-1]


def monster(agent: str) -> Monster | None:
    """Who is called that; None for an agent that is no monster."""
    return MONSTERS.get(agent)


def make_agent(level: Level) -> Agent:
    """The agent that plays at a level. It plays the level's game only."""
    return _AtLevel(level)


class _AtLevel:
    """A search with the effort and the memory of a level."""

    def __init__(self, level: Level) -> None:
        self.name = level.agent
        self._level = level

    def choose(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Any,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
    ) -> Action:
        """See `Agent.choose`; the budget counts where it is tighter than the level's own."""
        least = within(budget, self._level)
        return search(ruleset.game, self._level).choose(ruleset, information, least, rng, stop, now)


def within(budget: Budget, level: Level) -> Budget:
    """The tighter one of a budget and what a level allows itself; no clock if it asks for none."""
    return Budget(
        None if budget.seconds is None else min(budget.seconds, level.seconds),
        level.iterations if budget.iterations is None else min(budget.iterations, level.iterations),
    )
