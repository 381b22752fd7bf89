"""Whom matchmaking should call. Each method reads: parse, call, convert, return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from oddsocks.rules.v1 import calls_internal_service_pb2 as pb
from oddsocks.rules.v1.calls_internal_service_pb2_grpc import CallsInternalServiceServicer
from services.common.auth import require_service
from services.common.errors import invalid_field
from services.common.interceptors import Context
from services.rules import convert
from services.rules.matches import Matches
from services.rules.players_servicer import MATCHMAKING
from services.rules.store.calls import Call, CallsSql
from services.rules.watchers import LAPSE_MS

MOST: Final = 500


@dataclass(frozen=True, slots=True)
class CallsServicer(CallsInternalServiceServicer):
    """See calls_internal_service.proto."""

    calls: CallsSql
    matches: Matches

    async def ListCalls(
        self, request: pb.ListCallsRequest, context: Context
    ) -> pb.ListCallsResponse:
        """Who has not heard of it."""
        require_service(MATCHMAKING)
        size = convert.read_page_size(request.page_size)
        found = await self.calls.short(await self.matches.served_ms(), size)
        if len(found) < size:
            found += await self.calls.turns(size - len(found))
        return pb.ListCallsResponse(calls=map(_to_message, found))

    async def AckCalls(self, request: pb.AckCallsRequest, context: Context) -> pb.AckCallsResponse:
        """Matchmaking has them."""
        require_service(MATCHMAKING)
        await self.calls.ack(_read(request.calls))
        return pb.AckCallsResponse()

    async def CheckCalls(
        self, request: pb.CheckCallsRequest, context: Context
    ) -> pb.CheckCallsResponse:
        """How they stand."""
        require_service(MATCHMAKING)
        calls = _read(request.calls)
        ids = {call.match_id for call in calls}
        standing = await self.calls.standing(ids)
        looking = await self.calls.present(ids, self.matches.clock() - LAPSE_MS)
        states = []
        for call in calls:
            if standing.get(call.match_id) != (call.player_id, call.turn_revision):
                states.append(pb.CALL_STATE_LAPSED)
            elif (call.match_id, call.player_id) in looking:
                states.append(pb.CALL_STATE_SEEN)
            else:
                states.append(pb.CALL_STATE_STANDS)
        return pb.CheckCallsResponse(states=states)


def _to_message(call: Call) -> pb.Call:
    kind = pb.CALL_KIND_TURN if call.short_ms is None else pb.CALL_KIND_SHORT
    return pb.Call(
        match_id=call.match_id,
        player_id=call.player_id,
        kind=kind,
        turn_revision=call.turn_revision,
        short_ms=call.short_ms or 0,
    )


def _read(calls: Sequence[pb.Call]) -> list[Call]:
    if len(calls) > MOST:
        raise invalid_field("calls", f"must be at most {MOST}")
    return [
        Call(
            convert.read_match_id(call.match_id),
            convert.read_text(call.player_id, "player_id", convert.MAX_ID),
            convert.read_revision(call.turn_revision, "turn_revision"),
            convert.read_revision(call.short_ms, "short_ms")
            if call.kind == pb.CALL_KIND_SHORT
            else None,
        )
        for call in calls
    ]
