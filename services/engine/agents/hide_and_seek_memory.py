"""Forgetting faces in Monster Hide and Seek."""

from __future__ import annotations

from random import Random
from typing import Final

from services.engine.agents.memory import remembered
from services.engine.games.hide_and_seek.layout import (
    CANDY,
    CELLS,
    FLIPPED,
    HIDDEN,
    KNOWN,
    MEMORY,
    SHOWN,
)
from services.engine.games.hide_and_seek.values import Information

_A_TURN: Final = 2  # a try flips two cards
_UNKNOWN: Final = -1


def fading(information: Information, fade: float, rng: Random) -> Information:
    """The information of somebody who forgets the lower sides of cards (see `memory`).

    Never that of the card just flipped, and nothing where the table shows them (`memory_aid`).
    """
    words = [*information.buffer]
    if words[MEMORY]:
        return information
    seen = [
        cell
        for cell in range(CELLS)
        if words[SHOWN + cell] < CANDY and words[KNOWN + cell] and cell != words[FLIPPED]
    ]
    for cell in {*seen} - {*remembered(seen, fade, _A_TURN, rng)}:
        words[HIDDEN + cell], words[KNOWN + cell] = _UNKNOWN, 0
    return Information(tuple(words))
