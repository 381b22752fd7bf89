"""Socker between the wire and the app: what the app can't read is unknown, not an error."""

from __future__ import annotations

from app.model.socker import Cell, Kind, Phase, Piece, Side, SockerAct, SockerView, on_board
from app.model.values import UnknownAct, UnknownView
from oddsocks.play.v1 import socker_pb2 as pb

_SIDES = {pb.SOCKER_SIDE_SOUTH: Side.SOUTH, pb.SOCKER_SIDE_NORTH: Side.NORTH}
_SIDES_OUT = {side: number for number, side in _SIDES.items()}
_PHASES = {
    pb.SOCKER_PHASE_TOSS: Phase.TOSS,
    pb.SOCKER_PHASE_SETUP: Phase.SETUP,
    pb.SOCKER_PHASE_TURN: Phase.TURN,
    pb.SOCKER_PHASE_RECENTRE: Phase.RECENTRE,
    pb.SOCKER_PHASE_OVER: Phase.OVER,
}


def act_from(message: pb.SockerAction) -> SockerAct | UnknownAct:
    """Read an action."""
    match message.WhichOneof("action"):
        case "place":
            return SockerAct(Kind.PLACE, target=_cell(message.place.cell))
        case "move":
            return SockerAct(Kind.MOVE, _cell(message.move.origin), _cell(message.move.to))
        case "kick":
            kick = message.kick
            return SockerAct(Kind.KICK, _cell(kick.origin), _cell(kick.ball))
        case "sock":
            sock = message.sock
            return SockerAct(Kind.SOCK, _cell(sock.origin), _cell(sock.target))
        case "recentre":
            return SockerAct(Kind.RECENTRE, target=_cell(message.recentre.cell))
        case "end_turn":
            return SockerAct(Kind.END_TURN)
        case "pass_turn":
            return SockerAct(Kind.PASS)
        case "toss":
            winner = _SIDES.get(message.toss.winner, Side.UNKNOWN)
            return SockerAct(Kind.TOSS, toss_winner=winner)
        case _:
            return UnknownAct()


def act_to(act: SockerAct) -> pb.SockerAction:
    """Write an action."""
    origin, target = _cell_to(act.origin), _cell_to(act.target)
    match act.kind:
        case Kind.PLACE:
            return pb.SockerAction(place=pb.SockerPlace(cell=target))
        case Kind.MOVE:
            return pb.SockerAction(move=pb.SockerMove(origin=origin, to=target))
        case Kind.KICK:
            return pb.SockerAction(kick=pb.SockerKick(origin=origin, ball=target))
        case Kind.SOCK:
            return pb.SockerAction(sock=pb.SockerSock(origin=origin, target=target))
        case Kind.RECENTRE:
            return pb.SockerAction(recentre=pb.SockerRecentre(cell=target))
        case Kind.END_TURN:
            return pb.SockerAction(end_turn=pb.SockerEndTurn())
        case Kind.PASS:
            return pb.SockerAction(pass_turn=pb.SockerPass())
        case Kind.TOSS:
            winner = _SIDES_OUT.get(act.toss_winner, pb.SOCKER_SIDE_UNSPECIFIED)
            return pb.SockerAction(toss=pb.SockerToss(winner=winner))


def view_from(message: pb.SockerObservation) -> SockerView | UnknownView:
    """Read what a seat sees; unknown when a socker or the ball is off the board we know."""
    pieces = tuple(
        Piece(_SIDES.get(piece.side, Side.UNKNOWN), _cell(piece.cell), piece.lying)
        for piece in message.pieces
    )
    ball = _cell(message.ball) if message.HasField("ball") else None
    cells = [piece.cell for piece in pieces] + ([ball] if ball else [])
    if not all(map(on_board, cells)):
        return UnknownView()
    return SockerView(
        pieces=pieces,
        ball=ball,
        phase=_PHASES.get(message.phase, Phase.UNKNOWN),
        turn=_SIDES.get(message.turn, Side.UNKNOWN),
        actions_left=message.actions_left,
        edge_limit=message.edge_limit if message.HasField("edge_limit") else None,
        goals=(message.south_goals, message.north_goals),
        sudden_death=message.sudden_death,
        position=message.position,
    )


def _cell(message: pb.Cell) -> Cell:
    return (message.column, message.row)


def _cell_to(cell: Cell | None) -> pb.Cell | None:
    return None if cell is None else pb.Cell(column=cell[0], row=cell[1])
