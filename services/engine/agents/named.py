"""Agents by name: the same name may play several games, at the level it has in each."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from services.engine.agents.base import Agent, Budget, Clock, Search, Stop
from services.engine.agents.level_table import MONSTERS
from services.engine.agents.levels import level, make_agent
from services.engine.agents.random_agent import RandomAgent
from services.engine.agents.searches import search
from services.engine.core import Action, Ruleset

_SEARCHES: Final = frozenset({"socker_search", "sock_monsters_search", "hide_and_seek_search"})
"""The search of one game within the budget it is given, without a level: its name from before there
were levels, which matches and tables that are kept may hold."""

NAMES: Final = frozenset({RandomAgent.name, *MONSTERS, *_SEARCHES})
"""All names that an agent has or had."""


class Named:
    """An agent that looks up how well it plays the game it is asked about."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Any,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
    ) -> Action:
        """See `Agent.choose`. Raises `UnknownAgent` if it does not play this game."""
        player = self._player(ruleset.game)
        return player.choose(ruleset, information, budget, rng, stop, now)

    def _player(self, game: str) -> Agent | Search:
        if self.name == RandomAgent.name:
            return RandomAgent()
        if self.name == f"{game}_search":
            return search(game)
        return make_agent(level(game, self.name))
