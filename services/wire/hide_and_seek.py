"""Monster Hide and Seek's typed contract: between engine and protobuf."""

from __future__ import annotations

from typing import Final

from oddsocks.play.v1 import hide_and_seek_pb2 as pb
from services.engine.core import Action
from services.engine.games.hide_and_seek import RULESET
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.hide_and_seek.notation import LETTERS
from services.engine.games.hide_and_seek.values import (
    Deal,
    Decoded,
    Flip,
    FlipBoth,
    Observation,
    Stop,
    TakeCandy,
    cell_of,
    decode,
    encode,
    number_of,
)
from services.wire.codec import Codec, read_typed_cell, unreadable

_CANDY: Final = pb.HIDE_AND_SEEK_FACE_CANDY
_FACES: Final = tuple(pb.HideAndSeekFace.Value(f"HIDE_AND_SEEK_FACE_{name}") for name in LETTERS)
"""By the engine's number of a monster."""
_PHASES: Final = {
    at.P_DEAL: pb.HIDE_AND_SEEK_PHASE_DEAL,
    at.P_FIRST: pb.HIDE_AND_SEEK_PHASE_FIRST,
    at.P_SECOND: pb.HIDE_AND_SEEK_PHASE_SECOND,
    at.P_AGAIN: pb.HIDE_AND_SEEK_PHASE_AGAIN,
    at.P_PAIRED: pb.HIDE_AND_SEEK_PHASE_PAIRED,
    at.P_OVER: pb.HIDE_AND_SEEK_PHASE_OVER,
}


def action_to_message(action: Action) -> pb.HideAndSeekAction:
    """An action as a message."""
    match decode(action):
        case Deal(int(shown), int(hidden)):
            deal = pb.HideAndSeekDeal(shown=_FACES[shown], hidden=_FACES[hidden])
            return pb.HideAndSeekAction(deal=deal)
        case Deal():
            return pb.HideAndSeekAction(deal=pb.HideAndSeekDeal(shown=_CANDY, hidden=_CANDY))
        case Flip(cell):
            return pb.HideAndSeekAction(flip=pb.HideAndSeekFlip(cell=_cell(cell)))
        case FlipBoth(first, second):
            both = pb.HideAndSeekFlipBoth(first=_cell(first), second=_cell(second))
            return pb.HideAndSeekAction(flip_both=both)
        case TakeCandy(cell):
            return pb.HideAndSeekAction(take_candy=pb.HideAndSeekTakeCandy(cell=_cell(cell)))
        case Stop():
            return pb.HideAndSeekAction(stop=pb.HideAndSeekStop())


def partly_to_message(text: str) -> pb.HideAndSeekAction | None:
    """The deal of a card of which only the side up is seen, `deal:A?`."""
    name, _, faces = text.partition(":")
    if name != "deal" or len(faces) != 2 or faces[0] not in LETTERS or faces[1] != "?":
        return None
    deal = pb.HideAndSeekDeal(shown=_FACES[LETTERS.index(faces[0])])
    return pb.HideAndSeekAction(deal=deal)


def action_from_message(message: pb.HideAndSeekAction) -> Action:
    """The action a message names; raises `InvalidNotation` for one that can't be."""
    return encode(_decoded(message))


def _decoded(message: pb.HideAndSeekAction) -> Decoded:
    match message.WhichOneof("action"):
        case "deal":
            return _deal(message)
        case "flip":
            return Flip(_pair(message.flip, "cell", "flip.cell"))
        case "flip_both":
            first = _pair(message.flip_both, "first", "flip_both.first")
            second = _pair(message.flip_both, "second", "flip_both.second")
            if number_of(first) >= number_of(second):
                raise unreadable("must come after the first cell", "flip_both.second", message)
            return FlipBoth(first, second)
        case "take_candy":
            return TakeCandy(_pair(message.take_candy, "cell", "take_candy.cell"))
        case "stop":
            return Stop()
    raise unreadable("no action of Monster Hide and Seek this server knows", "action", message)


def _deal(message: pb.HideAndSeekAction) -> Deal:
    deal = message.deal
    if deal.shown == _CANDY and deal.hidden == _CANDY:
        return Deal(None, None)
    for name, face in (("shown", deal.shown), ("hidden", deal.hidden)):
        if face not in _FACES:
            raise unreadable("no side of such a card", f"deal.{name}", message)
    return Deal(_FACES.index(deal.shown), _FACES.index(deal.hidden))


def observation_to_message(seen: Observation) -> pb.HideAndSeekObservation:
    """What everybody sees, as a message."""
    buffer = seen.buffer
    columns, rows = at.GRIDS[buffer[at.TYPES]]
    phase = buffer[at.PHASE]
    message = pb.HideAndSeekObservation(
        columns=columns,
        rows=rows,
        cells_dealt=buffer[at.DEALT],
        cards=[_card(seen, cell) for cell in range(at.CELLS) if _lies(seen, cell)],
        piles=[_pile(seen, seat) for seat in range(buffer[at.SEATS])],
        turns=buffer[at.TURNS],
        idle_turns=buffer[at.IDLE],
        phase=_PHASES[phase],
        position=RULESET.format_observation(seen),
    )
    if phase not in (at.P_DEAL, at.P_OVER):
        message.turn = buffer[at.MOVER]
        if buffer[at.FLIPPED] >= 0:
            message.flipped.CopyFrom(_cell(cell_of(buffer[at.FLIPPED])))
    return message


def observation_from_message(message: pb.HideAndSeekObservation) -> Observation:
    """The observation a message holds; raises `InvalidNotation`."""
    return RULESET.parse_observation(message.position)


def _lies(seen: Observation, cell: int) -> bool:
    return seen.buffer[at.SHOWN + cell] <= at.CANDY


def _card(seen: Observation, cell: int) -> pb.HideAndSeekCard:
    shown, hidden = seen.buffer[at.SHOWN + cell], seen.buffer[at.HIDDEN + cell]
    card = pb.HideAndSeekCard(cell=_cell(cell_of(cell)), shown=_face(shown))
    if hidden >= 0:
        card.hidden = _face(hidden)
    return card


def _pile(seen: Observation, seat: int) -> pb.HideAndSeekPile:
    begin = at.PILE + seat * at.KINDS
    return pb.HideAndSeekPile(
        seat=seat,
        monsters=[
            pb.HideAndSeekCollected(first=_face(at.LOW_OF[kind]), second=_face(at.HIGH_OF[kind]))
            for kind in range(at.CANDY_KIND)
            for _ in range(seen.buffer[begin + kind])
        ],
        candies=seen.buffer[begin + at.CANDY_KIND],
    )


def _face(face: int) -> pb.HideAndSeekFace.ValueType:
    return _CANDY if face == at.CANDY else _FACES[face]


def _cell(cell: tuple[int, int]) -> pb.HideAndSeekCell:
    return pb.HideAndSeekCell(column=cell[0], row=cell[1])


def _pair(
    body: pb.HideAndSeekFlip | pb.HideAndSeekFlipBoth | pb.HideAndSeekTakeCandy,
    field: str,
    part: str,
) -> tuple[int, int]:
    return read_typed_cell(body, field, part, columns=at.COLUMNS, rows=at.ROWS)


CODEC: Final = Codec(
    write_action=action_to_message,
    read_action=action_from_message,
    write_observation=observation_to_message,
    read_observation=observation_from_message,
    write_partly=partly_to_message,
)
