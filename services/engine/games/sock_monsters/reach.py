"""Where the figures of Sock Monsters can go, as masks of cells.

Part of the kernel: plain functions over the flat state of layout, compiled on servers,
run as they are on phones.
"""

from __future__ import annotations

from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.layout import (
    ALL_CELLS,
    AROUND,
    BESIDE,
    BIT,
    COLOUR,
    FACE_UP,
    GERMAN,
    LAIR_CELLS,
    MONSTER,
    NOT_COLUMN_A,
    NOT_COLUMN_F,
    OCCUPIED,
    PAWN,
)


def sides(cells: i64) -> i64:
    """The orthogonal neighbours of a set of cells."""
    return (
        (cells << 1) & NOT_COLUMN_A | (cells >> 1) & NOT_COLUMN_F | cells << 6 | cells >> 6
    ) & ALL_CELLS


def around(cells: i64) -> i64:
    """A set of cells with all its neighbours, the diagonal ones included."""
    row = cells | (cells << 1) & NOT_COLUMN_A | (cells >> 1) & NOT_COLUMN_F
    return (row | row << 6 | row >> 6) & ALL_CELLS


def can_move(s: vec[i64], colour: i64) -> bool:
    """Whether a monster has a free orthogonal neighbour; lairs count as free (RULINGS 1.12)."""
    return BESIDE[s[MONSTER + colour]] & ~s[OCCUPIED] != 0


def any_can_move(s: vec[i64]) -> bool:
    """Whether the four-colour face leaves anything to pick."""
    return can_move(s, 0) or can_move(s, 1) or can_move(s, 2) or can_move(s, 3)


def monster_targets(s: vec[i64], colour: i64) -> i64:
    """Where a monster may end its move (RULINGS 1.12, German edition 1.19)."""
    free: i64 = ALL_CELLS & ~s[OCCUPIED]
    start = s[MONSTER + colour]
    if s[GERMAN]:
        return _straight(BIT[start], free)
    # Its own cell is not free, so a path can't end there.
    near = BESIDE[start] & free
    far = near | sides(near) & free
    return far | sides(far) & free


def _straight(start: i64, free: i64) -> i64:
    """One to three free cells in a straight orthogonal line."""
    east = west = north = south = start
    found: i64 = 0
    for _ in range(3):
        east = (east << 1) & NOT_COLUMN_A & free
        west = (west >> 1) & NOT_COLUMN_F & free
        north = (north << 6) & free
        south = (south >> 6) & free
        found |= east | west | north | south
    return found


def pawn_targets(s: vec[i64], seat: i64) -> i64:
    """Where a pawn may end, its own cell included (RULINGS 1.5, 1.6)."""
    start = s[PAWN + seat]
    free: i64 = ALL_CELLS & ~(s[OCCUPIED] | LAIR_CELLS)
    near = AROUND[start] & free
    if near == 0:  # enclosed: figures no longer block the path, lairs still do
        cells = around(AROUND[start] & ~LAIR_CELLS) & ~LAIR_CELLS
        return around(cells) & free | BIT[start]
    return around(around(near) & free) & free | BIT[start]


def peek_targets(s: vec[i64]) -> i64:
    """The tiles the awake monster's player may peek at (RULINGS 1.14)."""
    return BESIDE[s[MONSTER + s[COLOUR]]] & ~(s[OCCUPIED] | s[FACE_UP] | LAIR_CELLS)
