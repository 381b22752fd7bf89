"""Socker's actions as ids, as typed values and as text (docs/notation/socker.md).

A cell is (column, row), both from 0: a1 is (0, 0), i11 is (8, 10).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from services.engine.core import Action, InvalidNotation, Seat
from services.engine.core.notation import cell_name, check_length, read_cell
from services.engine.games.socker.layout import (
    ACTION_COUNT,
    CELLS,
    COLUMNS,
    END,
    ENTRY,
    KICKS,
    NEIGHBOUR,
    OFF,
    PAIRS,
    PASS,
    PICKS,
    PLACES,
    ROWS,
    SOCKS,
    TOSSES,
)

Cell: TypeAlias = tuple[int, int]
"""(column, row), both from 0."""

SEATS: Final = ("south", "north")


@dataclass(frozen=True, slots=True)
class Place:
    """Put a socker on the board in the setup."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Move:
    """Move the socker on `start` to the neighbouring empty cell `end`."""

    start: Cell
    end: Cell


@dataclass(frozen=True, slots=True)
class Kick:
    """The socker on `socker` kicks the neighbouring ball on `ball` one cell away from itself."""

    socker: Cell
    ball: Cell


@dataclass(frozen=True, slots=True)
class Sock:
    """The socker on `socker` pushes the neighbouring opponent on `target` one cell away."""

    socker: Cell
    target: Cell


@dataclass(frozen=True, slots=True)
class Recentre:
    """Pick the cell for the ball that was kicked out of bounds."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class End:
    """End the turn."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Give up a turn in which no move, kick or sock exists."""


@dataclass(frozen=True, slots=True)
class Toss:
    """Chance: `winner` places and moves first."""

    winner: Seat


SockerAction: TypeAlias = Place | Move | Kick | Sock | Recentre | End | Pass | Toss


def to_cell(number: int) -> Cell:
    """The cell with this number in the kernel."""
    return number % COLUMNS, number // COLUMNS


def to_number(cell: Cell) -> int:
    """The kernel's number of a cell; raises `ValueError` off the board."""
    column, row = cell
    if not (0 <= column < COLUMNS and 0 <= row < ROWS):
        raise ValueError(f"no such cell: {cell}")
    return row * COLUMNS + column


_PAIR_OF: Final = {
    (entry // 8, NEIGHBOUR[entry]): number
    for number, entry in enumerate(ENTRY)
    if NEIGHBOUR[entry] != OFF
}


def _pair(first: Cell, second: Cell) -> int:
    pair = _PAIR_OF.get((to_number(first), to_number(second)))
    if pair is None:
        raise ValueError(f"no neighbours: {first} and {second}")
    return pair


def encode(action: SockerAction) -> Action:
    """The id of an action; raises `ValueError` on cells off the board or no neighbours."""
    match action:
        case Move(start, end):
            number = _pair(start, end)
        case Kick(socker, ball):
            number = KICKS + _pair(socker, ball)
        case Sock(socker, target):
            number = SOCKS + _pair(socker, target)
        case Place(cell):
            number = PLACES + to_number(cell)
        case Recentre(cell):
            number = PICKS + to_number(cell)
        case End():
            number = END
        case Pass():
            number = PASS
        case Toss(winner):
            if winner not in (0, 1):
                raise ValueError(f"no such seat: {winner}")
            number = TOSSES + winner
    return Action(number)


@lru_cache(maxsize=ACTION_COUNT)
def decode(action: Action) -> SockerAction:
    """The typed form of an id; raises `ValueError` when there is none."""
    if not 0 <= action < ACTION_COUNT:
        raise ValueError(f"no such action: {action}")
    if action >= TOSSES:
        return Toss(action - TOSSES)
    if action >= END:
        return End() if action == END else Pass()
    if action >= PLACES:
        cell = to_cell((action - PLACES) % CELLS)
        return Place(cell) if action < PICKS else Recentre(cell)
    entry = ENTRY[action % PAIRS]
    first, second = to_cell(entry // 8), to_cell(NEIGHBOUR[entry])
    if action < KICKS:
        return Move(first, second)
    return Kick(first, second) if action < SOCKS else Sock(first, second)


def write_action(action: Action) -> str:
    """The text of an action."""
    match decode(action):
        case Move(start, end):
            return f"{cell_name(*start)}-{cell_name(*end)}"
        case Kick(socker, ball):
            return f"{cell_name(*socker)}*{cell_name(*ball)}"
        case Sock(socker, target):
            return f"{cell_name(*socker)}x{cell_name(*target)}"
        case Place(cell):
            return f"@{cell_name(*cell)}"
        case Recentre(cell):
            return f"={cell_name(*cell)}"
        case End():
            return "end"
        case Pass():
            return "pass"
        case Toss(winner):
            return f"toss:{SEATS[winner]}"


_KINDS: Final[dict[str, Callable[[Cell, Cell], SockerAction]]] = {"-": Move, "*": Kick, "x": Sock}


def read_action(text: str) -> Action:
    """The action with this text; raises `InvalidNotation`."""
    if text == "end":
        return Action(END)
    if text == "pass":
        return Action(PASS)
    if text.startswith("toss:") and text[5:] in SEATS:
        return Action(TOSSES + SEATS.index(text[5:]))
    check_length(text)
    if text[:1] in ("@", "="):
        cell = read_cell(text[1:], COLUMNS, ROWS, text=text)
        return encode(Place(cell) if text[0] == "@" else Recentre(cell))
    for sign, kind in _KINDS.items():
        first, found, second = text.partition(sign)
        if found:
            cells = (
                read_cell(first, COLUMNS, ROWS, text=text),
                read_cell(second, COLUMNS, ROWS, text=text),
            )
            try:
                return encode(kind(*cells))
            except ValueError:
                raise InvalidNotation("no neighbouring cells", part=text, text=text) from None
    raise InvalidNotation("no action of Socker", part=text, text=text)
