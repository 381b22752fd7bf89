"""The search of each game, with the parameters of a level. A new game is one module and a line."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from services.engine.agents.base import Search
from services.engine.agents.level_table import Level

# Imported when first asked for: a phone loads only the opponents it plays.
_CLASSES: Final = {
    "socker": ("services.engine.agents.socker_search", "SockerSearch"),
    "sock_monsters": ("services.engine.agents.sock_monsters_search", "SockMonstersSearch"),
    "hide_and_seek": ("services.engine.agents.hide_and_seek_search", "HideAndSeekSearch"),
}
_ANY_GAME: Final = ("services.engine.agents.flat_search", "FlatSearch")


def search(game: str, level: Level | None = None) -> Search:
    """The search for a game as it thinks at a level; at full strength without one.

    A game without a search of its own gets one that knows nothing but the rules.
    """
    module, name = _CLASSES.get(game, _ANY_GAME)
    made = getattr(import_module(module), name)
    if level is None:
        return cast(Search, made())
    return cast(Search, made(attention=level.attention, fade=level.fade))
