"""A stand-in for the part of the ai service that workers ask about hints and reviews."""
# ruff: noqa: N802 (the contract's names)

from __future__ import annotations

import asyncio
from typing import Any

from oddsocks.ai.v1 import jobs_internal_service_pb2 as pb
from oddsocks.ai.v1.jobs_internal_service_pb2_grpc import JobsInternalServiceServicer
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError


class Desk(JobsInternalServiceServicer):
    """Hands out nothing: every job is unknown, after `slow_s` seconds."""

    def __init__(self) -> None:
        self.slow_s = 0.0
        self.taken: list[str] = []
        self.finished: list[Any] = []

    async def TakeHint(self, request: Any, _context: Any) -> Any:
        return await self._unknown(request.hint_id)

    async def TakeReviewPart(self, request: Any, _context: Any) -> Any:
        return await self._unknown(request.review_id)

    async def FinishHint(self, request: Any, _context: Any) -> pb.FinishHintResponse:
        self.finished.append(request)
        return pb.FinishHintResponse()

    async def FinishReviewPart(self, request: Any, _context: Any) -> pb.FinishReviewPartResponse:
        self.finished.append(request)
        return pb.FinishReviewPartResponse()

    async def _unknown(self, job_id: str) -> Any:
        self.taken.append(job_id)
        await asyncio.sleep(self.slow_s)
        raise RefusedError(ErrorReason.ERROR_REASON_JOB_NOT_FOUND, "nobody waits for this")
