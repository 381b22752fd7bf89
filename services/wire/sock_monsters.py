"""Sock Monsters' typed contract: what seats see, between engine and protobuf."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

from oddsocks.play.v1 import sock_monsters_pb2 as pb
from services.engine.games.sock_monsters import RULESET
from services.engine.games.sock_monsters.model import (
    Colour,
    Observation,
    Phase,
    PhaseKind,
    SeenTile,
    Shown,
    Sock,
    Table,
)
from services.wire.codec import Codec
from services.wire.sock_monsters_actions import action_from_message, action_to_message
from services.wire.sock_monsters_words import (
    COLOURS,
    MOTIFS,
    PHASES,
    SOCKS,
    THENS,
    write_cell,
    write_tile,
)

_Thing = TypeVar("_Thing")

_COUNTS_MOVES: Final = (PhaseKind.MOVE, PhaseKind.EYE, PhaseKind.OPEN)


def observation_to_message(seen: Observation) -> pb.SockMonstersObservation:
    """What one seat, or a spectator, sees, as a message."""
    table = seen.table
    return pb.SockMonstersObservation(
        viewer=seen.viewer,
        tiles=map(_tile, seen.tiles),
        monsters=[_monster(table, colour) for colour in Colour],
        players=[_player(table, seat) for seat in range(table.seats)],
        bag=[
            pb.SockMonstersBagged(sock=SOCKS[sock], count=table.bag[sock])
            for sock in Sock
            if table.bag[sock]
        ],
        round=table.round,
        turn=table.turn,
        first_player=table.first,
        shown=None if table.shown is None else _shown(table.shown),
        phase=_phase(table.phase),
        position=RULESET.format_observation(seen),
    )


def observation_from_message(message: pb.SockMonstersObservation) -> Observation:
    """The observation a message holds; raises `InvalidNotation`."""
    return RULESET.parse_observation(message.position)


def _tile(tile: SeenTile) -> pb.SockMonstersTile:
    return pb.SockMonstersTile(
        cell=write_cell(tile.cell),
        face_up=tile.face_up,
        type=None if tile.type is None else write_tile(tile.type),
    )


def _monster(table: Table, colour: Colour) -> pb.SockMonstersMonster:
    return pb.SockMonstersMonster(
        colour=COLOURS[colour],
        cell=write_cell(table.monsters[colour]),
        lair=[SOCKS[sock] for sock in table.lairs[colour]],
    )


def _player(table: Table, seat: int) -> pb.SockMonstersPlayer:
    pawn = table.pawns[seat]
    return pb.SockMonstersPlayer(
        seat=seat,
        pawn=None if pawn is None else write_cell(pawn),
        tokens=[MOTIFS[motif] for motif in table.tokens[seat]],
        socks=[SOCKS[sock] for sock in table.socks[seat]],
        pairs=[
            pb.SockMonstersPair(first=SOCKS[first], second=SOCKS[second])
            for first, second in table.pairs[seat]
        ],
    )


def _shown(shown: Shown) -> pb.SockMonstersShown:
    return pb.SockMonstersShown(cell=write_cell(shown.cell), peeker=shown.peeker)


def _phase(phase: Phase) -> pb.SockMonstersPhase:
    return pb.SockMonstersPhase(
        kind=PHASES[phase.kind],
        seat=phase.seat,
        monster=_or_unspecified(COLOURS, phase.monster),
        moves_made=phase.count if phase.kind in _COUNTS_MOVES else 0,
        socks_to_draw=phase.count if phase.kind == PhaseKind.DRAW else 0,
        throws_left=phase.throws,
        then=_or_unspecified(THENS, phase.then),
        then_seat=phase.then_seat,
    )


def _or_unspecified(numbers: Mapping[_Thing, Any], thing: _Thing | None) -> Any:
    return 0 if thing is None else numbers[thing]


CODEC: Final = Codec(
    write_action=action_to_message,
    read_action=action_from_message,
    write_observation=observation_to_message,
    read_observation=observation_from_message,
)
