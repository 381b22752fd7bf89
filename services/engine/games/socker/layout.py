"""The words of Socker's kernel: where what stands in a buffer, the board's tables, the action ids.

A buffer is one `vec[i64]`: single values, then the sockers, the board and the starts of turns seen
since the last setup. Cells are numbered row * 9 + column from a1 = 0 to i11 = 98; 99 stands for
everything off the board. Slots 0 to 4 are South's sockers and 5 to 9 are North's.
"""

from __future__ import annotations

from typing import Final

from services.engine.core.vec import i64, vec

# What stands where in a buffer. Pairs have South's value first.
PHASE: Final = 0
ACTOR: Final = 1
MOVER: Final = 2  # whose turn it is; in a setup whoever places and moves first
USED: Final = 3  # actions taken in this turn
LEFT: Final = 4  # actions left in this turn
LIMIT: Final = 5  # edge limit of this turn
BALL: Final = 6  # cell, or OFF while a pick is pending
PICK: Final = 7  # the column-e cell whose owner picks, or OFF
SUDDEN: Final = 8
REASON: Final = 9
GOALS: Final = 10
TURNS: Final = 12
PLACED: Final = 14  # sockers on the board
EDGE: Final = 16  # sockers on goal rows and side columns
SOCKERS: Final = 18  # sockers a seat places: five, two in sudden death
GOALS_TO_WIN: Final = 19
TURN_LIMIT: Final = 20  # 0: none
TURN_CAP: Final = 21
SUDDEN_CAP: Final = 22
INTO_GOAL: Final = 23
IGNORES_MOVER: Final = 24
CELL: Final = 25  # cells of the ten slots; OFF when absent
LYING: Final = 35  # one flag a slot
BOARD: Final = 45  # 99 cells and the wall
SEEN: Final = 145  # number of starts of turns seen, then two words each
SEEN_WORDS: Final = 146

# Phases.
TOSS: Final = 0
SETUP: Final = 1
TURN: Final = 2
PICKING: Final = 3
OVER: Final = 4

# Reasons, indices of REASONS.
REASONS: Final = ("goals", "turn_limit", "turn_cap", "sudden_death", "draw")
BY_GOALS: Final = 0
BY_TURN_LIMIT: Final = 1
BY_TURN_CAP: Final = 2
BY_SUDDEN_DEATH: Final = 3
BY_DRAW: Final = 4

NOBODY: Final = -3  # the actor when the match is over
CHANCE: Final = -1

EDGE_LIMIT: Final = 3
NO_LIMIT: Final = 9

# What a cell holds; a socker is its slot + 1.
EMPTY: Final = 0
THE_BALL: Final = 11
WALL: Final = 12

COLUMNS: Final = 9
ROWS: Final = 11
CELLS: Final = 99
OFF: Final = 99
CENTRE_COLUMN: Final = 4
CENTRE: Final = 49  # e6

# Kinds of physical actions; the ids of a kind are block number kind - 1 of the three below.
NOTHING: Final = 0
MOVE: Final = 1
KICK: Final = 2
SOCK: Final = 3

# Action ids. The first three blocks hold one id for each pair of neighbouring cells.
PAIRS: Final = 676
KICKS: Final = PAIRS
SOCKS: Final = 2 * PAIRS
PLACES: Final = 3 * PAIRS
PICKS: Final = PLACES + CELLS
END: Final = PICKS + CELLS
PASS: Final = END + 1
TOSSES: Final = PASS + 1
ACTION_COUNT: Final = TOSSES + 2


def _column_step(direction: i64) -> i64:
    """Directions 0 to 7 in the order of the cells they lead to."""
    ring = direction if direction < 4 else direction + 1  # 4 would be the cell itself
    return ring % 3 - 1


def _row_step(direction: i64) -> i64:
    ring = direction if direction < 4 else direction + 1
    return ring // 3 - 1


def _neighbours() -> vec[i64]:
    """Entry cell * 8 + direction: the cell there, or OFF. OFF leads to OFF."""
    table = vec[i64]([OFF] * (8 * (CELLS + 1)))
    cell: i64
    direction: i64
    for cell in range(CELLS):
        for direction in range(8):
            column = cell % COLUMNS + _column_step(direction)
            row = cell // COLUMNS + _row_step(direction)
            if 0 <= column < COLUMNS and 0 <= row < ROWS:
                table[cell * 8 + direction] = row * COLUMNS + column
    return table


NEIGHBOUR: Final = _neighbours()


def _pair_numbers() -> vec[i64]:
    """Entry cell * 8 + direction: the number of that pair of neighbours, or -1."""
    table = vec[i64]([-1] * (8 * CELLS))
    pair: i64 = 0
    entry: i64
    for entry in range(8 * CELLS):
        if NEIGHBOUR[entry] != OFF:
            table[entry] = pair
            pair += 1
    return table


PAIR: Final = _pair_numbers()


def _pair_entries() -> vec[i64]:
    """Entry pair: its cell * 8 + direction."""
    table = vec[i64]([0] * PAIRS)
    entry: i64
    for entry in range(8 * CELLS):
        if PAIR[entry] >= 0:
            table[PAIR[entry]] = entry
    return table


ENTRY: Final = _pair_entries()


def _goal_cells() -> vec[i64]:
    """Entry cell: 1 on the goal rows, else 0."""
    table = vec[i64]([0] * (CELLS + 1))
    cell: i64
    for cell in range(CELLS):
        if cell // COLUMNS == 0 or cell // COLUMNS == ROWS - 1:
            table[cell] = 1
    return table


IS_GOAL: Final = _goal_cells()


def _edge_cells() -> vec[i64]:
    """Entry cell: 1 on the goal rows and the side columns, else 0."""
    table = vec[i64]([0] * (CELLS + 1))
    cell: i64
    for cell in range(CELLS):
        column = cell % COLUMNS
        if IS_GOAL[cell] == 1 or column == 0 or column == COLUMNS - 1:
            table[cell] = 1
    return table


IS_EDGE: Final = _edge_cells()
