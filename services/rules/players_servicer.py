"""What matchmaking tells rules of players. Each method reads: parse, call, convert, return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from oddsocks.rules.v1 import players_internal_service_pb2 as pb
from oddsocks.rules.v1.players_internal_service_pb2_grpc import PlayersInternalServiceServicer
from services.common.auth import require_service
from services.common.interceptors import Context
from services.rules import convert
from services.rules.players import Players

MATCHMAKING: Final = "matchmaking"
"""The service that knows accounts."""


@dataclass(frozen=True, slots=True)
class PlayersServicer(PlayersInternalServiceServicer):
    """See players_internal_service.proto."""

    players: Players

    async def EndSessions(
        self, request: pb.EndSessionsRequest, context: Context
    ) -> pb.EndSessionsResponse:
        """Signed out everywhere."""
        require_service(MATCHMAKING)
        player_id = convert.read_text(request.player_id, "player_id", convert.MAX_ID)
        generation = convert.read_revision(request.generation, "generation")
        await self.players.end_sessions(player_id, generation)
        return pb.EndSessionsResponse()

    async def ForgetPlayer(
        self, request: pb.ForgetPlayerRequest, context: Context
    ) -> pb.ForgetPlayerResponse:
        """Account deleted."""
        require_service(MATCHMAKING)
        player_id = convert.read_text(request.player_id, "player_id", convert.MAX_ID)
        generation = convert.read_revision(request.generation, "generation")
        name = convert.read_text(request.display_name, "display_name", convert.MAX_NAME)
        await self.players.forget(player_id, generation, name)
        return pb.ForgetPlayerResponse()
