"""The shelf: every game by its name. A new game is one folder under games/ plus one line here."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeAlias

from services.engine.core.errors import UnknownGame
from services.engine.core.ruleset import Ruleset

AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]

# Names only: a game is imported when it is first asked for, so that the phone starts fast and
# the core does not depend on the games.
_MODULES: Final[dict[str, str]] = {
    "socker": "services.engine.games.socker",
    "sock_monsters": "services.engine.games.sock_monsters",
    "hide_and_seek": "services.engine.games.hide_and_seek",
}


def game_names() -> tuple[str, ...]:
    """All games, in the order in which they are offered."""
    return tuple(_MODULES)


def ruleset(game: str) -> AnyRuleset:
    """The ruleset of `game`; raises `UnknownGame`."""
    module = _MODULES.get(game)
    if module is None:
        raise UnknownGame(game)
    found = import_module(module).RULESET
    assert isinstance(found, Ruleset)
    return found


def register(game: str, module: str) -> Callable[[], None]:
    """Put one more game, of this module, on the shelf of this process, for tests and experiments.

    Returns what takes it off again. Raises `ValueError` if there is a game of this name already.
    """
    if game in _MODULES:
        raise ValueError(f"there is a game of this name already: '{game}'")
    _MODULES[game] = module

    def take_off() -> None:
        del _MODULES[game]

    return take_off
