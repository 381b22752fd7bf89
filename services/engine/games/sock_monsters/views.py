"""What seats and spectators see and know, and full states that agree with it.

Views are built up from what is open. The type of a tile is looked up in one place only, where
the viewer's mask of visible cells has its bit.
"""

from __future__ import annotations

from random import Random

from services.engine.core import SPECTATOR, Seat
from services.engine.games.sock_monsters import layout as k
from services.engine.games.sock_monsters.model import (
    Cell,
    Information,
    KnownTile,
    Observation,
    SeenTile,
    TileType,
)
from services.engine.games.sock_monsters.state import (
    State,
    dealt_cells,
    marks,
    pack,
    table_of,
    tile_type,
)


def _known(data: tuple[int, ...], viewer: Seat) -> int:
    """The mask of cells whose tile `viewer` has ever seen."""
    return data[k.SEEN + (k.EVERYBODY if viewer == SPECTATOR else viewer)]


def _in_view(data: tuple[int, ...], viewer: Seat) -> int:
    """The mask of cells whose tile `viewer` sees now (RULINGS 1.14 for `memory_aid`)."""
    cells = data[k.FACE_UP]
    if data[k.SHOWN] >= 0 and data[k.SHOWN_TO] in (viewer, k.EVERYBODY):
        cells |= 1 << data[k.SHOWN]
    return cells | _known(data, viewer) if data[k.MEMORY] else cells


def _type_if(visible: int, data: tuple[int, ...], cell: Cell) -> TileType | None:
    return tile_type(data, cell) if visible >> cell & 1 else None


def observe(state: State, viewer: Seat) -> Observation:
    """What `viewer` sees now."""
    data = state.data
    visible = _in_view(data, viewer)
    tiles = tuple(
        SeenTile(cell, bool(data[k.FACE_UP] >> cell & 1), _type_if(visible, data, cell))
        for cell in dealt_cells(data)
    )
    return Observation(viewer, table_of(data), tiles)


def information(state: State, viewer: Seat) -> Information:
    """What `viewer` knows who has watched everything and forgotten nothing."""
    data = state.data
    known = _known(data, viewer)
    tiles = tuple(
        KnownTile(cell, *marks(data, cell), _type_if(known, data, cell))
        for cell in dealt_cells(data)
    )
    return Information(viewer, table_of(data), tiles)


def determinize(info: Information, rng: Random) -> State:
    """A state that agrees with `info`.

    The unknown cells get a shuffle of the labelled tiles that are left, copies told apart: exactly
    the deal conditioned on the tiles seen, because who looks where depends on nothing else hidden.
    """
    return pack(info.table, info.tiles, rng)
