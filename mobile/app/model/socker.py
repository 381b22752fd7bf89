"""Socker as a player sees it: the position, the actions, and what a touch means.

Coordinates: column 0 to 8 (a to i), row 0 to 10 (row 1, South's own goal row, upwards).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

COLUMNS = 9
ROWS = 11
CENTRE_COLUMN = 4
EDGE_LIMIT = 3

Cell: TypeAlias = tuple[int, int]
"""(column, row)."""


class Side(Enum):
    """A side; its value is its seat."""

    SOUTH = 0
    NORTH = 1
    UNKNOWN = -1

    @property
    def other(self) -> Side:
        """The opponent."""
        return {Side.SOUTH: Side.NORTH, Side.NORTH: Side.SOUTH}.get(self, Side.UNKNOWN)


class Phase(Enum):
    """The part of the match a position belongs to."""

    UNKNOWN = "unknown"
    TOSS = "toss"
    SETUP = "setup"
    TURN = "turn"
    RECENTRE = "recentre"
    OVER = "over"


class Kind(Enum):
    """What an action does."""

    PLACE = "place"
    MOVE = "move"
    KICK = "kick"
    SOCK = "sock"
    RECENTRE = "recentre"
    END_TURN = "end_turn"
    PASS = "pass"
    TOSS = "toss"


@dataclass(frozen=True, slots=True)
class SockerAct:
    """One action.

    `origin` is the acting socker's cell (move, kick, sock); `target` is the cell gone to, the
    ball's cell (kick), the opponent's (sock), or the cell picked (place, recentre).
    """

    kind: Kind
    origin: Cell | None = None
    target: Cell | None = None
    toss_winner: Side = Side.UNKNOWN

    @property
    def notation(self) -> str:
        """The action's text, as docs/notation/socker.md has it."""
        one, other = _name(self.origin), _name(self.target)
        return {
            Kind.PLACE: f"@{other}",
            Kind.MOVE: f"{one}-{other}",
            Kind.KICK: f"{one}*{other}",
            Kind.SOCK: f"{one}x{other}",
            Kind.RECENTRE: f"={other}",
            Kind.END_TURN: "end",
            Kind.PASS: "pass",
            Kind.TOSS: f"toss:{self.toss_winner.name.lower()}",
        }[self.kind]

    @property
    def lands(self) -> Cell | None:
        """Where the thing pushed comes to lie, before any re-centring; else the target."""
        if self.kind in (Kind.KICK, Kind.SOCK) and self.origin and self.target:
            return (2 * self.target[0] - self.origin[0], 2 * self.target[1] - self.origin[1])
        return self.target


@dataclass(frozen=True, slots=True)
class Piece:
    """One socker on the field."""

    side: Side
    cell: Cell
    lying: bool


@dataclass(frozen=True, slots=True)
class SockerView:
    """A position. Socker hides nothing, so every seat has the same."""

    pieces: tuple[Piece, ...]
    ball: Cell | None
    phase: Phase
    turn: Side
    actions_left: int
    edge_limit: int | None
    goals: tuple[int, int]
    sudden_death: bool = False
    position: str = field(default="", compare=False)

    def piece_at(self, cell: Cell) -> Piece | None:
        """The socker on `cell`."""
        return next((piece for piece in self.pieces if piece.cell == cell), None)


def _name(cell: Cell | None) -> str:
    return "" if cell is None else f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def is_goal(cell: Cell) -> bool:
    """Rows 1 and 11, corners included (RULINGS 2.1)."""
    return cell[1] in (0, ROWS - 1)


def is_side(cell: Cell) -> bool:
    """Columns a and i, rows 2 to 10 (RULINGS 2.1)."""
    return cell[0] in (0, COLUMNS - 1) and not is_goal(cell)


def is_edge(cell: Cell) -> bool:
    """Goal rows and side columns: where at most three of a side may end a turn (RULINGS 2.6)."""
    return is_goal(cell) or is_side(cell)


def on_board(cell: Cell) -> bool:
    """Whether there is such a cell."""
    return 0 <= cell[0] < COLUMNS and 0 <= cell[1] < ROWS


def distance(one: Cell, other: Cell) -> int:
    """King's distance."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def sockers_to_place(view: SockerView, side: Side) -> int:
    """How many sockers `side` has still to place: of five, in sudden death of two."""
    placed = sum(piece.side is side for piece in view.pieces)
    return max(0, (2 if view.sudden_death else 5) - placed)


def ball_rests(act: SockerAct, view: SockerView) -> Cell | None:
    """Where a kick leaves the ball: over the side line it goes to column e of that row, or waits
    on the line while that cell is taken (RULINGS 2.8)."""
    lands = act.lands
    if act.kind is not Kind.KICK or lands is None:
        return lands
    centre = (CENTRE_COLUMN, lands[1])
    if is_side(lands) and view.piece_at(centre) is None:
        return centre
    return lands
