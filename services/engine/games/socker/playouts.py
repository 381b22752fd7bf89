"""Random matches of Socker on the kernel, for agents, statistics and benchmarks."""

from __future__ import annotations

from typing import Final

from services.engine.core.generator import draw
from services.engine.core.vec import i64, vec
from services.engine.games.socker.kernel import act, apply, can_place, is_legal, legal
from services.engine.games.socker.kernel_board import possible
from services.engine.games.socker.kernel_edge import keeps_limit
from services.engine.games.socker.layout import (
    CELL,
    CELLS,
    END,
    LYING,
    MOVER,
    NOTHING,
    OVER,
    PAIR,
    PAIRS,
    PHASE,
    PLACES,
    SETUP,
    TURN,
)

_TRIES: Final = 400


def listed(s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
    """Take a random legal action, drawn from the full list; return its id."""
    action = out[draw(rng, legal(s, out))]
    apply(s, action)
    return action


def drawn(s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
    """The same distribution, faster: draw one of the few dozen things to try until one is legal.

    Gives up after 400 tries for the full list, so a position where hardly anything is legal
    (a pass) costs no more than that.
    """
    phase = s[PHASE]
    _i: i64
    if phase == TURN:
        first = s[MOVER] * 5
        for _i in range(_TRIES):
            choice = draw(rng, 41)
            if choice == 40:
                if is_legal(s, END):
                    apply(s, END)
                    return END
                continue
            slot = first + (choice >> 3)  # compiled, cheaper than a division that rounds down
            if s[LYING + slot] == 1:
                continue
            direction = choice & 7
            kind = possible(s, slot, direction)
            if kind == NOTHING or not keeps_limit(s, slot, direction, kind):
                continue
            action = (kind - 1) * PAIRS + PAIR[s[CELL + slot] * 8 + direction]
            act(s, slot, direction, kind)
            return action
    elif phase == SETUP:
        for _i in range(_TRIES):
            cell = draw(rng, CELLS)
            if can_place(s, cell):
                apply(s, PLACES + cell)
                return PLACES + cell
    return listed(s, rng, out)


def playout(s: vec[i64], rng: vec[i64], out: vec[i64], most: i64, by_list: bool) -> i64:
    """Play at most `most` random actions; return a checksum of the ids in 31 bits.

    `out` has room for 128 ids and gets the number of actions played as its first word.
    """
    checksum: i64 = 0
    played: i64 = 0
    while played < most and s[PHASE] != OVER:
        action = listed(s, rng, out) if by_list else drawn(s, rng, out)
        checksum = (checksum * 31 + action) & 0x7FFFFFFF
        played += 1
    out[0] = played
    return checksum
