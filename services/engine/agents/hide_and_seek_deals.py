"""Fair samples of the faces not seen in Monster Hide and Seek, many from one information state.

The same distribution as the ruleset's own sample (RULINGS 3.9): how many copies of each kind of
card show which face is drawn by the number of deals behind each possibility, counted exactly. Here
the counts met are kept from one sample to the next.
"""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from random import Random

from services.engine.agents.hide_and_seek_lines import dealt
from services.engine.core.generator import generator
from services.engine.core.vec import i64, vec
from services.engine.games.hide_and_seek import deals as unseen
from services.engine.games.hide_and_seek.layout import (
    CANDY,
    CANDY_KIND,
    CELLS,
    HIGH_OF,
    KNOWN,
    LOW_OF,
    SHOWN,
    TYPES_MOST,
)


class _Step:
    """A choice: how many copies of a kind of card show its low and its high type."""

    __slots__ = ("_left", "after", "bounds", "choices", "kind")

    def __init__(self, kind: int, need: tuple[int, ...], left: unseen.Unseen) -> None:
        self.choices, self.bounds = unseen.weighted(kind, need, left)
        self.kind = kind
        self.after: dict[int, _Step | None] = {}
        self._left = left

    def follow(self, choice: int) -> _Step | None:
        """The choice that comes after this one; None after the last kind there is."""
        if choice not in self.after:
            kind, need = self.kind + 1, self.choices[choice][2]
            while kind < CANDY_KIND and self._left[kind] == 0:
                kind += 1
            self.after[choice] = _Step(kind, need, self._left) if kind < CANDY_KIND else None
        return self.after[choice]


class Deals:
    """Makes positions that agree with a buffer in which unknown faces are not looked at."""

    def __init__(self, known: tuple[int, ...], rng: Random) -> None:
        cells: list[list[int]] = [[] for _ in range(TYPES_MOST)]
        for cell in range(CELLS):
            if known[SHOWN + cell] < CANDY and not known[KNOWN + cell]:
                cells[known[SHOWN + cell]].append(cell)
        self._words = [*known]
        self._cells = [cell for group in cells for cell in group]
        self._ends = [*accumulate(len(group) for group in cells)]
        self._rng, self._shuffling = rng, generator(rng.getrandbits(32))
        self._root = _Step(0, tuple(len(group) for group in cells), unseen.unseen_kinds(known))

    def __call__(self) -> vec[i64]:
        """One sample."""
        down: list[list[int]] = [[] for _ in range(TYPES_MOST)]
        step: _Step | None = self._root
        while step is not None:
            bounds = step.bounds
            choice = bisect(bounds, self._rng.random() * bounds[-1], 0, len(bounds) - 1)
            up, over, _, _ = step.choices[choice]
            low, high = LOW_OF[step.kind], HIGH_OF[step.kind]
            down[low] += [high] * up
            down[high] += [low] * over
            step = step.follow(choice)
        faces = [face for group in down for face in group]
        return dealt(self._words, self._cells, faces, self._ends, self._shuffling)
