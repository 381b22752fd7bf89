"""Monster Hide and Seek as a player sees it: the grid, the piles, and the actions.

Coordinates: column 0 to 6 (a to g), row 0 to 3 (row 1 upwards). All seats see the same, and nothing
here remembers: a side that lies down is known only where the table has a memory aid (RULINGS 3.10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

COLUMNS: Final = 7
ROWS: Final = 4
"""Of the largest grid."""

Cell: TypeAlias = tuple[int, int]
"""(column, row)."""
DIRECTIONS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Face(Enum):
    """What a side of a card shows; its value is its letter in the notation."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"
    CANDY = "*"
    UNKNOWN = "?"


MONSTERS: Final = (Face.A, Face.B, Face.C, Face.D, Face.E)


class Phase(Enum):
    """What a match waits for."""

    UNKNOWN = "unknown"
    DEAL = "deal"
    FIRST = "first"
    SECOND = "second"
    AGAIN = "again"
    PAIRED = "paired"
    OVER = "over"


class Kind(Enum):
    """What an action does."""

    DEAL = "deal"
    FLIP = "flip"
    BOTH = "both"
    CANDY = "candy"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class HideAndSeekAct:
    """One action: `cell` is flipped or has the candy; `other` is the later cell of two that are
    named together; a deal has the side up and, where it may be seen, the side down."""

    kind: Kind
    cell: Cell | None = None
    other: Cell | None = None
    shown: Face | None = None
    hidden: Face | None = None

    @property
    def notation(self) -> str:
        """The action's text, as docs/notation/hide_and_seek.md has it."""
        one, other = _name(self.cell), _name(self.other)
        return {
            Kind.DEAL: f"deal:{_faces(self.shown, self.hidden)}",
            Kind.FLIP: f"flip:{one}",
            Kind.BOTH: f"flip:{one}+{other}",
            Kind.CANDY: f"candy:{one}",
            Kind.STOP: "stop",
        }[self.kind]

    @property
    def flips(self) -> tuple[Cell, ...]:
        """The cells whose cards it names to be flipped."""
        if self.kind not in (Kind.FLIP, Kind.BOTH):
            return ()
        return tuple(cell for cell in (self.cell, self.other) if cell is not None)


@dataclass(frozen=True, slots=True)
class Card:
    """What lies on a cell: a monster card, or a candy. `hidden` is None while it can't be seen."""

    cell: Cell
    shown: Face
    hidden: Face | None = None


Pair: TypeAlias = tuple[Face, Face]
"""Both sides of a monster card, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class Pile:
    """What a seat has collected; everybody may look at both sides."""

    seat: int
    monsters: tuple[Pair, ...] = ()
    candies: int = 0


@dataclass(frozen=True, slots=True)
class Prices:
    """Stars on a monster card and on a candy (RULINGS 3.2)."""

    monster: int = 1
    candy: int = 2

    def stars(self, pile: Pile) -> int:
        """All stars of a pile."""
        return len(pile.monsters) * self.monster + pile.candies * self.candy


@dataclass(frozen=True, slots=True)
class HideAndSeekView:
    """A position. Every seat sees the same."""

    columns: int
    rows: int
    dealt: int
    """Cells dealt so far, in the order a1, b1, …, a2, …"""
    cards: tuple[Card, ...]
    piles: tuple[Pile, ...]
    turns: int
    idle_turns: int
    phase: Phase
    turn: int | None
    """The seat to act; None in a deal and when the match is over."""
    flipped: Cell | None
    """The card flipped first in the running try."""
    position: str = field(default="", compare=False)

    def card(self, cell: Cell | None) -> Card | None:
        """What lies on `cell`."""
        return next((one for one in self.cards if one.cell == cell), None)

    def inside(self, cell: Cell) -> bool:
        """Whether the grid has such a cell."""
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple((column, row) for row in range(self.rows) for column in range(self.columns))

    def found_from(self, candy: Cell) -> tuple[Cell, ...]:
        """The closest monster in each direction, past gaps and candies (RULINGS 3.6)."""
        return closest(candy, {one.cell for one in self.cards if one.shown is not Face.CANDY})


NOTHING: Final = HideAndSeekView(COLUMNS, ROWS, 0, (), (), 0, 0, Phase.UNKNOWN, None, None)


def closest(candy: Cell, monsters: Collection[Cell]) -> tuple[Cell, ...]:
    """The closest of `monsters` in each direction from a candy (RULINGS 3.6)."""
    found: list[Cell] = []
    for across, up in DIRECTIONS:
        line = [(candy[0] + n * across, candy[1] + n * up) for n in range(1, COLUMNS)]
        found += [cell for cell in line if cell in monsters][:1]
    return tuple(found)


def added(before: Pile, after: Pile) -> Counter[Pair]:
    """The monster cards by which a pile has grown."""
    return Counter(after.monsters) - Counter(before.monsters)


def both_sides(one: Face, other: Face) -> Pair:
    """Both sides of a card, in alphabetical order."""
    return (one, other) if one.value <= other.value else (other, one)


def _name(cell: Cell | None) -> str:
    return "" if cell is None else f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def _faces(shown: Face | None, hidden: Face | None) -> str:
    if shown is Face.CANDY:
        return "*"
    return f"{shown.value if shown else '?'}{hidden.value if hidden else '?'}"
