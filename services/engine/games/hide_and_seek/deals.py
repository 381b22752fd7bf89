"""Which hidden faces there may be: a fair sample of what nobody has seen (RULINGS 3.9)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import accumulate
from math import comb
from random import Random
from typing import TypeAlias

from services.engine.games.hide_and_seek import layout as at

Unseen: TypeAlias = tuple[int, ...]
"""Copies of each kind of card (`layout.KIND`) that are not known to lie anywhere."""

_Choice: TypeAlias = tuple[int, int, tuple[int, ...], int]
"""Copies showing the low type, copies showing the high one, what is still needed, ways."""


def unseen_kinds(buffer: tuple[int, ...]) -> Unseen:
    """The deck less the cards in piles and less those on the board seen from both sides."""
    types = buffer[at.TYPES]
    left = [0] * at.CANDY_KIND
    for kind in range(at.CANDY_KIND):
        if at.HIGH_OF[kind] < types:
            left[kind] = 1 if at.LOW_OF[kind] == at.HIGH_OF[kind] else 2
        left[kind] -= sum(buffer[at.PILE + seat * at.KINDS + kind] for seat in range(4))
    for cell in range(at.CELLS):
        shown, hidden = buffer[at.SHOWN + cell], buffer[at.HIDDEN + cell]
        if shown < at.CANDY and buffer[at.KNOWN + cell]:
            left[at.KIND[shown * at.TYPES_MOST + hidden]] -= 1
    return tuple(left)


@lru_cache(maxsize=65_536)
def _ways(kind: int, need: tuple[int, ...], unseen: Unseen) -> int:
    """Labelled ways to show `need[t]` more faces of each type with the kinds from `kind` on.

    Copies of a kind that are not needed stay undealt (that is so only while cards are dealt).
    """
    # No kind from here on has a type below the low one of this kind.
    done = at.LOW_OF[kind] if kind < at.CANDY_KIND else at.TYPES_MOST
    if min(need) < 0 or any(need[:done]):
        return 0
    if kind == at.CANDY_KIND:
        return 1
    return sum(
        weight * _ways(kind + 1, rest, unseen)
        for _, _, rest, weight in _choices(kind, need, unseen)
    )


def _choices(kind: int, need: tuple[int, ...], unseen: Unseen) -> list[_Choice]:
    low, high, copies = at.LOW_OF[kind], at.HIGH_OF[kind], unseen[kind]
    found: list[_Choice] = []
    for up in range(copies + 1):
        if low == high:
            # Both orientations of a double look alike: two labelled ways for each.
            found.append((up, 0, _less(need, low, up), comb(copies, up) * 2**up))
            continue
        for down in range(copies - up + 1):
            rest = _less(_less(need, low, up), high, down)
            found.append((up, down, rest, comb(copies, up) * comb(copies - up, down)))
    return found


@lru_cache(maxsize=16_384)
def weighted(kind: int, need: tuple[int, ...], unseen: Unseen) -> tuple[list[_Choice], list[int]]:
    """The choices for a kind, and up to each of them the labelled deals behind it.

    For a search, which asks often. A choice is (copies showing the low type, copies showing the
    high one, what is still needed, ways).
    """
    choices = _choices(kind, need, unseen)
    ways = (weight * _ways(kind + 1, rest, unseen) for _, _, rest, weight in choices)
    return choices, list(accumulate(ways))


def _less(need: tuple[int, ...], index: int, amount: int) -> tuple[int, ...]:
    return (*need[:index], need[index] - amount, *need[index + 1 :])


def sample_hidden(buffer: tuple[int, ...], rng: Random) -> dict[int, int]:
    """Hidden faces by cell number for all cards not seen from both sides.

    Exact: how many copies of each kind show which face is drawn by the number of labelled deals
    behind each possibility, then the hidden faces are shuffled among the cells showing the same.
    """
    cells: dict[int, list[int]] = {type_: [] for type_ in range(at.TYPES_MOST)}
    for cell in range(at.CELLS):
        shown = buffer[at.SHOWN + cell]
        if shown < at.CANDY and not buffer[at.KNOWN + cell]:
            cells[shown].append(cell)
    unseen = unseen_kinds(buffer)
    need = tuple(len(cells[type_]) for type_ in range(at.TYPES_MOST))
    hidden: dict[int, list[int]] = {type_: [] for type_ in range(at.TYPES_MOST)}
    for kind in range(at.CANDY_KIND):
        choices, weights = weighted(kind, need, unseen)
        up, down, need, _ = rng.choices(choices, cum_weights=weights)[0]
        hidden[at.LOW_OF[kind]] += [at.HIGH_OF[kind]] * up
        hidden[at.HIGH_OF[kind]] += [at.LOW_OF[kind]] * down
    found: dict[int, int] = {}
    for type_, places in cells.items():
        rng.shuffle(hidden[type_])
        found.update(zip(places, hidden[type_], strict=True))
    return found


def is_possible(buffer: tuple[int, ...]) -> bool:
    """Whether some deal agrees with an information state."""
    need = Counter(
        buffer[at.SHOWN + cell]
        for cell in range(at.CELLS)
        if buffer[at.SHOWN + cell] < at.CANDY and not buffer[at.KNOWN + cell]
    )
    unseen = unseen_kinds(buffer)
    return min(unseen) >= 0 and bool(
        _ways(0, tuple(need[type_] for type_ in range(at.TYPES_MOST)), unseen)
    )
