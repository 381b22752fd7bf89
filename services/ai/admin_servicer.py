"""What operators may do about agents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from oddsocks.ai.v1 import admin_internal_service_pb2 as pb
from oddsocks.ai.v1.admin_internal_service_pb2_grpc import AdminInternalServiceServicer
from services.ai.store import Dispatches
from services.common.auth import require_service
from services.common.errors import invalid_field
from services.common.interceptors import Context

ADMIN: Final = "admin"
"""Whoever runs the command for operators."""


@dataclass(slots=True)
class AdminServicer(AdminInternalServiceServicer):
    """See admin_internal_service.proto."""

    dispatches: Dispatches
    wake: Callable[[], None] = lambda: None

    async def Requeue(self, request: pb.RequeueRequest, context: Context) -> pb.RequeueResponse:
        """Ask a worker again."""
        require_service(ADMIN)
        if not 1 <= len(request.match_id) <= 64:
            raise invalid_field("match_id", "must have 1 to 64 characters")
        seats = await self.dispatches.forget(request.match_id)
        self.wake()
        return pb.RequeueResponse(seats=seats)
