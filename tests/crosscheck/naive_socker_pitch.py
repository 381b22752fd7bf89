"""What lies on the pitch in the naive Socker, and how it is written.

Written from section 2 of docs/rules/RULINGS.md and from docs/notation/socker.md alone, by an author
who has not read the kernel. Numbers such as 2.6 are rulings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""(row 1 to 11, column 1 to 9); sorted, cells are in the order of the notation."""

BOARD: tuple[Cell, ...] = tuple((row, column) for row in range(1, 12) for column in range(1, 10))
MIDDLE_COLUMN = 5
CENTRE: Cell = (6, MIDDLE_COLUMN)
MOST_ON_EDGE = 3


def cell_name(cell: Cell) -> str:
    row, column = cell
    return f"{'abcdefghi'[column - 1]}{row}"


def in_goal_row(cell: Cell) -> bool:
    """2.1: corners included."""
    return cell[0] in (1, 11)


def in_side_column(cell: Cell) -> bool:
    """Column a or i, of which 2.1 counts the corners among the goal cells."""
    return cell[1] in (1, 9)


def distance(one: Cell, other: Cell) -> int:
    """In steps of a chess king."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def straight_on(start: Cell, through: Cell) -> Cell:
    """The cell behind `through`, seen from its neighbour `start`; it may be off the board."""
    return 2 * through[0] - start[0], 2 * through[1] - start[1]


NEIGHBOURS = {cell: tuple(other for other in BOARD if distance(cell, other) == 1) for cell in BOARD}
ON_BOARD = frozenset(BOARD)
EDGE = frozenset(cell for cell in BOARD if in_goal_row(cell) or in_side_column(cell))
INNER = tuple(cell for cell in BOARD if cell not in EDGE)
"""Where the ball may rest, b-h x 2-10 (2.1)."""


@dataclass(frozen=True, slots=True)
class Pitch:
    """What lies on the cells. The ball is None while the cell for it is being picked (2.8)."""

    sockers: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    lying: frozenset[Cell] = frozenset()
    ball: Cell | None = CENTRE

    def owner(self, cell: Cell) -> int | None:
        """The seat whose socker is there."""
        south, north = self.sockers
        return 0 if cell in south else 1 if cell in north else None

    def is_free(self, cell: Cell) -> bool:
        """Whether the cell is on the board with nothing on it."""
        return cell in ON_BOARD and cell != self.ball and self.owner(cell) is None

    def is_goal(self) -> bool:
        return self.ball is not None and in_goal_row(self.ball)

    def edge_count(self, seat: int) -> int:
        """The seat's sockers in goal rows and side columns together, lying ones too (2.6)."""
        return len(self.sockers[seat] & EDGE)

    def with_moved(self, seat: int, start: Cell | None, target: Cell) -> Pitch:
        """One socker of the seat from `start`, or from the seat's hand, to `target`, standing."""
        moved = (self.sockers[seat] - {start}) | {target}
        sockers = (moved, self.sockers[1]) if seat == 0 else (self.sockers[0], moved)
        return replace(self, sockers=sockers, lying=self.lying - {start})

    def stood_up(self, seat: int) -> Pitch:
        """2.5: at the end of the seat's turn all its sockers stand."""
        return replace(self, lying=self.lying - self.sockers[seat])

    def text(self) -> str:
        signs: dict[Cell, str] = {}
        for standing, lying, cells in zip("SN", "sn", self.sockers, strict=True):
            signs |= {cell: lying if cell in self.lying else standing for cell in cells}
        if self.ball is not None:
            signs[self.ball] = "o"
        ranks = []
        for row in range(11, 0, -1):
            rank = "".join(signs.get((row, column), ".") for column in range(1, 10))
            ranks.append(re.sub(r"\.+", lambda run: str(len(run[0])), rank))
        return "/".join(ranks)
