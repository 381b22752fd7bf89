"""The public service. Each method reads: parse, call, convert, return."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from oddsocks.rules.v1 import rules_service_pb2 as pb
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceServicer
from services.common.auth import caller
from services.common.interceptors import Context
from services.engine.core import Seat
from services.engine.core.registry import game_names, ruleset
from services.rules import convert
from services.rules.access import seat_to_act, seats_to_see
from services.rules.match import MatchInfo
from services.rules.matches import Matches
from services.rules.paging import Pages
from services.rules.store import Request
from services.rules.watch import Watching
from services.wire.options import game_to_message

_Seen: TypeAlias = tuple[MatchInfo, tuple[Seat, ...]]


@dataclass(frozen=True, slots=True)
class RulesServicer(RulesServiceServicer):
    """See rules_service.proto."""

    matches: Matches
    watching: Watching
    pages: Pages

    async def ListGames(
        self, request: pb.ListGamesRequest, context: Context
    ) -> pb.ListGamesResponse:
        """The shelf."""
        return pb.ListGamesResponse(games=[game_to_message(ruleset(name)) for name in game_names()])

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        """A match as it stands now."""
        info, seats = await self._look(request.match_id, request.seats)
        position = await self.matches.current(info)
        return pb.GetMatchResponse(match=convert.match_to_message(info, position, seats))

    async def ListLegalActions(
        self, request: pb.ListLegalActionsRequest, context: Context
    ) -> pb.ListLegalActionsResponse:
        """What one seat may do now."""
        info, _ = await self._look(request.match_id, (request.seat,))
        position = await self.matches.current(info)
        return pb.ListLegalActionsResponse(
            revision=position.revision,
            actions=convert.legal_actions_to_messages(info, position, request.seat),
        )

    async def SubmitAction(
        self, request: pb.SubmitActionRequest, context: Context
    ) -> pb.SubmitActionResponse:
        """Once, whatever is retried."""
        found = await self.matches.info(convert.read_match_id(request.match_id))
        info, account = seat_to_act(found, caller(), request.seat)
        request_id = convert.read_text(request.request_id, "request_id", convert.MAX_ID)
        reply = await self.matches.submit(
            info,
            convert.read_move(info, request),
            Request(account, request_id),
            _reply,
            first_counts=info.seats[request.seat].agent is not None,
        )
        return pb.SubmitActionResponse.FromString(reply)

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """Events, the match, heartbeats, the end."""
        info, seats = await self._look(request.match_id, request.seats)
        async for update in self.watching.follow(info, request.from_revision):
            yield convert.update_to_message(info, update, seats, self.matches.clock())

    async def ListEvents(
        self, request: pb.ListEventsRequest, context: Context
    ) -> pb.ListEventsResponse:
        """A page of the history."""
        info, seats = await self._look(request.match_id, request.seats)
        size = convert.read_page_size(request.page_size)
        listing = f"events {info.match_id} {seats}"
        place = self.pages.read(listing, request.page_token)
        start = 0 if place is None else place[0]
        events = await self.matches.store.events(info.match_id, start, size + 1)
        page = events[:size]
        more = len(events) > size
        return pb.ListEventsResponse(
            events=[convert.event_to_message(info, event, seats) for event in page],
            next_page_token=self.pages.token(listing, start + size) if more else "",
        )

    async def _look(self, match_id: str, asked: Sequence[Seat]) -> _Seen:
        info = await self.matches.info(convert.read_match_id(match_id))
        return seats_to_see(info, caller(), asked)


def _reply(applied: int, revision: int) -> bytes:
    reply = pb.SubmitActionResponse(applied_revision=applied, revision=revision)
    return reply.SerializeToString(deterministic=True)
