"""Sock Monsters between the wire and the app: what the app can't read is unknown, not an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Final, TypeVar

from app.model.sock_monsters import (
    Awaited,
    Cell,
    Colour,
    Elf,
    Kind,
    Monster,
    Motif,
    Phase,
    Shown,
    Sock,
    SockMonstersAct,
    SockMonstersView,
    Tile,
    on_board,
)
from app.model.values import UnknownAct, UnknownView
from oddsocks.play.v1 import sock_monsters_pb2 as pb

_Thing = TypeVar("_Thing", bound=Enum)


def _numbers(things: type[_Thing], enumeration: Any, prefix: str) -> Mapping[int, _Thing]:
    """Each thing by its number in the contract, found by its name."""
    return {
        enumeration.Value(f"SOCK_MONSTERS_{prefix}_{thing.name}"): thing
        for thing in things
        if thing.name != "UNKNOWN"
    }


_COLOURS: Final = _numbers(Colour, pb.SockMonstersColour, "COLOUR")
_MOTIFS: Final = _numbers(Motif, pb.SockMonstersMotif, "MOTIF")
_SOCKS: Final = _numbers(Sock, pb.SockMonstersSock, "SOCK")
_PHASES: Final = _numbers(Phase, pb.SockMonstersPhaseKind, "PHASE_KIND")
_FACES: Final[Mapping[int, Colour | None]] = {
    pb.SOCK_MONSTERS_DIE_FACE_ANY: None,
    **_numbers(Colour, pb.SockMonstersDieFace, "DIE_FACE"),
}
_COLOURS_OUT: Final = {colour: number for number, colour in _COLOURS.items()}
_MOTIFS_OUT: Final = {motif: number for number, motif in _MOTIFS.items()}
_SOCKS_OUT: Final = {sock: number for number, sock in _SOCKS.items()}
_FACES_OUT: Final = {face: number for number, face in _FACES.items()}

_ARMS: Final[Mapping[Kind, str]] = {
    Kind.DEAL: "deal",
    Kind.FIRST: "first_player",
    Kind.DRAW: "draw",
    Kind.ROLL: "roll",
    Kind.EYE: "eye",
    Kind.PLACE: "place",
    Kind.PICK: "pick_monster",
    Kind.MOVE: "move_monster",
    Kind.PEEK: "peek",
    Kind.STEAL: "steal",
    Kind.GO_ON: "go_on",
    Kind.PAWN: "move_pawn",
    Kind.THROW: "throw_boomerang",
    Kind.TAKE: "take_sock",
    Kind.GIFT: "take_gift",
    Kind.LIFT: "lift",
    Kind.LAIR: "take_from_lair",
    Kind.BAG: "take_from_bag",
    Kind.PASS: "pass_phase",
    Kind.PAIR: "pair_rainbow",
    Kind.KEEP: "keep",
}
_KINDS: Final = {arm: kind for kind, arm in _ARMS.items()}


def act_from(message: pb.SockMonstersAction) -> SockMonstersAct | UnknownAct:
    """Read an action; unknown when it, or a word in it, is newer than this app."""
    arm = message.WhichOneof("action")
    if arm is None:
        return UnknownAct()
    kind, body = _KINDS[arm], getattr(message, arm)
    fields = {field.name: getattr(body, field.name) for field in body.DESCRIPTOR.fields}
    try:
        return SockMonstersAct(kind, **_read(kind, fields))
    except KeyError:
        return UnknownAct()


def _read(kind: Kind, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an action by the names of the app; raises KeyError for an unknown word."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        match name:
            case "cell":
                found["cell"] = _cell(value)
            case "seat" | "victim" | "target":
                found["seat"] = value
            case "sock":
                found["sock"] = _SOCKS[value]
            case "colour" | "lair":
                found["colour"] = _COLOURS[value]
            case "face":
                found["colour"] = _FACES[value]
            case "open":
                found["eye_open"] = value
            case "tile":
                found["colour"] = _COLOURS[value.colour]
                found["motif"] = _MOTIFS[value.motif]
            case _:
                raise KeyError(f"{kind}: {name}")
    return found


def act_to(act: SockMonstersAct) -> pb.SockMonstersAction:
    """Write an action."""
    arm: dict[str, Any] = {_ARMS[act.kind]: _body(act)}
    return pb.SockMonstersAction(**arm)


def _body(act: SockMonstersAct) -> dict[str, Any]:
    cell = None if act.cell is None else {"column": act.cell[0], "row": act.cell[1]}
    colour = None if act.colour is None else _COLOURS_OUT[act.colour]
    sock = None if act.sock is None else _SOCKS_OUT[act.sock]
    match act.kind:
        case Kind.DEAL:
            motif = None if act.motif is None else _MOTIFS_OUT[act.motif]
            return {"tile": {"colour": colour, "motif": motif}}
        case Kind.FIRST:
            return {"seat": act.seat}
        case Kind.DRAW | Kind.TAKE | Kind.GIFT | Kind.PAIR:
            return {"sock": sock}
        case Kind.ROLL:
            return {"face": _FACES_OUT[act.colour]}
        case Kind.EYE:
            return {"open": act.eye_open}
        case Kind.PLACE | Kind.MOVE | Kind.PEEK | Kind.PAWN:
            return {"cell": cell}
        case Kind.PICK:
            return {"colour": colour}
        case Kind.STEAL:
            return {"victim": act.seat, "sock": sock}
        case Kind.THROW:
            return {"target": act.seat}
        case Kind.LAIR:
            return {"lair": colour, "sock": sock}
        case Kind.GO_ON | Kind.LIFT | Kind.BAG | Kind.PASS | Kind.KEEP:
            return {}


def view_from(message: pb.SockMonstersObservation) -> SockMonstersView | UnknownView:
    """Read what a seat sees; unknown when somebody is off the board, or of a colour, we know."""
    view = SockMonstersView(
        viewer=message.viewer,
        tiles=tuple(map(_tile, message.tiles)),
        monsters=tuple(map(_monster, message.monsters)),
        elves=tuple(map(_elf, message.players)),
        bag=tuple((_sock(one.sock), one.count) for one in message.bag),
        round=message.round,
        turn=message.turn if message.HasField("turn") else None,
        first=message.first_player if message.HasField("first_player") else None,
        shown=_shown(message.shown) if message.HasField("shown") else None,
        awaited=_awaited(message.phase),
        position=message.position,
    )
    seats = [elf.seat for elf in view.elves]
    known = seats == list(range(len(seats))) and len(seats) <= len(_COLOURS)
    if not known or any(one.colour is Colour.UNKNOWN for one in view.monsters):
        return UnknownView()
    return view if all(map(on_board, _cells(view))) else UnknownView()


def _cells(view: SockMonstersView) -> Iterable[Cell]:
    yield from view.figures
    yield from (tile.cell for tile in view.tiles)
    if view.shown is not None:
        yield view.shown.cell


def _tile(message: pb.SockMonstersTile) -> Tile:
    if not message.HasField("type"):
        return Tile(_cell(message.cell), message.face_up)
    return Tile(
        _cell(message.cell),
        message.face_up,
        _COLOURS.get(message.type.colour, Colour.UNKNOWN),
        _MOTIFS.get(message.type.motif, Motif.UNKNOWN),
    )


def _monster(message: pb.SockMonstersMonster) -> Monster:
    return Monster(
        _COLOURS.get(message.colour, Colour.UNKNOWN),
        _cell(message.cell),
        tuple(map(_sock, message.lair)),
    )


def _elf(message: pb.SockMonstersPlayer) -> Elf:
    return Elf(
        seat=message.seat,
        cell=_cell(message.pawn) if message.HasField("pawn") else None,
        tokens=tuple(_MOTIFS.get(token, Motif.UNKNOWN) for token in message.tokens),
        socks=tuple(map(_sock, message.socks)),
        pairs=tuple((_sock(pair.first), _sock(pair.second)) for pair in message.pairs),
    )


def _shown(message: pb.SockMonstersShown) -> Shown:
    peeker = message.peeker if message.HasField("peeker") else None
    return Shown(_cell(message.cell), peeker)


def _awaited(message: pb.SockMonstersPhase) -> Awaited:
    return Awaited(
        phase=_PHASES.get(message.kind, Phase.UNKNOWN),
        seat=message.seat if message.HasField("seat") else None,
        monster=_COLOURS.get(message.monster),
        moves_made=message.moves_made,
        socks_to_draw=message.socks_to_draw,
        throws_left=message.throws_left,
    )


def _sock(number: int) -> Sock:
    return _SOCKS.get(number, Sock.UNKNOWN)


def _cell(message: pb.SockMonstersCell) -> Cell:
    return (message.column, message.row)
