"""What operators may know of matches. Each method reads: parse, call, convert, return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import admin_internal_service_pb2 as pb
from oddsocks.rules.v1.admin_internal_service_pb2_grpc import AdminInternalServiceServicer
from services.common.auth import require_service
from services.common.interceptors import Context
from services.rules import convert
from services.rules.matches import Matches
from services.rules.refusals import match_not_found
from services.rules.store.counts import CountsSql

ADMIN: Final = "admin"
"""Whoever runs the command for operators."""


@dataclass(frozen=True, slots=True)
class AdminServicer(AdminInternalServiceServicer):
    """See admin_internal_service.proto."""

    matches: Matches
    counts: CountsSql

    async def DescribeMatch(
        self, request: pb.DescribeMatchRequest, context: Context
    ) -> pb.DescribeMatchResponse:
        """A match from outside."""
        require_service(ADMIN)
        info = await self.matches.info(convert.read_match_id(request.match_id))
        if info is None:
            raise match_not_found()
        position = await self.matches.current(info)
        head = await self.matches.store.head(info.match_id)
        return pb.DescribeMatchResponse(
            summary=convert.head_to_message(head, self.matches.time()),
            game=info.ruleset.game,
            pace=play_pb2.Pace.ValueType(info.pace),
            host_player_id=info.host_player_id,
            seats=[
                pb.DescribedSeat(
                    seat=seat,
                    player_id=who.player_id or "",
                    agent=info.agent_of(position, seat) or "",
                )
                for seat, who in enumerate(info.seats)
            ],
        )

    async def CountMatches(
        self, request: pb.CountMatchesRequest, context: Context
    ) -> pb.CountMatchesResponse:
        """How many there are."""
        require_service(ADMIN)
        running, finished, waiting = await self.counts.matches()
        return pb.CountMatchesResponse(
            running=running, finished=finished, waiting_for_agents=waiting
        )
