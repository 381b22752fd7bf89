"""The state of Sock Monsters as a value, and its way to and from named things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from services.engine.core import InvalidOption, Options, OptionSpec, OptionValue, Seat
from services.engine.core.options import resolve
from services.engine.games.sock_monsters import layout as k
from services.engine.games.sock_monsters.actions import TILE_TYPES
from services.engine.games.sock_monsters.model import (
    Cell,
    Colour,
    KnownTile,
    Motif,
    Phase,
    PhaseKind,
    Shown,
    Sock,
    Table,
    Then,
    TileType,
)

# In the order of their slots; a choice is stored as its index.
OPTION_SPECS: Final = (
    OptionSpec(
        "edition",
        "international",
        "the printing whose rules are played",
        choices=("international", "german"),
    ),
    OptionSpec("eye_open_faces", 3, "open eyes among the six faces of the eye die", 1, 5),
    OptionSpec(
        "start_socks",
        "edition",
        "socks drawn before the game; edition: 1, in the German edition 0",
        choices=("edition", "0", "1", "2"),
    ),
    OptionSpec("round_cap", 60, "rounds after which most pairs win", 1, 999),
    OptionSpec(
        "steal_adjacency",
        "eight",
        "neighbours a monster steals from: all eight, or the four beside it",
        choices=("eight", "four"),
    ),
    OptionSpec("steal_from_self", True, "international: whether a monster may rob its own player"),
    OptionSpec("silly_socks", False, "whether rainbow, smelly and boomerang socks are in the bag"),
    OptionSpec(
        "bag_sock_when",
        "always",
        "German: when a sock may be drawn beside a lair",
        choices=("always", "tokens_used"),
    ),
    OptionSpec(
        "lair_source",
        "bag",
        "German: where socks beside a lair come from; with lair, stolen socks go there",
        choices=("bag", "lair"),
    ),
    OptionSpec("memory_aid", False, "whether tiles once seen stay visible to those who saw them"),
)
_FIRST_OPTION: Final = k.GERMAN

PAIR_TYPES: Final = (
    *((sock, sock) for sock in Sock if sock < Sock.RAINBOW),
    *((sock, Sock.RAINBOW) for sock in Sock if sock <= Sock.RAINBOW),
)
"""The kinds of pairs in the order of their slots."""


@dataclass(frozen=True, slots=True)
class State:
    """The whole truth: the flat state of layout as a tuple."""

    data: tuple[int, ...]


def check_options(chosen: Options) -> dict[str, OptionValue]:
    """All options; raises `InvalidOption`, also for a combination that RULINGS 1.22 excludes."""
    options = resolve(OPTION_SPECS, chosen)
    german = options["edition"] == "german"
    if german and options["lair_source"] == "lair" and options["start_socks"] in ("edition", "0"):
        raise InvalidOption(
            "needs start_socks=1 or more in the German edition", name="lair_source", value="lair"
        )
    return options


def options_of(data: tuple[int, ...]) -> dict[str, OptionValue]:
    """The options stored in a state."""
    return {
        spec.name: _option_value(spec, data[_FIRST_OPTION + index])
        for index, spec in enumerate(OPTION_SPECS)
    }


def _option_value(spec: OptionSpec, slot: int) -> OptionValue:
    if isinstance(spec.default, bool):
        return bool(slot)
    return slot if isinstance(spec.default, int) else spec.choices[slot]


def _option_slot(spec: OptionSpec, value: OptionValue) -> int:
    return spec.choices.index(value) if isinstance(value, str) else int(value)


def blank(options: Mapping[str, OptionValue], seats: int) -> list[int]:
    """A flat state with an empty board, nothing dealt or drawn, and everything idle."""
    s = [0] * k.SIZE
    s[k.SEATS] = seats
    for index, spec in enumerate(OPTION_SPECS):
        s[_FIRST_OPTION + index] = _option_slot(spec, options[spec.name])
    for slot in (k.WHO, k.COLOUR, k.THEN, k.THEN_SEAT, k.TURN, k.FIRST, k.SHOWN, k.SHOWN_TO):
        s[slot] = -1
    for seat in range(4):
        s[k.MONSTER + seat] = s[k.PAWN + seat] = -1
    for sock in range(k.KINDS):
        silly = k.SILLY_SOCKS if s[k.SILLY] else 0
        s[k.BAG + sock] = k.COLOURED_SOCKS if sock < k.COLOURS else silly
    s[k.BAG_TOTAL] = sum(s[k.BAG : k.BAG + k.KINDS])
    s[k.TILE : k.TILE + k.CELLS] = [-1] * k.CELLS
    s[k.POOL : k.POOL + k.TILE_TYPES] = [k.COPIES] * k.TILE_TYPES
    return s


def initial(options: Options, seats: int) -> State:
    """Monsters on their lairs, all socks in the bag, no tile dealt yet. Raises `InvalidOption`."""
    s = blank(check_options(options), seats)
    for colour in range(4):
        s[k.MONSTER + colour] = k.LAIR_CELL[colour]
    s[k.OCCUPIED] = k.LAIR_CELLS
    s[k.TOKENS : k.TOKENS + seats] = [k.ALL_TOKENS] * seats
    return State(tuple(s))


def table_of(data: tuple[int, ...]) -> Table:
    """All that lies open: nothing here depends on the type of a tile."""
    seats = range(data[k.SEATS])
    return Table(
        seats=data[k.SEATS],
        options=tuple(options_of(data).items()),
        monsters=data[k.MONSTER : k.MONSTER + 4],
        pawns=tuple(_or_none(data[k.PAWN + seat]) for seat in seats),
        tokens=tuple(
            tuple(motif for motif in Motif if data[k.TOKENS + seat] >> motif & 1) for seat in seats
        ),
        socks=tuple(_socks(data, k.SOCKS + k.KINDS * seat) for seat in seats),
        pairs=tuple(
            tuple(
                pair
                for index, pair in enumerate(PAIR_TYPES)
                for _ in range(data[k.PAIRS + k.PAIR_KINDS * seat + index])
            )
            for seat in seats
        ),
        lairs=tuple(_socks(data, k.LAIR + k.KINDS * colour) for colour in range(4)),
        bag=data[k.BAG : k.BAG + k.KINDS],
        round=data[k.ROUND],
        turn=_or_none(data[k.TURN]),
        first=_or_none(data[k.FIRST]),
        shown=_shown(data),
        phase=_phase(data),
    )


def _or_none(slot: int) -> int | None:
    return None if slot < 0 else slot


def _socks(data: tuple[int, ...], begin: int) -> tuple[Sock, ...]:
    return tuple(sock for sock in Sock for _ in range(data[begin + sock]))


def _shown(data: tuple[int, ...]) -> Shown | None:
    if data[k.SHOWN] < 0:
        return None
    peeker = data[k.SHOWN_TO]
    return Shown(data[k.SHOWN], None if peeker == k.EVERYBODY else peeker)


def _phase(data: tuple[int, ...]) -> Phase:
    return Phase(
        kind=PhaseKind(data[k.PHASE]),
        seat=_or_none(data[k.WHO]),
        monster=None if data[k.COLOUR] < 0 else Colour(data[k.COLOUR]),
        count=data[k.COUNT],
        throws=data[k.THROWS],
        then=None if data[k.THEN] < 0 else Then(data[k.THEN]),
        then_seat=_or_none(data[k.THEN_SEAT]),
    )


def dealt_cells(data: tuple[int, ...]) -> Iterable[Cell]:
    """The cells with a tile, sorted."""
    return list(k.ROOM_CELL)[: data[k.DEALT]]


def tile_type(data: tuple[int, ...], cell: Cell) -> TileType:
    """The tile on a cell: the secret of this game."""
    return TILE_TYPES[data[k.TILE + cell]]


def marks(data: tuple[int, ...], cell: Cell) -> tuple[bool, bool, tuple[Seat, ...]]:
    """Whether a tile lies face up, was seen by all, and who else peeked at it: all public."""
    lifted = bool(data[k.SEEN + k.EVERYBODY] >> cell & 1)
    peekers = tuple(
        seat for seat in range(data[k.SEATS]) if not lifted and data[k.SEEN + seat] >> cell & 1
    )
    return bool(data[k.FACE_UP] >> cell & 1), lifted, peekers


def pack(table: Table, tiles: Sequence[KnownTile], rng: Random | None = None) -> State:
    """The state with this table and these tiles, which are in dealing order.

    Tiles of unknown type are filled from those that are left, copies told apart: shuffled by
    `rng`, or without one in any order, where the types do not matter.
    """
    s = blank(dict(table.options), table.seats)
    s[k.MONSTER : k.MONSTER + 4] = table.monsters
    for seat in range(table.seats):
        pawn = table.pawns[seat]
        s[k.PAWN + seat] = -1 if pawn is None else pawn
        s[k.TOKENS + seat] = sum(1 << motif for motif in table.tokens[seat])
        s[k.LOOSE + seat] = len(table.socks[seat])
        s[k.PAIRED + seat] = len(table.pairs[seat])
        for sock in table.socks[seat]:
            s[k.SOCKS + k.KINDS * seat + sock] += 1
        for pair in table.pairs[seat]:
            s[k.PAIRS + k.PAIR_KINDS * seat + PAIR_TYPES.index(pair)] += 1
    for colour, lair in enumerate(table.lairs):
        for sock in lair:
            s[k.LAIR + k.KINDS * colour + sock] += 1
    s[k.BAG : k.BAG + k.KINDS] = table.bag
    s[k.BAG_TOTAL] = sum(table.bag)
    figures = [*table.monsters, *(pawn for pawn in table.pawns if pawn is not None)]
    s[k.OCCUPIED] = sum(1 << cell for cell in figures)
    _pack_progress(s, table)
    _pack_tiles(s, tiles, rng)
    return State(tuple(s))


def _pack_progress(s: list[int], table: Table) -> None:
    phase = table.phase
    s[k.PHASE] = int(phase.kind)
    s[k.COUNT], s[k.THROWS], s[k.ROUND] = phase.count, phase.throws, table.round
    shown = table.shown
    peeker = None if shown is None else k.EVERYBODY if shown.peeker is None else shown.peeker
    for slot, value in (
        (k.WHO, phase.seat),
        (k.COLOUR, phase.monster),
        (k.THEN, phase.then),
        (k.THEN_SEAT, phase.then_seat),
        (k.TURN, table.turn),
        (k.FIRST, table.first),
        (k.SHOWN, None if shown is None else shown.cell),
        (k.SHOWN_TO, peeker),
    ):
        s[slot] = -1 if value is None else int(value)


def _pack_tiles(s: list[int], tiles: Sequence[KnownTile], rng: Random | None) -> None:
    s[k.DEALT] = len(tiles)
    pool = s[k.POOL : k.POOL + k.TILE_TYPES]
    for tile in tiles:
        if tile.type is not None:
            pool[_number(tile.type)] -= 1
    left = [number for number, copies in enumerate(pool) for _ in range(copies)]
    if rng is not None:
        rng.shuffle(left)
    everybody = 0
    for tile in tiles:
        bit = 1 << tile.cell
        number = left.pop() if tile.type is None else _number(tile.type)
        s[k.TILE + tile.cell] = number
        s[k.POOL + number] -= 1
        if tile.face_up:
            s[k.FACE_UP] |= bit
        if tile.seen_by_all:
            everybody |= bit
        for seat in tile.peekers:
            s[k.SEEN + seat] |= bit
    for viewer in (*range(s[k.SEATS]), k.EVERYBODY):
        s[k.SEEN + viewer] |= everybody


def _number(tile: TileType) -> int:
    return len(Motif) * tile.colour + tile.motif
