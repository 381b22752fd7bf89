"""What the outside holds of a game of Monster Hide and Seek: states, views and actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from services.engine.core import Action
from services.engine.games.hide_and_seek import layout as at


@dataclass(frozen=True, slots=True)
class State:
    """The whole truth. `buffer` has the layout of `layout`, and is never changed."""

    buffer: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """What everybody sees now (RULINGS 3.10): `State`'s layout, hidden faces -1.

    With the option `memory_aid` the hidden faces of cards seen from both sides stand there.
    """

    buffer: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Information:
    """What everybody knows with perfect memory (RULINGS 3.9): `State`'s layout, the hidden face -1
    of each card that nobody has seen from both sides.
    """

    buffer: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance: the next card, by its faces 0-4; both None for a candy."""

    shown: int | None
    hidden: int | None


@dataclass(frozen=True, slots=True)
class Flip:
    """Flip the card on a cell (column, row)."""

    cell: tuple[int, int]


@dataclass(frozen=True, slots=True)
class FlipBoth:
    """Flip two cards named together, the earlier cell first."""

    first: tuple[int, int]
    second: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TakeCandy:
    """Collect the candy on a cell."""

    cell: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Stop:
    """End the turn after a match."""


Decoded: TypeAlias = Deal | Flip | FlipBoth | TakeCandy | Stop


def cell_of(number: int) -> tuple[int, int]:
    """(column, row), both from 0, of a cell number."""
    return number % at.COLUMNS, number // at.COLUMNS


def number_of(cell: tuple[int, int]) -> int:
    """The opposite of `cell_of`."""
    return cell[1] * at.COLUMNS + cell[0]


def decode(action: Action) -> Decoded:
    """What an action id means."""
    if action < at.A_DEAL_CANDY:
        return Deal(*divmod(action - at.A_DEAL, at.TYPES_MOST))
    if action == at.A_DEAL_CANDY:
        return Deal(None, None)
    if action < at.A_CANDY:
        return Flip(cell_of(action - at.A_FLIP))
    if action < at.A_STOP:
        return TakeCandy(cell_of(action - at.A_CANDY))
    if action == at.A_STOP:
        return Stop()
    pair = action - at.A_BOTH
    return FlipBoth(cell_of(at.FIRST_OF[pair]), cell_of(at.SECOND_OF[pair]))


def encode(decoded: Decoded) -> Action:
    """The opposite of `decode`."""
    match decoded:
        case Deal(int(shown), int(hidden)):
            return Action(at.A_DEAL + at.TYPES_MOST * shown + hidden)
        case Deal():
            return Action(at.A_DEAL_CANDY)
        case Flip(cell):
            return Action(at.A_FLIP + number_of(cell))
        case TakeCandy(cell):
            return Action(at.A_CANDY + number_of(cell))
        case Stop():
            return Action(at.A_STOP)
        case FlipBoth(first, second):
            return Action(
                at.A_BOTH + at.PAIR_INDEX[number_of(first) * at.CELLS + number_of(second)]
            )
