"""Where everything lies in the flat state of Monster Hide and Seek, and the ids of its actions.

A state is one buffer of `SIZE` integers. Cells are numbered row by row on a board that is always
seven columns wide, a1 = 0 to g4 = 27, so that a cell has the same number in every grid size.
"""

from __future__ import annotations

from typing import Final

COLUMNS: Final = 7
ROWS: Final = 4
CELLS: Final = 28
SEATS_MOST: Final = 4

# On a cell: a monster type 0-4 (both slots), or one of these.
CANDY: Final = 5
GAP: Final = 6
UNDEALT: Final = 7
OUTSIDE: Final = 8  # the grid of this game does not reach here

# Kinds of cards in piles and in the deck: unordered pairs of types (see `KIND`), then candy.
TYPES_MOST: Final = 5
KINDS: Final = 16
CANDY_KIND: Final = 15

# Options of the match.
SEATS: Final = 0
TYPES: Final = 1
MONSTER_STARS: Final = 2
CANDY_STARS: Final = 3
TOGETHER: Final = 4
MAY_STOP: Final = 5
END_ON_DEADLOCK: Final = 6
IDLE_CAP: Final = 7  # as chosen: 0 stands for 8 x types
TURN_CAP: Final = 8
FIRST_SEAT: Final = 9
MEMORY: Final = 10

# Progress.
PHASE: Final = 11
MOVER: Final = 12
FLIPPED: Final = 13  # the first card of the running try, -1 between tries
TURNS: Final = 14
IDLE: Final = 15
REASON: Final = 16
MONSTERS: Final = 17  # on the board
DEALT: Final = 18  # cells dealt

# The table.
SHOWN: Final = 19  # + cell: the face up
HIDDEN: Final = 47  # + cell: the face down
KNOWN: Final = 75  # + cell: 1 when the card was seen from both sides
PILE: Final = 103  # + 16 seat + kind
SIZE: Final = 167

# Phases.
P_DEAL: Final = 0
P_FIRST: Final = 1  # the first decision of a turn
P_SECOND: Final = 2  # the other card of the first try
P_AGAIN: Final = 3  # after a match: the first card of another try
P_PAIRED: Final = 4  # after a match: the other card of that try
P_OVER: Final = 5

# Reasons.
R_NORMAL: Final = 0
R_DEADLOCK: Final = 1
R_CAP: Final = 2

# Actions.
A_DEAL: Final = 0  # + 5 shown + hidden
A_DEAL_CANDY: Final = 25
A_FLIP: Final = 26  # + cell
A_CANDY: Final = 54  # + cell
A_STOP: Final = 82
A_BOTH: Final = 83  # + index of the pair in FIRST_OF and SECOND_OF
ACTION_COUNT: Final = 461

_PAIRS: Final = [(a, b) for a in range(CELLS) for b in range(a + 1, CELLS)]
FIRST_OF: Final = [a for a, _ in _PAIRS]
SECOND_OF: Final = [b for _, b in _PAIRS]
PAIR_INDEX: Final = [
    _PAIRS.index((min(a, b), max(a, b))) if a != b else -1
    for a in range(CELLS)
    for b in range(CELLS)
]

_KINDS: Final = [(a, b) for a in range(TYPES_MOST) for b in range(a, TYPES_MOST)]
LOW_OF: Final = [a for a, _ in _KINDS]
HIGH_OF: Final = [b for _, b in _KINDS]
KIND: Final = [
    _KINDS.index((min(a, b), max(a, b))) for a in range(TYPES_MOST) for b in range(TYPES_MOST)
]
"""Kind of the card with these two faces, by 5 a + b."""

# The closest cells in each direction, from near to far, for candies: left, right, down, up.
_RAYS: Final = [
    [
        [row * COLUMNS + c for c in range(column - 1, -1, -1)],
        [row * COLUMNS + c for c in range(column + 1, COLUMNS)],
        [r * COLUMNS + column for r in range(row - 1, -1, -1)],
        [r * COLUMNS + column for r in range(row + 1, ROWS)],
    ]
    for row in range(ROWS)
    for column in range(COLUMNS)
]
RAY_LENGTH: Final = 7
RAYS: Final = [
    cell for rays in _RAYS for ray in rays for cell in ray + [-1] * (RAY_LENGTH - len(ray))
]
"""Cell numbers by 28 cell + 7 direction + distance, ended by -1 (RULINGS 3.6)."""

GRIDS: Final = {3: (5, 2), 4: (6, 3), 5: (7, 4)}
"""Columns and rows by number of types (RULINGS 3)."""
