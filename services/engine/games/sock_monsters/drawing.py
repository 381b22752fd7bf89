"""Sock Monsters in lines of text, for terminals."""

from __future__ import annotations

from services.engine.core import SPECTATOR
from services.engine.core.notation import cell_name
from services.engine.games.sock_monsters import layout as k
from services.engine.games.sock_monsters.actions import tile_name, word
from services.engine.games.sock_monsters.model import Cell, Colour, Observation, Table
from services.engine.games.sock_monsters.writer import (
    MOTIF_LETTERS,
    letters,
    pair_letters,
    phase_text,
)

_COLUMNS = "     " + "".join(f"{letter:<6}" for letter in "abcdef").rstrip()


def draw(seen: Observation) -> str:
    """The board, then a line for each seat and lair.

    A room shows its tile (`..` face down, `rc` just seen, `RC` face up), then the figure on it:
    `M` and a colour letter for a monster, `P` and a seat number for a pawn. Lairs are in brackets.
    """
    figures = _figures(seen.table)
    tiles = dict.fromkeys(range(k.CELLS), "  ")
    for tile in seen.tiles:
        name = ".." if tile.type is None else tile_name(tile.type)
        tiles[tile.cell] = name.upper() if tile.face_up else name
    for colour in Colour:
        tiles[k.LAIR_CELL[colour]] = f"[{word(colour)[0]}"
    lines = [_COLUMNS]
    for row in reversed(range(6)):
        cells = range(row * 6, row * 6 + 6)
        rooms = (f"{tiles[cell]}{_ending(cell)}{figures.get(cell, '  ')}" for cell in cells)
        lines.append(f"  {row + 1}  {' '.join(rooms)}  {row + 1}")
    return "\n".join([*lines, _COLUMNS, "", *_status(seen)])


def _ending(cell: Cell) -> str:
    return "]" if k.LAIR_CELLS >> cell & 1 else " "


def _figures(table: Table) -> dict[Cell, str]:
    figures = {cell: f"M{word(Colour(index))[0]}" for index, cell in enumerate(table.monsters)}
    figures |= {pawn: f"P{seat}" for seat, pawn in enumerate(table.pawns) if pawn is not None}
    return figures


def _status(seen: Observation) -> list[str]:
    table = seen.table
    lines = []
    for seat in range(table.seats):
        tokens = "".join(MOTIF_LETTERS[motif] for motif in table.tokens[seat]) or "-"
        lines.append(
            f"seat {seat} {word(Colour(seat)):<7} tokens {tokens:<5}"
            f"pairs {pair_letters(table.pairs[seat]):<9}socks {letters(table.socks[seat])}"
        )
    lairs = (f"{word(colour)} {letters(table.lairs[colour])}" for colour in Colour)
    lines.append(f"lairs  {', '.join(lairs)}; {sum(table.bag)} socks in the bag")
    if table.shown is not None:
        who = "all" if table.shown.peeker is None else f"seat {table.shown.peeker}"
        cell = table.shown.cell
        lines.append(f"shown  {cell_name(cell % 6, cell // 6)} to {who}")
    turn = "setup" if table.turn is None else f"round {table.round}, turn of seat {table.turn}"
    viewer = "a spectator" if seen.viewer == SPECTATOR else f"seat {seen.viewer}"
    return [*lines, f"{turn}: {phase_text(table.phase)} (as {viewer} sees it)"]
