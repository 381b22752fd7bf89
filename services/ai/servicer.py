"""The public face: which agents there are, and what they advise."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from oddsocks.ai.v1 import ai_service_pb2 as pb
from oddsocks.ai.v1.ai_service_pb2_grpc import AiServiceServicer
from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.ai.advice.hints import Hints
from services.ai.advice.reviews import Reviews
from services.ai.plan import Key
from services.common.auth import caller
from services.common.errors import RefusedError, invalid_field
from services.common.interceptors import Context
from services.engine.agents import agents_for
from services.engine.core.registry import game_names

MAX_ID: Final = 64


@dataclass(frozen=True, slots=True)
class AiServicer(AiServiceServicer):
    """See ai_service.proto."""

    hints: Hints
    reviews: Reviews

    async def ListAgents(
        self, request: pb.ListAgentsRequest, context: Context
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

    async def SuggestAction(
        self, request: pb.SuggestActionRequest, context: Context
    ) -> pb.SuggestActionResponse:
        """A hint for a person's seat that is to act."""
        if request.revision < 0:
            raise invalid_field("revision", "must be 0 or more")
        key = Key(_read_match_id(request.match_id), request.seat, request.revision)
        hint, used = await self.hints.give(caller(), key)
        return pb.SuggestActionResponse(hint=hint, hints_used=used)

    async def ReviewMatch(
        self, request: pb.ReviewMatchRequest, context: Context
    ) -> AsyncIterator[pb.ReviewMatchResponse]:
        """A finished match, looked through with the eyes of a seat."""
        match_id = _read_match_id(request.match_id)
        async for update in self.reviews.follow(caller(), match_id, request.seat):
            yield update


def _read_match_id(text: str) -> str:
    """An id that rules may be asked about; anything longer is simply not found."""
    if not text or len(text) > MAX_ID:
        raise RefusedError(ErrorReason.ERROR_REASON_MATCH_NOT_FOUND, "no such match")
    return text
