"""Sock Monsters as a player sees it: the position and the actions.

Coordinates: column 0 to 5 (a to f), row 0 to 5 (row 1 upwards); the corners are the lairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

SIDE: Final = 6
MOST_STEPS: Final = 3
"""Of a pawn and of a monster (RULINGS 1.5, 1.12)."""
PAIRS_TO_WIN: Final = 3

Cell: TypeAlias = tuple[int, int]
"""(column, row)."""


class Colour(Enum):
    """Of seats, monsters, lairs and tiles; its value is its seat."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3
    UNKNOWN = -1

    @staticmethod
    def of(seat: int | None) -> Colour:
        """The colour of a seat."""
        return Colour(seat) if seat in range(4) else Colour.UNKNOWN


class Motif(Enum):
    """What a tile or a token shows."""

    CHEST = "c"
    WARDROBE = "w"
    DRAWER = "d"
    BASKET = "b"
    UNKNOWN = "?"


class Sock(Enum):
    """Five colours, and the silly socks."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    VIOLET = "violet"
    RAINBOW = "rainbow"
    SMELLY = "smelly"
    BOOMERANG = "boomerang"
    UNKNOWN = "unknown"


class Phase(Enum):
    """What is awaited; docs/notation/sock_monsters.md describes each."""

    UNKNOWN = "unknown"
    DEAL = "deal"
    FIRST = "first"
    DRAW = "draw"
    ROLL = "roll"
    EYE = "eye"
    THROW = "throw"
    PLACE = "place"
    GIFT = "gift"
    RAINBOW = "rainbow"
    PICK = "pick"
    MOVE = "move"
    OPEN = "open"
    PAWN = "pawn"
    ACT = "act"
    TAKE = "take"
    THREE_PAIRS = "three_pairs"
    ROUND_CAP = "round_cap"


OVER: Final = frozenset({Phase.THREE_PAIRS, Phase.ROUND_CAP})
_OF_A_SEAT: Final = frozenset({Phase.PLACE, Phase.GIFT, Phase.RAINBOW, Phase.DRAW})
"""Where another than the seat in turn may be the one to act."""


class Kind(Enum):
    """What an action does."""

    DEAL = "deal"
    FIRST = "first"
    DRAW = "draw"
    ROLL = "roll"
    EYE = "eye"
    PLACE = "place"
    PICK = "pick"
    MOVE = "move"
    PEEK = "peek"
    STEAL = "steal"
    GO_ON = "go_on"
    PAWN = "pawn"
    THROW = "throw"
    TAKE = "take"
    GIFT = "gift"
    LIFT = "lift"
    LAIR = "lair"
    BAG = "bag"
    PASS = "pass"
    PAIR = "pair"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class SockMonstersAct:
    """One action; what has no meaning for its kind is None.

    `cell`: where to (place, move, pawn) or which tile (peek). `seat`: the first player, the victim
    or the target of a throw. `colour`: of the monster picked, the face rolled (None: all four), the
    lair, or the tile dealt. `sock`: the sock drawn, stolen, taken, or paired with a rainbow.
    """

    kind: Kind
    cell: Cell | None = None
    seat: int | None = None
    colour: Colour | None = None
    sock: Sock | None = None
    motif: Motif | None = None
    eye_open: bool = False

    @property
    def notation(self) -> str:
        """The action's text, as docs/notation/sock_monsters.md has it."""
        where, seat = _name(self.cell), "" if self.seat is None else str(self.seat)
        colour = "any" if self.colour is None else self.colour.name.lower()
        sock = "" if self.sock is None else self.sock.value
        motif = "" if self.motif is None else self.motif.value
        return {
            Kind.DEAL: f"deal:{colour[0]}{motif}",
            Kind.FIRST: f"first:{seat}",
            Kind.DRAW: f"draw:{sock}",
            Kind.ROLL: f"roll:{colour}",
            Kind.EYE: "eye:open" if self.eye_open else "eye:closed",
            Kind.PLACE: f"place:{where}",
            Kind.PICK: f"monster:{colour}",
            Kind.MOVE: f"move:{where}",
            Kind.PEEK: f"peek:{where}",
            Kind.STEAL: f"steal:{seat}:{sock}",
            Kind.GO_ON: "go",
            Kind.PAWN: f"pawn:{where}",
            Kind.THROW: f"throw:{seat}",
            Kind.TAKE: f"take:{sock}",
            Kind.GIFT: f"gift:{sock}",
            Kind.LIFT: "lift",
            Kind.LAIR: f"lair:{colour}:{sock}",
            Kind.BAG: "bag",
            Kind.PASS: "pass",
            Kind.PAIR: f"pair:{sock}",
            Kind.KEEP: "keep",
        }[self.kind]


@dataclass(frozen=True, slots=True)
class Tile:
    """A room tile as it lies there; colour and motif are None where the viewer can't tell."""

    cell: Cell
    face_up: bool
    colour: Colour | None = None
    motif: Motif | None = None


@dataclass(frozen=True, slots=True)
class Monster:
    """A monster, and what lies in the lair of its colour."""

    colour: Colour
    cell: Cell
    lair: tuple[Sock, ...]


@dataclass(frozen=True, slots=True)
class Elf:
    """What a player has: a pawn (None: not placed yet), tokens still up, single socks, pairs."""

    seat: int
    cell: Cell | None
    tokens: tuple[Motif, ...]
    socks: tuple[Sock, ...]
    pairs: tuple[tuple[Sock, Sock], ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """The tile turned or peeked at last; `peeker` is None when everybody saw it."""

    cell: Cell
    peeker: int | None = None


@dataclass(frozen=True, slots=True)
class Awaited:
    """What the match waits for; what has no meaning in a phase is None or 0."""

    phase: Phase = Phase.UNKNOWN
    seat: int | None = None
    """Who draws, places, pairs, takes a gift, is thrown at or taken from."""
    monster: Colour | None = None
    """The monster in its phase, or whose lair a gift comes from."""
    moves_made: int = 0
    socks_to_draw: int = 0
    throws_left: int = 0


@dataclass(frozen=True, slots=True)
class SockMonstersView:
    """A position as one seat, or a spectator (-2), sees it."""

    viewer: int
    tiles: tuple[Tile, ...]
    monsters: tuple[Monster, ...]
    elves: tuple[Elf, ...]
    bag: tuple[tuple[Sock, int], ...]
    """Kinds left in the bag and how many of each."""
    round: int
    turn: int | None
    first: int | None
    shown: Shown | None
    awaited: Awaited
    position: str = field(default="", compare=False)

    @property
    def phase(self) -> Phase:
        """What kind of thing is awaited."""
        return self.awaited.phase

    @property
    def bagged(self) -> int:
        """How many socks the bag holds."""
        return sum(count for _, count in self.bag)

    @property
    def figures(self) -> dict[Cell, Colour | int]:
        """Who stands where: a monster's colour or an elf's seat."""
        found: dict[Cell, Colour | int] = {one.cell: one.colour for one in self.monsters}
        found.update({elf.cell: elf.seat for elf in self.elves if elf.cell is not None})
        return found

    @property
    def acting(self) -> int | None:
        """Who is to act, or whose turn it is while a die rolls; None when it is over."""
        if self.phase in OVER:
            return None
        return self.awaited.seat if self.phase in _OF_A_SEAT else self.turn

    def elf(self, seat: int | None) -> Elf | None:
        """The elf of a seat."""
        return next((elf for elf in self.elves if elf.seat == seat), None)

    def monster(self, colour: Colour | None) -> Monster | None:
        """The monster of a colour."""
        return next((one for one in self.monsters if one.colour is colour), None)

    def tile(self, cell: Cell) -> Tile | None:
        """The tile on a cell."""
        return next((tile for tile in self.tiles if tile.cell == cell), None)

    def awake(self, colour: Colour) -> bool:
        """Whether a monster has its eyes open: its eye die said so, and its turn goes on."""
        awaited = self.awaited
        if awaited.monster is not colour:
            return False
        moving = awaited.phase in (Phase.MOVE, Phase.EYE) and awaited.moves_made > 0
        return awaited.phase in (Phase.OPEN, Phase.GIFT) or moving


NOTHING: Final = SockMonstersView(-2, (), (), (), (), 0, None, None, None, Awaited())
"""Before anything is known."""

LAIRS: Final[Mapping[Colour, Cell]] = {
    Colour.RED: (0, 0),
    Colour.YELLOW: (SIDE - 1, 0),
    Colour.GREEN: (SIDE - 1, SIDE - 1),
    Colour.BLUE: (0, SIDE - 1),
}
CENTRE: Final = frozenset({(2, 2), (3, 2), (2, 3), (3, 3)})
"""Where pawns start (RULINGS 1.3)."""


def _name(cell: Cell | None) -> str:
    return "" if cell is None else f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def on_board(cell: Cell) -> bool:
    """Whether there is such a cell."""
    return 0 <= cell[0] < SIDE and 0 <= cell[1] < SIDE


def lair_at(cell: Cell) -> Colour | None:
    """Whose lair a cell is."""
    return next((colour for colour, where in LAIRS.items() if where == cell), None)


def neighbours(cell: Cell, *, diagonal: bool) -> tuple[Cell, ...]:
    """The cells around a cell; the diagonal ones come last."""
    straight, aslant = ((1, 0), (-1, 0), (0, 1), (0, -1)), ((1, 1), (1, -1), (-1, 1), (-1, -1))
    steps = straight + aslant if diagonal else straight
    found = ((cell[0] + across, cell[1] + up) for across, up in steps)
    return tuple(other for other in found if on_board(other))


def beside(one: Cell, other: Cell) -> bool:
    """Whether two cells share a side."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def distance(one: Cell, other: Cell) -> int:
    """King's distance."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
