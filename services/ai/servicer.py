"""The public face: which agents there are."""

from __future__ import annotations

from typing import Any

import grpc

from oddsocks.ai.v1 import ai_service_pb2 as pb
from oddsocks.ai.v1.ai_service_pb2_grpc import AiServiceServicer
from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.engine.agents import agents_for
from services.engine.core.registry import game_names


class AiServicer(AiServiceServicer):
    """Lists agents."""

    async def ListAgents(
        self, request: pb.ListAgentsRequest, _context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.ListAgentsResponse:
        """The agents of a game, or of all, kindest first; GAME_NOT_FOUND."""
        if request.game and request.game not in game_names():
            raise RefusedError(
                ErrorReason.ERROR_REASON_GAME_NOT_FOUND, f"no game '{request.game[:40]}'"
            )
        return pb.ListAgentsResponse(
            agents=[
                play_pb2.Agent(name=name, game=game, level=level)
                for game in ([request.game] if request.game else game_names())
                for name, level in agents_for(game).items()
            ]
        )
