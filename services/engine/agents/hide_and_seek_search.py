"""The search of Monster Hide and Seek: takes what is certain, weighs all else."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from services.engine.agents.hide_and_seek_deals import Deals as FaceDeals
from services.engine.agents.hide_and_seek_lines import HideAndSeekLines
from services.engine.agents.hide_and_seek_memory import fading
from services.engine.agents.information_set_search import Deals, InformationSetSearch
from services.engine.core import Ruleset
from services.engine.games.hide_and_seek import deals as unseen
from services.engine.games.hide_and_seek.layout import CANDY, CELLS, HIDDEN, KNOWN, SHOWN, TYPES
from services.engine.games.hide_and_seek.values import Information

_FEW: Final = 8  # unknown cards: with more of them next to nothing can be deduced, at a high price


class HideAndSeekSearch(InformationSetSearch):
    """All seats know the same, so that the tree is one of expectations, not of guesses."""

    lines = HideAndSeekLines()
    horizon = 3

    def recall(self, information: Information, fade: float, rng: Random) -> Information:
        """See `hide_and_seek_memory.fading`."""
        return fading(information, fade, rng)

    def deals(
        self, ruleset: Ruleset[Any, Any, Any], information: Information, rng: Random
    ) -> Deals:
        """Fair samples of the faces not seen, by the counts of `deals` (RULINGS 3.9)."""
        del ruleset
        return FaceDeals(deduced(information.buffer), rng)


def deduced(buffer: tuple[int, ...]) -> tuple[int, ...]:
    """The buffer with those faces marked as known that can be only one by the cards left.

    Cards that show one face and are not known are alike: either all of them are certain or none.
    Tried only where few cards are unknown.
    """
    words = [*buffer]
    unknown = [c for c in range(CELLS) if buffer[SHOWN + c] < CANDY and not buffer[KNOWN + c]]
    if len(unknown) > _FEW:
        return buffer
    for shown in range(buffer[TYPES]):
        cells = [cell for cell in unknown if buffer[SHOWN + cell] == shown]
        faces = _possible_faces(words, cells[0]) if cells else []
        if len(faces) == 1:
            for cell in cells:
                words[HIDDEN + cell], words[KNOWN + cell] = faces[0], 1
    return tuple(words)


def _possible_faces(words: list[int], cell: int) -> list[int]:
    """The first two faces, or fewer, that may lie face down on a cell not seen from both sides."""
    found: list[int] = []
    trial = [*words]
    trial[KNOWN + cell] = 1
    for face in range(words[TYPES]):
        trial[HIDDEN + cell] = face
        if unseen.is_possible(tuple(trial)):
            found.append(face)
            if len(found) == 2:
                break
    return found
