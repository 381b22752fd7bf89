"""The words of Sock Monsters' contract: each thing's number there, found by its name."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final, TypeVar

from oddsocks.play.v1 import sock_monsters_pb2 as pb
from services.engine.games.sock_monsters.model import (
    Cell,
    Colour,
    Motif,
    PhaseKind,
    Sock,
    Then,
    TileType,
)

SIDE: Final = 6
"""Columns and rows of the house."""

_Thing = TypeVar("_Thing", bound=IntEnum)


def _numbers(things: type[_Thing], enumeration: Any, prefix: str) -> Mapping[_Thing, Any]:
    return {thing: enumeration.Value(f"SOCK_MONSTERS_{prefix}_{thing.name}") for thing in things}


COLOURS: Final = _numbers(Colour, pb.SockMonstersColour, "COLOUR")
MOTIFS: Final = _numbers(Motif, pb.SockMonstersMotif, "MOTIF")
SOCKS: Final = _numbers(Sock, pb.SockMonstersSock, "SOCK")
PHASES: Final = _numbers(PhaseKind, pb.SockMonstersPhaseKind, "PHASE_KIND")
THENS: Final = _numbers(Then, pb.SockMonstersThen, "THEN")
FACES: Final[Mapping[Any, Any]] = {
    None: pb.SOCK_MONSTERS_DIE_FACE_ANY,
    **_numbers(Colour, pb.SockMonstersDieFace, "DIE_FACE"),
}
"""Of the colour die; None is the four-colour face, as in the engine."""


def write_cell(cell: Cell) -> pb.SockMonstersCell:
    """A cell as a message."""
    return pb.SockMonstersCell(column=cell % SIDE, row=cell // SIDE)


def write_tile(tile: TileType) -> pb.SockMonstersTileType:
    """A kind of tile as a message."""
    return pb.SockMonstersTileType(colour=COLOURS[tile.colour], motif=MOTIFS[tile.motif])
