"""The rules of Breakthrough, in place on one flat buffer, as our games have theirs.

Each side has two rows of pieces; one step forward, straight onto an empty cell or diagonally onto
one that is empty or the opponent's; whoever reaches the last row or takes all pieces wins. Cells
are row * 10 + column with columns 1 to 8, so that both sides of a row have a wall. Seat 0 starts at
the bottom. Action ids are cell * 3 + direction, from left to right.
"""

from __future__ import annotations

from typing import Final

from services.engine.core.generator import draw
from services.engine.core.vec import i64, vec

MOVER: Final = 0
WINNER: Final = 1  # or NOBODY
COUNT: Final = 2  # pieces of each seat
PIECE: Final = 4  # cells of seat 0's pieces, then of seat 1's, 16 slots each
BOARD: Final = 36
SLOT: Final = 116  # of the piece on a cell
SIZE: Final = 196

NOBODY: Final = -1
EMPTY: Final = 0  # on a cell; else the seat + 1, or a wall
WALL: Final = 3
MOST_ACTIONS: Final = 48


def start() -> vec[i64]:
    """The first position."""
    s = vec[i64]([0] * SIZE)
    s[WINNER] = NOBODY
    s[COUNT] = 16
    s[COUNT + 1] = 16
    row: i64
    column: i64
    for row in range(8):
        s[BOARD + row * 10] = WALL
        s[BOARD + row * 10 + 9] = WALL
    for row in range(2):
        for column in range(8):
            _put(s, 0, row * 8 + column, row * 10 + column + 1)
            _put(s, 1, row * 8 + column, (7 - row) * 10 + column + 1)
    return s


def copy(source: vec[i64], target: vec[i64]) -> None:
    """Make `target` the position of `source`."""
    i: i64
    for i in range(SIZE):
        target[i] = source[i]


def room(words: int) -> vec[i64]:
    """A buffer for so many words."""
    return vec[i64]([0] * words)


def _put(s: vec[i64], seat: i64, slot: i64, cell: i64) -> None:
    s[PIECE + 16 * seat + slot] = cell
    s[BOARD + cell] = seat + 1
    s[SLOT + cell] = slot


def target_of(cell: i64, direction: i64, seat: i64) -> i64:
    """The cell one step forward."""
    return cell + direction + 9 if seat == 0 else cell + direction - 11


def can_go(s: vec[i64], cell: i64, direction: i64) -> bool:
    """Whether the mover's piece on a cell may step so."""
    what = s[BOARD + target_of(cell, direction, s[MOVER])]
    if what == EMPTY:
        return True
    return direction != 1 and what == 2 - s[MOVER]


def legal(s: vec[i64], out: vec[i64]) -> i64:
    """Write the legal ids to `out`; return how many."""
    n: i64 = 0
    if s[WINNER] != NOBODY:
        return n
    slot: i64
    direction: i64
    first = PIECE + 16 * s[MOVER]
    for slot in range(first, first + s[COUNT + s[MOVER]]):
        for direction in range(3):
            if can_go(s, s[slot], direction):
                out[n] = s[slot] * 3 + direction
                n += 1
    return n


def apply(s: vec[i64], action: i64) -> None:
    """Take a legal action."""
    seat = s[MOVER]
    cell = action // 3
    to = target_of(cell, action % 3, seat)
    if s[BOARD + to] != EMPTY:
        _remove(s, 1 - seat, to)
    slot = s[SLOT + cell]
    s[BOARD + cell] = EMPTY
    _put(s, seat, slot, to)
    s[MOVER] = 1 - seat
    if to >= 70 or to < 10 or s[COUNT + 1 - seat] == 0:
        s[WINNER] = seat


def _remove(s: vec[i64], seat: i64, cell: i64) -> None:
    """Take a piece off; the last one gets its slot."""
    s[COUNT + seat] -= 1
    last = s[PIECE + 16 * seat + s[COUNT + seat]]
    slot = s[SLOT + cell]
    s[PIECE + 16 * seat + slot] = last
    s[SLOT + last] = slot


def playout(s: vec[i64], rng: vec[i64]) -> i64:
    """Play at random to the end; return the winner. There is always a legal action."""
    while s[WINNER] == NOBODY:
        choice = draw(rng, s[COUNT + s[MOVER]] * 3)
        cell = s[PIECE + 16 * s[MOVER] + choice // 3]
        if can_go(s, cell, choice % 3):
            apply(s, cell * 3 + choice % 3)
    return s[WINNER]
