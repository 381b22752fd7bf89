"""Sock Monsters' typed contract: actions between engine and protobuf.

One table serves both directions: what it names can't be written one way and read another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from oddsocks.play.v1 import sock_monsters_pb2 as pb
from services.engine.core import Action, InvalidNotation
from services.engine.games.sock_monsters import actions as engine
from services.engine.games.sock_monsters.model import TileType
from services.wire.codec import read_typed_cell, unreadable
from services.wire.sock_monsters_words import (
    COLOURS,
    FACES,
    MOTIFS,
    SIDE,
    SOCKS,
    write_cell,
    write_tile,
)


class _Place(NamedTuple):
    """Where a value stands: a field of a message, and its name from the action down."""

    message: Any
    field: str
    name: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a kind of value is written into a message, and read out of one."""

    write: Callable[[Any], Any]
    read: Callable[[_Place], Any]


def _words(numbers: Mapping[Any, Any]) -> _Kind:
    things = {number: thing for thing, number in numbers.items()}

    def read(place: _Place) -> Any:
        number = getattr(place.message, place.field)
        if number not in things:
            raise unreadable("not a value this server knows", place.name, place.message)
        return things[number]

    return _Kind(numbers.__getitem__, read)


def _read_seat(place: _Place) -> int:
    seat: int = getattr(place.message, place.field)
    if seat not in engine.SEATS:
        raise unreadable(f"must be 0 to {engine.SEATS[-1]}", place.name, place.message)
    return seat


def _read_cell(place: _Place) -> int:
    column, row = read_typed_cell(*place, columns=SIDE, rows=SIDE)
    return column + SIDE * row


def _read_tile(place: _Place) -> TileType:
    tile = getattr(place.message, place.field)
    return TileType(
        _COLOUR.read(_Place(tile, "colour", f"{place.name}.colour")),
        _MOTIF.read(_Place(tile, "motif", f"{place.name}.motif")),
    )


_COLOUR: Final = _words(COLOURS)
_MOTIF: Final = _words(MOTIFS)
_SOCK: Final = _words(SOCKS)
_FACE: Final = _words(FACES)
_SEAT: Final = _Kind(int, _read_seat)
_CELL: Final = _Kind(write_cell, _read_cell)
_TILE: Final = _Kind(write_tile, _read_tile)
_FLAG: Final = _Kind(bool, lambda place: getattr(place.message, place.field))


class _Arm(NamedTuple):
    """One arm of the contract's action: the engine's type, and the fields in its order."""

    type: Callable[..., engine.TypedAction]
    fields: Mapping[str, _Kind] = {}


_ARMS: Final[Mapping[str, _Arm]] = {
    "deal": _Arm(engine.Deal, {"tile": _TILE}),
    "first_player": _Arm(engine.FirstPlayer, {"seat": _SEAT}),
    "draw": _Arm(engine.Draw, {"sock": _SOCK}),
    "roll": _Arm(engine.Roll, {"face": _FACE}),
    "eye": _Arm(engine.Eye, {"open": _FLAG}),
    "place": _Arm(engine.Place, {"cell": _CELL}),
    "pick_monster": _Arm(engine.PickMonster, {"colour": _COLOUR}),
    "move_monster": _Arm(engine.MoveMonster, {"cell": _CELL}),
    "peek": _Arm(engine.Peek, {"cell": _CELL}),
    "steal": _Arm(engine.Steal, {"victim": _SEAT, "sock": _SOCK}),
    "go_on": _Arm(engine.GoOn),
    "move_pawn": _Arm(engine.MovePawn, {"cell": _CELL}),
    "throw_boomerang": _Arm(engine.Throw, {"target": _SEAT}),
    "take_sock": _Arm(engine.TakeSock, {"sock": _SOCK}),
    "take_gift": _Arm(engine.TakeGift, {"sock": _SOCK}),
    "lift": _Arm(engine.Lift),
    "take_from_lair": _Arm(engine.TakeFromLair, {"lair": _COLOUR, "sock": _SOCK}),
    "take_from_bag": _Arm(engine.TakeFromBag),
    "pass_phase": _Arm(engine.Pass),
    "pair_rainbow": _Arm(engine.PairRainbow, {"sock": _SOCK}),
    "keep": _Arm(engine.Keep),
}
_NAMES: Final = {arm.type: name for name, arm in _ARMS.items()}


def action_to_message(action: Action) -> pb.SockMonstersAction:
    """An action as a message."""
    typed = engine.decode(action)
    name = _NAMES[type(typed)]
    values = [getattr(typed, field.name) for field in fields(typed)]
    kinds = zip(_ARMS[name].fields.items(), values, strict=True)
    arm: dict[str, Any] = {name: {field: kind.write(value) for (field, kind), value in kinds}}
    return pb.SockMonstersAction(**arm)


def action_from_message(message: pb.SockMonstersAction) -> Action:
    """The action a message names; raises `InvalidNotation` for one that can't be."""
    name = message.WhichOneof("action")
    if name is None:
        raise unreadable("no action of Sock Monsters this server knows", "action", message)
    arm, body = _ARMS[name], getattr(message, name)
    values = [
        kind.read(_Place(body, field, f"{name}.{field}")) for field, kind in arm.fields.items()
    ]
    try:
        return engine.encode(arm.type(*values))
    except InvalidNotation as error:  # a cell or a sock that only other actions can have
        raise unreadable(error.problem, name, message) from None
