"""What a seat knows, as a text: the same exactly where the game's own information is the same.

IS-MCTS asks for it at every node, and the games' notation would cost it more than all else does.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Final

from services.engine.core import Seat
from services.engine.core.registry import ruleset
from services.engine.games.sock_monsters import layout as house

_HIDDEN: Final = -2


def _text(words: Sequence[int]) -> str:
    """The words as characters, eight each: many times faster than to write them as numbers."""
    return array("q", words).tobytes().decode("latin-1")


def _all(state: Any, seat: Seat) -> str:
    """Socker: everything lies open."""
    del seat
    return _text(state.words)


def _tiles_seen(state: Any, seat: Seat) -> str:
    """Sock Monsters: the table, and the tiles that the seat has seen, not those left to deal."""
    data = state.data
    known = data[house.SEEN + seat]
    words = [*data[: house.POOL]]
    for cell, tile in enumerate(data[house.TILE : house.POOL]):
        if tile >= 0 and not known >> cell & 1:
            words[house.TILE + cell] = _HIDDEN
    return _text(words)


def _faces_seen(state: Any, seat: Seat) -> str:
    """Hide and Seek: the information is but one row of numbers."""
    return _text(ruleset("hide_and_seek").information(state, seat).buffer)


KEYS: Final[dict[str, Callable[[Any, Seat], str]]] = {
    "socker": _all,
    "sock_monsters": _tiles_seen,
    "hide_and_seek": _faces_seen,
}
"""By game: a state and a seat to the text."""
