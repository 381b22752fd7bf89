"""Which part of the match screen belongs to which game. A new game is one line here."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from app.screens.match.part import GamePart

# Imported when a match of the game is first shown, so that the app starts fast.
PARTS: Final[dict[str, tuple[str, str]]] = {
    "sock_monsters": ("app.screens.match.sock_monsters", "SockMonstersPart"),
    "socker": ("app.screens.match.socker", "SockerPart"),
    "hide_and_seek": ("app.screens.match.hide_and_seek", "HideAndSeekPart"),
}


def make_part(game: str) -> GamePart | None:
    """A part for `game`; None for a game this app does not know."""
    if game not in PARTS:
        return None
    module, name = PARTS[game]
    part = getattr(import_module(module), name)()
    assert isinstance(part, GamePart)
    return part
