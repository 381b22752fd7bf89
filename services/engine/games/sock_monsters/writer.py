"""Sock Monsters to text: the ten sections of docs/notation/sock_monsters.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from services.engine.core import SPECTATOR, Seat
from services.engine.core.notation import cell_name
from services.engine.games.sock_monsters import layout as k
from services.engine.games.sock_monsters.actions import tile_name, word
from services.engine.games.sock_monsters.model import (
    Cell,
    Information,
    KnownTile,
    Observation,
    Phase,
    PhaseKind,
    SeenTile,
    Shown,
    Sock,
    Table,
    Then,
    TileType,
)
from services.engine.games.sock_monsters.state import (
    State,
    dealt_cells,
    marks,
    table_of,
    tile_type,
)

SOCK_LETTERS: Final = "rygbvwso"
MOTIF_LETTERS: Final = "cwdb"
CORNER: Final = "#"
NOT_DEALT: Final = ".."
UNKNOWN: Final = "??"
NONE: Final = "-"

PHASES: Final[Mapping[PhaseKind, str]] = {
    PhaseKind.DEAL: "deal",
    PhaseKind.FIRST: "first",
    PhaseKind.DRAW: "draw SEAT COUNT THEN",
    PhaseKind.ROLL: "roll",
    PhaseKind.EYE: "eye MONSTER COUNT",
    PhaseKind.THROW: "throw SEAT THROWS",
    PhaseKind.PLACE: "place SEAT",
    PhaseKind.GIFT: "gift MONSTER SEAT",
    PhaseKind.RAINBOW: "rainbow SEAT THEN",
    PhaseKind.PICK: "pick",
    PhaseKind.MOVE: "move MONSTER COUNT",
    PhaseKind.OPEN: "open MONSTER COUNT",
    PhaseKind.PAWN: "pawn",
    PhaseKind.ACT: "act THROWS",
    PhaseKind.TAKE: "take SEAT THROWS",
    PhaseKind.THREE_PAIRS: "over three_pairs",
    PhaseKind.ROUND_CAP: "over round_cap",
}
"""The pattern of each phase: words as they are, and in capitals what stands in their place."""

THENS: Final[Mapping[Then, str]] = {
    Then.START: "start",
    Then.PAWN: "pawn",
    Then.END: "end",
    Then.GIFT: "gift THEN_SEAT",
    Then.BOOMERANG: "boomerang THEN_SEAT THROWS",
    Then.ACT: "act THROWS",
}

_FIELDS: Final[Mapping[str, Callable[[Phase], str]]] = {
    "SEAT": lambda phase: str(phase.seat),
    "MONSTER": lambda phase: "" if phase.monster is None else word(phase.monster),
    "COUNT": lambda phase: str(phase.count),
    "THROWS": lambda phase: str(phase.throws),
    "THEN": lambda phase: "" if phase.then is None else _fill(THENS[phase.then], phase),
    "THEN_SEAT": lambda phase: str(phase.then_seat),
}


def _fill(pattern: str, phase: Phase) -> str:
    return " ".join(_FIELDS[name](phase) if name in _FIELDS else name for name in pattern.split())


def _cell(cell: Cell) -> str:
    return cell_name(cell % 6, cell // 6)


def _optional(value: int | None) -> str:
    return NONE if value is None else str(value)


def letters(socks: Iterable[Sock]) -> str:
    """`rgg`, or `-` for no sock."""
    return "".join(SOCK_LETTERS[sock] for sock in socks) or NONE


def pair_letters(pairs: Iterable[tuple[Sock, Sock]]) -> str:
    """`rr,gw`, or `-` for no pair."""
    return ",".join(map(letters, pairs)) or NONE


def phase_text(phase: Phase) -> str:
    """The words of the section `phase`."""
    return _fill(PHASES[phase.kind], phase)


def _shown(shown: Shown | None) -> str:
    if shown is None:
        return NONE
    return _cell(shown.cell) + ("" if shown.peeker is None else f" {shown.peeker}")


def _write(table: Table, rooms: Mapping[Cell, str], before: tuple[str, ...] = ()) -> str:
    """The body: the tiles as written in `rooms`, then the table."""
    rows = (
        ",".join(
            CORNER if k.LAIR_CELLS >> cell & 1 else rooms.get(cell, NOT_DEALT)
            for cell in range(row * 6, row * 6 + 6)
        )
        for row in reversed(range(6))
    )
    sections = {
        "tiles": rows,
        "monsters": map(_cell, table.monsters),
        "pawns": (NONE if pawn is None else _cell(pawn) for pawn in table.pawns),
        "tokens": (
            "".join(MOTIF_LETTERS[motif] for motif in tokens) or NONE for tokens in table.tokens
        ),
        "socks": map(letters, table.socks),
        "pairs": map(pair_letters, table.pairs),
        "lairs": map(letters, table.lairs),
        "turn": map(_optional, (table.round, table.turn, table.first)),
        "shown": (_shown(table.shown),),
        "phase": (phase_text(table.phase),),
    }
    return " | ".join([*before, *(f"{name} {' '.join(words)}" for name, words in sections.items())])


def _name(tile: TileType | None) -> str:
    return UNKNOWN if tile is None else tile_name(tile)


def _with_marks(tile: KnownTile) -> str:
    if tile.face_up:
        return f"{_name(tile.type)}+"
    return _name(tile.type) + ("*" if tile.seen_by_all else "".join(map(str, tile.peekers)))


def _as_it_lies(tile: SeenTile) -> str:
    return f"{_name(tile.type)}+" if tile.face_up else _name(tile.type)


def _viewer(viewer: Seat) -> str:
    return "spectator" if viewer == SPECTATOR else str(viewer)


def known_tiles(state: State) -> tuple[KnownTile, ...]:
    """All dealt tiles, with their types: what only the caller of the engine may know."""
    data = state.data
    return tuple(
        KnownTile(cell, *marks(data, cell), tile_type(data, cell)) for cell in dealt_cells(data)
    )


def write_state(state: State) -> str:
    """The body of a position."""
    rooms = {tile.cell: _with_marks(tile) for tile in known_tiles(state)}
    return _write(table_of(state.data), rooms)


def write_information(info: Information) -> str:
    """The body of an information state."""
    rooms = {tile.cell: _with_marks(tile) for tile in info.tiles}
    return _write(info.table, rooms, (f"knows {_viewer(info.viewer)}",))


def write_observation(observation: Observation) -> str:
    """The body of an observation."""
    rooms = {tile.cell: _as_it_lies(tile) for tile in observation.tiles}
    return _write(observation.table, rooms, (f"sees {_viewer(observation.viewer)}",))
