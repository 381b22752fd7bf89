"""What workers ask about hints and reviews. Each method reads: parse, call, return."""

from __future__ import annotations

from dataclasses import dataclass

from oddsocks.ai.v1 import jobs_internal_service_pb2 as pb
from oddsocks.ai.v1.jobs_internal_service_pb2_grpc import JobsInternalServiceServicer
from services.advice.review import Part
from services.ai.advice.hints import Hints
from services.ai.advice.reviews import Reviews
from services.ai.answers import SERVICE
from services.common.auth import require_service
from services.common.errors import invalid_field
from services.common.interceptors import Context


@dataclass(frozen=True, slots=True)
class JobsServicer(JobsInternalServiceServicer):
    """See jobs_internal_service.proto."""

    hints: Hints
    reviews: Reviews

    async def TakeHint(self, request: pb.TakeHintRequest, context: Context) -> pb.TakeHintResponse:
        """What a seat knows that a hint is wanted for."""
        require_service(SERVICE)
        known = self.hints.question(request.hint_id)
        return pb.TakeHintResponse(game=known.game, information=known.information)

    async def FinishHint(
        self, request: pb.FinishHintRequest, context: Context
    ) -> pb.FinishHintResponse:
        """A worker's answer."""
        require_service(SERVICE)
        if not request.hint.HasField("action"):
            raise invalid_field("hint.action", "must be there")
        self.hints.finish(request.hint_id, request.hint)
        return pb.FinishHintResponse()

    async def TakeReviewPart(
        self, request: pb.TakeReviewPartRequest, context: Context
    ) -> pb.TakeReviewPartResponse:
        """What a part of a review is about."""
        require_service(SERVICE)
        return await self.reviews.part(request.review_id, request.start)

    async def FinishReviewPart(
        self, request: pb.FinishReviewPartRequest, context: Context
    ) -> pb.FinishReviewPartResponse:
        """A worker's part."""
        require_service(SERVICE)
        strayed = tuple(request.strayed)
        part = Part(request.next, request.total, request.part, strayed, request.quiet_steps)
        await self.reviews.finish(request.review_id, request.start, part)
        return pb.FinishReviewPartResponse()
