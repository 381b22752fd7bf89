"""The actions of Sock Monsters by name: typed, as text and as ids.

The table below lists them in the order of their ids (docs/notation/sock_monsters.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from services.engine.core import Action, InvalidNotation, Seat
from services.engine.core.notation import cell_name, check_length
from services.engine.games.sock_monsters.layout import ACTIONS, CELLS, CENTRE_CELL
from services.engine.games.sock_monsters.model import Cell, Colour, Motif, Sock, TileType


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance: the next tile of the shuffle, hidden from all."""

    tile: TileType


@dataclass(frozen=True, slots=True)
class FirstPlayer:
    """Chance: who begins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: a sock out of the bag."""

    sock: Sock


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance: the colour die; None is a four-colour face."""

    colour: Colour | None


@dataclass(frozen=True, slots=True)
class Eye:
    """Chance: the eye die."""

    open: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Put the own pawn on a centre cell."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class PickMonster:
    """After a four-colour face."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class MoveMonster:
    """The cell where the monster ends."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Peek:
    """Look at a tile alone."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Steal:
    """Let the monster steal."""

    victim: Seat
    sock: Sock


@dataclass(frozen=True, slots=True)
class GoOn:
    """Move the same monster again."""


@dataclass(frozen=True, slots=True)
class MovePawn:
    """The cell where the pawn ends; its own to stay."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Throw:
    """Throw a boomerang at a player."""

    target: Seat


@dataclass(frozen=True, slots=True)
class TakeSock:
    """From the player the boomerang has hit."""

    sock: Sock


@dataclass(frozen=True, slots=True)
class TakeGift:
    """From the lair, for the smelly sock."""

    sock: Sock


@dataclass(frozen=True, slots=True)
class Lift:
    """Show the tile under the own pawn to all."""


@dataclass(frozen=True, slots=True)
class TakeFromLair:
    """Take a sock from a lair next to the own pawn."""

    lair: Colour
    sock: Sock


@dataclass(frozen=True, slots=True)
class TakeFromBag:
    """German edition: draw a sock next to a lair instead of lifting."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing more with the pawn, or (German edition) with the awake monster."""


@dataclass(frozen=True, slots=True)
class PairRainbow:
    """Pair a rainbow sock with this single one."""

    sock: Sock


@dataclass(frozen=True, slots=True)
class Keep:
    """Pair no rainbow now."""


TypedAction: TypeAlias = (
    Deal
    | FirstPlayer
    | Draw
    | Roll
    | Eye
    | Place
    | PickMonster
    | MoveMonster
    | Peek
    | Steal
    | GoOn
    | MovePawn
    | Throw
    | TakeSock
    | TakeGift
    | Lift
    | TakeFromLair
    | TakeFromBag
    | Pass
    | PairRainbow
    | Keep
)

SEATS: Final = range(4)
TILE_TYPES: Final = tuple(TileType(colour, motif) for colour in Colour for motif in Motif)
_MOTIF_LETTERS: Final = "cwdb"


def word(thing: Colour | Sock) -> str:
    """`red`, `violet`, `rainbow` …"""
    return thing.name.lower()


def tile_name(tile: TileType) -> str:
    """`rc` for the red chest."""
    return word(tile.colour)[0] + _MOTIF_LETTERS[tile.motif]


def _cell(cell: Cell) -> str:
    return cell_name(cell % 6, cell // 6)


def _all() -> Iterator[tuple[str, TypedAction]]:
    """Text and typed form of every action, by id."""
    yield from ((f"deal:{tile_name(tile)}", Deal(tile)) for tile in TILE_TYPES)
    yield from ((f"first:{seat}", FirstPlayer(seat)) for seat in SEATS)
    yield from ((f"draw:{word(sock)}", Draw(sock)) for sock in Sock)
    yield from ((f"roll:{word(colour)}", Roll(colour)) for colour in Colour)
    yield "roll:any", Roll(None)
    yield "eye:closed", Eye(open=False)
    yield "eye:open", Eye(open=True)
    yield from ((f"place:{_cell(cell)}", Place(cell)) for cell in CENTRE_CELL)
    yield from ((f"monster:{word(colour)}", PickMonster(colour)) for colour in Colour)
    yield from ((f"move:{_cell(cell)}", MoveMonster(cell)) for cell in range(CELLS))
    yield from ((f"peek:{_cell(cell)}", Peek(cell)) for cell in range(CELLS))
    for victim in SEATS:
        yield from ((f"steal:{victim}:{word(sock)}", Steal(victim, sock)) for sock in Sock)
    yield "go", GoOn()
    yield from ((f"pawn:{_cell(cell)}", MovePawn(cell)) for cell in range(CELLS))
    yield from ((f"throw:{seat}", Throw(seat)) for seat in SEATS)
    yield from ((f"take:{word(sock)}", TakeSock(sock)) for sock in Sock)
    yield from ((f"gift:{word(sock)}", TakeGift(sock)) for sock in Sock)
    yield "lift", Lift()
    for lair in Colour:
        for sock in Sock:
            yield f"lair:{word(lair)}:{word(sock)}", TakeFromLair(lair, sock)
    yield "bag", TakeFromBag()
    yield "pass", Pass()
    yield from ((f"pair:{word(sock)}", PairRainbow(sock)) for sock in Sock if sock < Sock.SMELLY)
    yield "keep", Keep()


_TEXTS, _TYPED = zip(*_all(), strict=True)
_BY_TEXT: Final[dict[str, int]] = {text: number for number, text in enumerate(_TEXTS)}
_BY_TYPED: Final[dict[TypedAction, int]] = {typed: number for number, typed in enumerate(_TYPED)}
assert len(_TEXTS) == len(_BY_TEXT) == len(_BY_TYPED) == ACTIONS


def decode(action: Action) -> TypedAction:
    """The typed form of an id."""
    typed: TypedAction = _TYPED[action]
    return typed


def encode(typed: TypedAction) -> Action:
    """The id of a typed action; raises `InvalidNotation` if there is no such action."""
    number = _BY_TYPED.get(typed)
    if number is None:
        raise InvalidNotation("no such action", part=str(typed), text=str(typed))
    return Action(number)


def format_action(action: Action) -> str:
    """The notation of an id."""
    text: str = _TEXTS[action]
    return text


def parse_action(text: str) -> Action:
    """The id of an action's notation; raises `InvalidNotation` naming what is wrong with it."""
    number = _BY_TEXT.get(check_length(text).strip())
    if number is None:
        raise InvalidNotation("no such action in Sock Monsters", part=text, text=text)
    return Action(number)
