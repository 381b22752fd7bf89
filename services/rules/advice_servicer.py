"""What the ai service asks for a person who wants advice: decided as if the person asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import advice_internal_service_pb2 as pb
from oddsocks.rules.v1.advice_internal_service_pb2_grpc import AdviceInternalServiceServicer
from services.common.auth import Kind, Principal, TokenVerifier, require_service
from services.common.errors import RefusedError
from services.common.interceptors import Context
from services.rules import convert
from services.rules.access import AI, known, seats_to_see
from services.rules.match import check_turn
from services.rules.matches import Matches
from services.rules.refusals import match_running

HINTS: Final = "hints"


@dataclass(frozen=True, slots=True)
class AdviceServicer(AdviceInternalServiceServicer):
    """See advice_internal_service.proto."""

    matches: Matches
    tokens: TokenVerifier

    async def GetKnowledge(
        self, request: pb.GetKnowledgeRequest, context: Context
    ) -> pb.GetKnowledgeResponse:
        """What the person's seat knows, if it is to act and the table has hints."""
        person = self._person(request.player_id, request.generation)
        info = known(await self.matches.info(convert.read_match_id(request.match_id)), person)
        position = await self.matches.current(info)
        seats_to_see(info, position, person, (request.seat,))
        if not info.rules.hints:
            reason = ErrorReason.ERROR_REASON_TABLE_FORBIDS
            raise RefusedError(reason, "this table has no hints", rule=HINTS)
        revision = convert.read_revision(request.revision, "revision")
        check_turn(info, position, request.seat, revision, by_agent=False)
        game = info.ruleset
        text = game.format_information(game.information(position.state, request.seat))
        return pb.GetKnowledgeResponse(game=game.game, information=text)

    async def CheckFinished(
        self, request: pb.CheckFinishedRequest, context: Context
    ) -> pb.CheckFinishedResponse:
        """Whether all of the match may be known to the person by now."""
        person = self._person(request.player_id, request.generation)
        info = known(await self.matches.info(convert.read_match_id(request.match_id)), person)
        if (await self.matches.current(info)).outcome is None:
            raise match_running()
        return pb.CheckFinishedResponse(game=info.ruleset.game, seats=len(info.seats))

    def _person(self, player_id: str, generation: int) -> Principal:
        require_service(AI)
        person = Principal(Kind.PLAYER, player_id, generation)
        self.tokens.check_not_ended(person)
        return person
