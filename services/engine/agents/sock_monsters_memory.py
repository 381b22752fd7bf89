"""Forgetting room tiles in Sock Monsters."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from services.engine.agents.memory import remembered
from services.engine.games.sock_monsters.model import Information, KnownTile

_A_TURN: Final = 1  # one tile is lifted


def fading(information: Information, fade: float, rng: Random) -> Information:
    """The information of somebody who forgets tiles that lie face down (see `memory`).

    Nothing where the table shows what was seen (`memory_aid`), nor the tile that is shown now.
    """
    table = information.table
    if dict(table.options)["memory_aid"]:
        return information
    shown = None if table.shown is None else table.shown.cell
    seen = [
        tile.cell
        for tile in information.tiles
        if tile.type is not None and not tile.face_up and tile.cell != shown
    ]
    gone = {*seen} - {*remembered(seen, fade, _A_TURN, rng)}
    tiles = (
        _forgotten(tile, information.viewer) if tile.cell in gone else tile
        for tile in information.tiles
    )
    return replace(information, tiles=tuple(tiles))


def _forgotten(tile: KnownTile, viewer: int) -> KnownTile:
    peekers = tuple(seat for seat in tile.peekers if seat != viewer)
    return replace(tile, seen_by_all=False, peekers=peekers, type=None)
