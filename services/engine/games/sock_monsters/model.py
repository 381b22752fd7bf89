"""The things of Sock Monsters by name, and what is seen and known of them.

Cells are numbers: column + 6 x row, both from 0, so a1 = 0 and f6 = 35. Seats have the colour of
their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from services.engine.core import CHANCE, OptionValue, Seat

Cell: TypeAlias = int


class Colour(IntEnum):
    """Of seats, monsters, lairs and tiles."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3


class Motif(IntEnum):
    """What a tile or a token shows."""

    CHEST = 0
    WARDROBE = 1
    DRAWER = 2
    BASKET = 3


class Sock(IntEnum):
    """Five colours, and the silly socks."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3
    VIOLET = 4
    RAINBOW = 5
    SMELLY = 6
    BOOMERANG = 7


class PhaseKind(IntEnum):
    """What is awaited; docs/notation/sock_monsters.md describes each.

    DEAL to THROW are chance's, PLACE to RAINBOW those of the phase's seat, PICK to TAKE those of
    the seat whose turn it is.
    """

    DEAL = 0
    FIRST = 1
    DRAW = 2
    ROLL = 3
    EYE = 4
    THROW = 5
    PLACE = 6
    GIFT = 7
    RAINBOW = 8
    PICK = 9
    MOVE = 10
    OPEN = 11
    PAWN = 12
    ACT = 13
    TAKE = 14
    THREE_PAIRS = 15
    ROUND_CAP = 16


class Then(IntEnum):
    """How the game goes on after a gain."""

    START = 0
    PAWN = 1
    END = 2
    GIFT = 3
    BOOMERANG = 4
    ACT = 5


@dataclass(frozen=True, slots=True)
class TileType:
    """One of the 16 tiles, of which there are two copies each."""

    colour: Colour
    motif: Motif


@dataclass(frozen=True, slots=True)
class Phase:
    """What is awaited and from whom; what has no meaning in a phase is None or 0."""

    kind: PhaseKind
    seat: Seat | None = None
    """Who draws, places, pairs, takes a gift, is thrown at or taken from."""
    monster: Colour | None = None
    """The monster in its phase, or whose lair a gift comes from."""
    count: int = 0
    """Moves the monster has made in this phase, or socks still to draw."""
    throws: int = 0
    """Boomerang throws left in this turn."""
    then: Then | None = None
    then_seat: Seat | None = None
    """Who gets the gift or the boomerang after this gain."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The tile turned over or peeked at last; `peeker` is None when everybody saw it."""

    cell: Cell
    peeker: Seat | None


@dataclass(frozen=True, slots=True)
class Table:
    """All that lies open on the table. Tuples run over seats, or over colours for monsters and
    lairs; socks and pairs are sorted.
    """

    seats: int
    options: tuple[tuple[str, OptionValue], ...]
    monsters: tuple[Cell, ...]
    pawns: tuple[Cell | None, ...]
    tokens: tuple[tuple[Motif, ...], ...]
    """The tokens that are still up."""
    socks: tuple[tuple[Sock, ...], ...]
    """Unpaired socks."""
    pairs: tuple[tuple[tuple[Sock, Sock], ...], ...]
    lairs: tuple[tuple[Sock, ...], ...]
    bag: tuple[int, ...]
    """How many socks of each kind are left: public, since all others lie open."""
    round: int
    """From 1; 0 before the first turn."""
    turn: Seat | None
    first: Seat | None
    shown: Shown | None
    phase: Phase

    @property
    def actor(self) -> Seat | None:
        """The seat to act, `CHANCE`, or None when the game is over."""
        kind = self.phase.kind
        if kind <= PhaseKind.THROW:
            return CHANCE
        if kind <= PhaseKind.RAINBOW:
            return self.phase.seat
        return self.turn if kind <= PhaseKind.TAKE else None


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A dealt tile as it lies there for one viewer; `type` is None where it can't be told."""

    cell: Cell
    face_up: bool
    type: TileType | None


@dataclass(frozen=True, slots=True)
class KnownTile:
    """A dealt tile with what is known of it.

    `type` is None where the viewer does not know it. `seen_by_all`: it was lifted or lies face up.
    `peekers`: the seats that peeked at it, which everybody saw them do; empty with `seen_by_all`.
    """

    cell: Cell
    face_up: bool
    seen_by_all: bool
    peekers: tuple[Seat, ...]
    type: TileType | None


@dataclass(frozen=True, slots=True)
class Observation:
    """What one seat, or a spectator, sees now. Tiles are sorted by cell."""

    viewer: Seat
    table: Table
    tiles: tuple[SeenTile, ...]


@dataclass(frozen=True, slots=True)
class Information:
    """What one seat, or a spectator, knows with perfect memory. Tiles are sorted by cell."""

    viewer: Seat
    table: Table
    tiles: tuple[KnownTile, ...]
