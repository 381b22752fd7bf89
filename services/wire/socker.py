"""Socker's typed contract: actions and observations between engine and protobuf."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from oddsocks.play.v1 import socker_pb2 as pb
from services.engine.core import Action, InvalidNotation, Seat
from services.engine.games.socker import RULESET
from services.engine.games.socker.actions import (
    Cell,
    End,
    Kick,
    Move,
    Pass,
    Place,
    Recentre,
    Sock,
    SockerAction,
    Toss,
    decode,
    encode,
)
from services.engine.games.socker.view import Observation, Socker
from services.wire.codec import Codec

_SIDES: Final = (pb.SOCKER_SIDE_SOUTH, pb.SOCKER_SIDE_NORTH)
_PHASES: Final = {
    "toss": pb.SOCKER_PHASE_TOSS,
    "setup": pb.SOCKER_PHASE_SETUP,
    "turn": pb.SOCKER_PHASE_TURN,
    "pick": pb.SOCKER_PHASE_RECENTRE,
    "over": pb.SOCKER_PHASE_OVER,
}


def action_to_message(action: Action) -> pb.SockerAction:
    """An action as a message."""
    match decode(action):
        case Place(cell):
            return pb.SockerAction(place=pb.SockerPlace(cell=_cell(cell)))
        case Move(start, end):
            return pb.SockerAction(move=pb.SockerMove(origin=_cell(start), to=_cell(end)))
        case Kick(socker, ball):
            return pb.SockerAction(kick=pb.SockerKick(origin=_cell(socker), ball=_cell(ball)))
        case Sock(socker, target):
            return pb.SockerAction(sock=pb.SockerSock(origin=_cell(socker), target=_cell(target)))
        case Recentre(cell):
            return pb.SockerAction(recentre=pb.SockerRecentre(cell=_cell(cell)))
        case End():
            return pb.SockerAction(end_turn=pb.SockerEndTurn())
        case Pass():
            return pb.SockerAction(pass_turn=pb.SockerPass())
        case Toss(winner):
            return pb.SockerAction(toss=pb.SockerToss(winner=_SIDES[winner]))


def action_from_message(message: pb.SockerAction) -> Action:
    """The action a message names; raises `InvalidNotation` for one that can't be."""
    decoded = _decoded(message)
    try:
        return encode(decoded)
    except ValueError as error:
        raise InvalidNotation(str(error), part=str(decoded), text=str(decoded)) from None


def _decoded(message: pb.SockerAction) -> SockerAction:
    arm = message.WhichOneof("action")
    match arm:
        case "place":
            return Place(_pair(message.place.cell))
        case "move":
            return Move(_pair(message.move.origin), _pair(message.move.to))
        case "kick":
            return Kick(_pair(message.kick.origin), _pair(message.kick.ball))
        case "sock":
            return Sock(_pair(message.sock.origin), _pair(message.sock.target))
        case "recentre":
            return Recentre(_pair(message.recentre.cell))
        case "end_turn":
            return End()
        case "pass_turn":
            return Pass()
        case "toss":
            if message.toss.winner in _SIDES:
                return Toss(_SIDES.index(message.toss.winner))
    raise InvalidNotation("no action of Socker this server knows", part=arm or "", text=arm or "")


def observation_to_message(seen: Observation) -> pb.SockerObservation:
    """What everybody sees, as a message."""
    message = pb.SockerObservation(
        pieces=[
            _piece(socker) for socker in sorted(seen.sockers, key=lambda socker: socker.cell[::-1])
        ],
        ball=None if seen.ball is None else _cell(seen.ball),
        phase=_PHASES[seen.stage],
        turn=_side(seen.mover),
        actions_left=seen.allowed - seen.used,
        south_goals=seen.goals[0],
        north_goals=seen.goals[1],
        sudden_death=seen.sudden,
        position=RULESET.format_observation(seen),
    )
    if seen.edge_limit is not None:
        message.edge_limit = seen.edge_limit
    return message


def observation_from_message(message: pb.SockerObservation) -> Observation:
    """The observation a message holds; raises `InvalidNotation`."""
    return RULESET.parse_observation(message.position)


def _side(seat: Seat | None) -> pb.SockerSide.ValueType:
    return pb.SOCKER_SIDE_UNSPECIFIED if seat is None else _SIDES[seat]


@lru_cache(maxsize=1_000)
def _piece(socker: Socker) -> pb.SockerPiece:
    """A socker as a message, to be copied: there are no more of them than cells and ways to be."""
    return pb.SockerPiece(side=_SIDES[socker.seat], cell=_cell(socker.cell), lying=socker.lying)


def _cell(cell: Cell) -> pb.Cell:
    return pb.Cell(column=cell[0], row=cell[1])


def _pair(cell: pb.Cell) -> Cell:
    return cell.column, cell.row


CODEC: Final = Codec(
    write_action=action_to_message,
    read_action=action_from_message,
    write_observation=observation_to_message,
    read_observation=observation_from_message,
)
