"""The shelf: every game by its name. A new game is one folder under games/ plus one line here."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, TypeAlias

from services.engine.core.errors import UnknownGame
from services.engine.core.ruleset import Ruleset

AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]

# Names only: a game is imported when it is first asked for, so that the phone starts fast and
# the core does not depend on the games.
_MODULES: Final = {
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
