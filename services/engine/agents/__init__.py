"""Computer opponents by name. A new one is one module plus one line here."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from services.engine.agents.base import Agent, Budget, Clock, Stop, UnknownAgent
from services.engine.core import UnknownGame
from services.engine.core.registry import game_names

__all__ = ["Agent", "Budget", "Clock", "Stop", "UnknownAgent", "agent", "agent_names"]

_ALL_GAMES: Final = ("random",)

# Per game, kindest first.
_OF_GAME: Final[dict[str, tuple[str, ...]]] = {
    "socker": ("socker_search",),
    "sock_monsters": ("sock_monsters_search",),
    "hide_and_seek": ("hide_and_seek_search",),
}

# Imported when first asked for: a phone loads only the opponents it plays.
_CLASSES: Final = {
    "random": ("services.engine.agents.random_agent", "RandomAgent"),
    "socker_search": ("services.engine.agents.socker_search", "SockerSearch"),
    "sock_monsters_search": (
        "services.engine.agents.sock_monsters_search",
        "SockMonstersSearch",
    ),
    "hide_and_seek_search": (
        "services.engine.agents.hide_and_seek_search",
        "HideAndSeekSearch",
    ),
}


def agent_names(game: str) -> tuple[str, ...]:
    """The agents that play `game`, kindest first; raises `UnknownGame`."""
    if game not in game_names():
        raise UnknownGame(game)
    return _ALL_GAMES + _OF_GAME.get(game, ())


def agent(name: str) -> Agent:
    """The agent of this name; raises `UnknownAgent`."""
    if name not in _CLASSES:
        raise UnknownAgent(name)
    module, of = _CLASSES[name]
    return cast(Agent, getattr(import_module(module), of)())
