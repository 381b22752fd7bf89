"""The public service. Each method reads: parse, call, convert, return."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TypeAlias

from oddsocks.rules.v1 import rules_service_pb2 as pb
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceServicer
from services.common.auth import Kind, caller
from services.common.interceptors import Context
from services.engine.core import SPECTATOR, Seat
from services.engine.core.registry import game_names, ruleset
from services.rules import convert, export
from services.rules.absence import ComeBack, Vacation, Wanted
from services.rules.access import Actor, actor_for, known, person_for, seats_to_see
from services.rules.match import MatchInfo, Position
from services.rules.matches import Matches
from services.rules.paging import Pages
from services.rules.refusals import match_running
from services.rules.store import Request
from services.rules.watch import Watching
from services.rules.wishes import Answer, AskTakeback, OfferEnd, Resign, Undo
from services.wire.options import game_to_message

_Seen: TypeAlias = tuple[MatchInfo, Position, tuple[Seat, ...]]


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
        info, position, seats = await self._look(request.match_id, request.seats)
        time, watchers = self.matches.time(), self.watching.watchers.count(info.match_id)
        return pb.GetMatchResponse(
            match=convert.match_to_message(info, position, seats, time, watchers)
        )

    async def ListLegalActions(
        self, request: pb.ListLegalActionsRequest, context: Context
    ) -> pb.ListLegalActionsResponse:
        """What one seat may do now."""
        info, position, _ = await self._look(request.match_id, (request.seat,))
        return pb.ListLegalActionsResponse(
            revision=position.revision,
            actions=convert.legal_actions_to_view(info, position, request.seat).legal_actions,
        )

    async def SubmitAction(
        self, request: pb.SubmitActionRequest, context: Context
    ) -> pb.SubmitActionResponse:
        """Once, whatever is retried."""
        info = await self._find(request.match_id)
        actor = actor_for(info, caller(), request.seat)
        request_id = convert.read_request_id(request.request_id)
        move = convert.read_move(info, request, by_agent=actor.is_agent)
        reply = await self._submit(info, actor, request_id, move)
        return pb.SubmitActionResponse.FromString(reply)

    async def UndoAction(
        self, request: pb.UndoActionRequest, context: Context
    ) -> pb.UndoActionResponse:
        """Back to before one's own last action."""
        revision = convert.read_revision(request.expected_revision, "expected_revision")
        reply = await self._wish(request, Undo(request.seat, revision))
        return pb.UndoActionResponse.FromString(reply)

    async def AskTakeback(
        self, request: pb.AskTakebackRequest, context: Context
    ) -> pb.AskTakebackResponse:
        """Ask the others for it."""
        revision = convert.read_revision(request.expected_revision, "expected_revision")
        reply = await self._wish(request, AskTakeback(request.seat, revision))
        return pb.AskTakebackResponse.FromString(reply)

    async def OfferEnd(self, request: pb.OfferEndRequest, context: Context) -> pb.OfferEndResponse:
        """Ask the others to end it."""
        reply = await self._wish(request, OfferEnd(request.seat))
        return pb.OfferEndResponse.FromString(reply)

    async def AnswerAsk(
        self, request: pb.AnswerAskRequest, context: Context
    ) -> pb.AnswerAskResponse:
        """Yes or no to what is asked."""
        revision = convert.read_revision(request.ask_revision, "ask_revision")
        reply = await self._wish(request, Answer(request.seat, revision, request.agree))
        return pb.AnswerAskResponse.FromString(reply)

    async def Resign(self, request: pb.ResignRequest, context: Context) -> pb.ResignResponse:
        """Give a seat up."""
        reply = await self._wish(request, Resign(request.seat))
        return pb.ResignResponse.FromString(reply)

    async def TakeSeatBack(
        self, request: pb.TakeSeatBackRequest, context: Context
    ) -> pb.TakeSeatBackResponse:
        """Play oneself again, instead of a sitter."""
        reply = await self._wish(request, ComeBack(request.seat))
        return pb.TakeSeatBackResponse.FromString(reply)

    async def SetVacation(
        self, request: pb.SetVacationRequest, context: Context
    ) -> pb.SetVacationResponse:
        """Go on vacation, or come back from it."""
        reply = await self._wish(request, Vacation(request.seat, convert.read_days(request.days)))
        return pb.SetVacationResponse.FromString(reply)

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """Events, the match, heartbeats, the end."""
        info, _, seats = await self._look(request.match_id, request.seats)
        who, asked, watchers = caller(), tuple(request.seats), self.watching.watchers
        async with AsyncExitStack() as counted:
            if who.kind is Kind.PLAYER and SPECTATOR not in seats:
                present = self.watching.present.watching(info.match_id, who.id)
                await counted.enter_async_context(present)
            if SPECTATOR in seats:
                await counted.enter_async_context(watchers.watching(info.match_id, who.id))
            async for position, update in self.watching.follow(info, request.from_revision):
                # Anew each time: a seat that was given up meanwhile is its holder's no longer.
                before, seats = seats, seats_to_see(info, position, who, asked)
                if SPECTATOR in seats and SPECTATOR not in before:
                    await counted.enter_async_context(watchers.watching(info.match_id, who.id))
                if isinstance(update, Position):  # a name may have been forgotten since
                    info = known(await self.matches.info(info.match_id), who)
                count = watchers.count(info.match_id)
                yield convert.update_to_message(info, update, seats, self.matches.time(), count)

    async def ListEvents(
        self, request: pb.ListEventsRequest, context: Context
    ) -> pb.ListEventsResponse:
        """A page of the history."""
        info, _, seats = await self._look(request.match_id, request.seats)
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

    async def GetPly(self, request: pb.GetPlyRequest, context: Context) -> pb.GetPlyResponse:
        """A match as it stood."""
        info, position, seats = await self._look(request.match_id, request.seats)
        revision = convert.read_ply(request.revision, position.revision)
        then = await self.matches.history.at(info, revision)
        return pb.GetPlyResponse(match=convert.ply_to_message(info, then, seats))

    async def ExportMatch(
        self, request: pb.ExportMatchRequest, context: Context
    ) -> AsyncIterator[pb.ExportMatchResponse]:
        """The whole of a finished match."""
        info = await self._find(request.match_id)
        position = await self.matches.current(info)
        if position.outcome is None:
            raise match_running()
        yield pb.ExportMatchResponse(part=export.first_part(info))
        async for events in self.matches.history.pages(info, position.revision):
            yield pb.ExportMatchResponse(part=export.events_part(events))
        yield pb.ExportMatchResponse(part=export.last_part(position.outcome))

    async def _find(self, match_id: str) -> MatchInfo:
        return known(await self.matches.info(convert.read_match_id(match_id)), caller())

    async def _look(self, match_id: str, asked: Sequence[Seat]) -> _Seen:
        info = await self._find(match_id)
        position = await self.matches.current(info)
        return info, position, seats_to_see(info, position, caller(), asked)

    async def _wish(self, request: convert.Wished, wish: Wanted) -> bytes:
        """Do what a person asks for, once."""
        info = await self._find(request.match_id)
        actor = person_for(info, caller(), request.seat)
        return await self._submit(info, actor, convert.read_request_id(request.request_id), wish)

    async def _submit(self, info: MatchInfo, actor: Actor, request_id: str, wish: Wanted) -> bytes:
        request = Request(actor.account, request_id)
        return await self.matches.submit(info, wish, request, _reply, first_counts=actor.is_agent)


def _reply(applied: int, revision: int) -> bytes:
    """The reply of every method that changes a match: their responses have the same fields."""
    reply = pb.SubmitActionResponse(applied_revision=applied, revision=revision)
    return reply.SerializeToString(deterministic=True)
