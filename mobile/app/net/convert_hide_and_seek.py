"""Monster Hide and Seek between the wire and the app: what the app can't read is unknown, not an
error."""

from __future__ import annotations

from typing import Final

from app.model.hide_and_seek import (
    COLUMNS,
    ROWS,
    Card,
    Cell,
    Face,
    HideAndSeekAct,
    HideAndSeekView,
    Kind,
    Phase,
    Pile,
)
from app.model.values import UnknownAct, UnknownView
from oddsocks.play.v1 import hide_and_seek_pb2 as pb

_FACES: Final = {
    pb.HIDE_AND_SEEK_FACE_A: Face.A,
    pb.HIDE_AND_SEEK_FACE_B: Face.B,
    pb.HIDE_AND_SEEK_FACE_C: Face.C,
    pb.HIDE_AND_SEEK_FACE_D: Face.D,
    pb.HIDE_AND_SEEK_FACE_E: Face.E,
    pb.HIDE_AND_SEEK_FACE_CANDY: Face.CANDY,
}
_FACES_OUT: Final = {face: number for number, face in _FACES.items()}
_PHASES: Final = {
    pb.HIDE_AND_SEEK_PHASE_DEAL: Phase.DEAL,
    pb.HIDE_AND_SEEK_PHASE_FIRST: Phase.FIRST,
    pb.HIDE_AND_SEEK_PHASE_SECOND: Phase.SECOND,
    pb.HIDE_AND_SEEK_PHASE_AGAIN: Phase.AGAIN,
    pb.HIDE_AND_SEEK_PHASE_PAIRED: Phase.PAIRED,
    pb.HIDE_AND_SEEK_PHASE_OVER: Phase.OVER,
}


def act_from(message: pb.HideAndSeekAction) -> HideAndSeekAct | UnknownAct:
    """Read an action."""
    match message.WhichOneof("action"):
        case "deal":
            deal = message.deal
            hidden = _face(deal.hidden) if deal.HasField("hidden") else None
            return HideAndSeekAct(Kind.DEAL, shown=_face(deal.shown), hidden=hidden)
        case "flip":
            return HideAndSeekAct(Kind.FLIP, _cell(message.flip.cell))
        case "flip_both":
            both = message.flip_both
            return HideAndSeekAct(Kind.BOTH, _cell(both.first), _cell(both.second))
        case "take_candy":
            return HideAndSeekAct(Kind.CANDY, _cell(message.take_candy.cell))
        case "stop":
            return HideAndSeekAct(Kind.STOP)
        case _:
            return UnknownAct()


def act_to(act: HideAndSeekAct) -> pb.HideAndSeekAction:
    """Write an action."""
    cell, other = _cell_to(act.cell), _cell_to(act.other)
    match act.kind:
        case Kind.DEAL:
            return pb.HideAndSeekAction(deal=_deal_to(act))
        case Kind.FLIP:
            return pb.HideAndSeekAction(flip=pb.HideAndSeekFlip(cell=cell))
        case Kind.BOTH:
            both = pb.HideAndSeekFlipBoth(first=cell, second=other)
            return pb.HideAndSeekAction(flip_both=both)
        case Kind.CANDY:
            return pb.HideAndSeekAction(take_candy=pb.HideAndSeekTakeCandy(cell=cell))
        case Kind.STOP:
            return pb.HideAndSeekAction(stop=pb.HideAndSeekStop())


def _deal_to(act: HideAndSeekAct) -> pb.HideAndSeekDeal:
    deal = pb.HideAndSeekDeal()
    if act.shown in _FACES_OUT:
        deal.shown = _FACES_OUT[act.shown]
    if act.hidden in _FACES_OUT:
        deal.hidden = _FACES_OUT[act.hidden]
    return deal


def view_from(message: pb.HideAndSeekObservation) -> HideAndSeekView | UnknownView:
    """Read what everybody sees; unknown when the grid, a cell or a seat is not one we know."""
    view = HideAndSeekView(
        columns=message.columns,
        rows=message.rows,
        dealt=message.cells_dealt,
        cards=tuple(map(_card, message.cards)),
        piles=tuple(map(_pile, message.piles)),
        turns=message.turns,
        idle_turns=message.idle_turns,
        phase=_PHASES.get(message.phase, Phase.UNKNOWN),
        turn=message.turn if message.HasField("turn") else None,
        flipped=_cell(message.flipped) if message.HasField("flipped") else None,
        position=message.position,
    )
    cells = [card.cell for card in view.cards] + ([view.flipped] if view.flipped else [])
    known = view.columns in range(1, COLUMNS + 1) and view.rows in range(1, ROWS + 1)
    seats = [pile.seat for pile in view.piles]
    if not known or seats != list(range(len(seats))) or not all(map(view.inside, cells)):
        return UnknownView()
    return view


def _card(message: pb.HideAndSeekCard) -> Card:
    hidden = _face(message.hidden) if message.HasField("hidden") else None
    return Card(_cell(message.cell), _face(message.shown), hidden)


def _pile(message: pb.HideAndSeekPile) -> Pile:
    monsters = tuple((_face(card.first), _face(card.second)) for card in message.monsters)
    return Pile(message.seat, monsters, message.candies)


def _face(number: pb.HideAndSeekFace.ValueType) -> Face:
    return _FACES.get(number, Face.UNKNOWN)


def _cell(message: pb.HideAndSeekCell) -> Cell:
    return (message.column, message.row)


def _cell_to(cell: Cell | None) -> pb.HideAndSeekCell | None:
    return None if cell is None else pb.HideAndSeekCell(column=cell[0], row=cell[1])
