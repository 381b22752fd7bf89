"""The services over gRPC (grpclib), as a gateway. Imports no Kivy."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from app.model.advice import Hint, Reviewing
from app.model.gateway import Refused
from app.model.terms import (
    USUAL,
    Answer,
    AskTakeback,
    OfferEnd,
    Resign,
    TakeSeatBack,
    Terms,
    Undo,
    Vacation,
    Wish,
)
from app.model.values import (
    Act,
    Agent,
    Applied,
    Event,
    Match,
    MyMatch,
    SeatRequest,
    Table,
    Update,
)
from app.net import convert, convert_advice, convert_terms
from app.net.errors import translated
from app.net.remote_finding import FindingCalls
from app.net.remote_people import PeopleCalls
from oddsocks.ai.v1 import ai_service_pb2 as ai
from oddsocks.ai.v1.ai_service_grpc import AiServiceStub
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.rules.v1 import rules_service_pb2 as rules
from services.engine.core.options import OptionValue

EXPORT_TIMEOUT_S = 30.0
HINT_TIMEOUT_S = 15.0
"""The service takes up to 12 s."""
LARGEST_RECORD = 8_000_000
"""Characters; a long match has some hundred thousand."""
PAGE_SIZE = 200
MATCHES_A_PAGE = 100
MATCH_PAGES = 3
"""Of the player's matches the newest are listed; nobody scrolls through more."""
MOST_PAGES = 100
"""A list that never ends is a fault of the server, not a reason to loop for ever."""


class RemoteGateway(PeopleCalls, FindingCalls):
    """An `Online` gateway to running services. Create it, and use it, on one event loop."""

    # --- players and tables ---------------------------------------------------------------

    async def list_agents(self, game: str) -> tuple[Agent, ...]:
        request = ai.ListAgentsRequest(game=game)
        return convert.agents(await self._call(self._ai.ListAgents, request))

    async def open_table(
        self,
        request_id: str,
        game: str,
        seats: Sequence[SeatRequest],
        options: Mapping[str, OptionValue],
        terms: Terms = USUAL,
        *,
        listed: bool = False,
    ) -> Table:
        request = mm.OpenTableRequest(
            request_id=request_id,
            game=game,
            options=convert.options_to(options),
            seats=[convert.seat_request(wish) for wish in seats],
            rules=convert_terms.terms_to(terms),
            listed=listed,
        )
        return convert.table((await self._call(self._tables.OpenTable, request)).table)

    async def get_table(self, table_id: str) -> Table:
        request = mm.GetTableRequest(table_id=table_id)
        return convert.table((await self._call(self._tables.GetTable, request)).table)

    async def join_table(self, request_id: str, invitation_code: str) -> Table:
        request = mm.JoinTableRequest(request_id=request_id, invitation_code=invitation_code)
        return convert.table((await self._call(self._tables.JoinTable, request)).table)

    async def leave_table(self, table_id: str) -> None:
        await self._call(self._tables.LeaveTable, mm.LeaveTableRequest(table_id=table_id))

    async def rematch(self, request_id: str, match_id: str) -> Table:
        request = mm.RematchRequest(request_id=request_id, match_id=match_id)
        return convert.table((await self._call(self._tables.Rematch, request)).table)

    async def list_my_matches(self) -> tuple[MyMatch, ...]:
        matches: list[MyMatch] = []
        request = mm.ListMyMatchesRequest(page_size=MATCHES_A_PAGE)
        for _ in range(MATCH_PAGES):
            page = await self._call(self._tables.ListMyMatches, request)
            matches += map(convert.my_match, page.matches)
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
        return tuple(matches)

    # --- matches --------------------------------------------------------------------------

    async def get_match(self, match_id: str) -> Match:
        request = rules.GetMatchRequest(match_id=match_id)
        return convert.match((await self._call(self._rules.GetMatch, request)).match)

    async def get_ply(self, match_id: str, revision: int) -> Match:
        request = rules.GetPlyRequest(match_id=match_id, revision=revision)
        return convert.match((await self._call(self._rules.GetPly, request)).match)

    async def submit_action(
        self, match_id: str, seat: int, request_id: str, expected_revision: int, act: Act
    ) -> Applied:
        request = rules.SubmitActionRequest(
            match_id=match_id,
            seat=seat,
            request_id=request_id,
            expected_revision=expected_revision,
            action=convert.act_to(act),
        )
        response = await self._call(self._rules.SubmitAction, request)
        return Applied(response.applied_revision, response.revision)

    async def list_events(self, match_id: str) -> tuple[Event, ...]:
        events: list[Event] = []
        request = rules.ListEventsRequest(match_id=match_id, page_size=PAGE_SIZE)
        for _ in range(MOST_PAGES):
            page = await self._call(self._rules.ListEvents, request)
            events += map(convert.event, page.events)
            if not page.next_page_token:
                return tuple(events)
            request.page_token = page.next_page_token
        raise Refused("TOO_LARGE", f"more than {MOST_PAGES} pages of events", {})

    async def export_match(self, match_id: str) -> str:
        request = rules.ExportMatchRequest(match_id=match_id)
        parts: list[str] = []
        stream = self._stream(self._rules.ExportMatch, request, self.address.rules)
        with translated():
            async with asyncio.timeout(EXPORT_TIMEOUT_S), aclosing(stream) as responses:
                async for response in responses:
                    parts.append(response.part)
                    if sum(map(len, parts)) > LARGEST_RECORD:
                        raise Refused("TOO_LARGE", "the record never ends", {})
        return "".join(parts)

    async def watch_match(self, match_id: str, from_revision: int) -> AsyncGenerator[Update, None]:
        request = rules.WatchMatchRequest(match_id=match_id, from_revision=from_revision)
        stream = self._stream(self._rules.WatchMatch, request, self.address.rules)
        async with aclosing(stream) as responses:
            async for response in responses:
                yield convert.update(response)

    async def control(self, match_id: str, seat: int, request_id: str, wish: Wish) -> Applied:
        method, request = self._wished(wish)
        request.match_id, request.seat, request.request_id = match_id, seat, request_id
        response = await self._call(method, request)
        return Applied(response.applied_revision, response.revision)

    def _wished(self, wish: Wish) -> tuple[Any, Any]:
        stub = self._rules
        match wish:
            case Undo(revision=revision):
                return stub.UndoAction, rules.UndoActionRequest(expected_revision=revision)
            case AskTakeback(revision=revision):
                return stub.AskTakeback, rules.AskTakebackRequest(expected_revision=revision)
            case OfferEnd():
                return stub.OfferEnd, rules.OfferEndRequest()
            case Answer(revision=revision, agree=agree):
                return stub.AnswerAsk, rules.AnswerAskRequest(ask_revision=revision, agree=agree)
            case Resign():
                return stub.Resign, rules.ResignRequest()
            case TakeSeatBack():
                return stub.TakeSeatBack, rules.TakeSeatBackRequest()
            case Vacation(days=days):
                return stub.SetVacation, rules.SetVacationRequest(days=days)

    # --- advice ---------------------------------------------------------------------------

    @property
    def _ai(self) -> AiServiceStub:
        return AiServiceStub(self._channel(self.address.ai))

    async def suggest(self, match_id: str, seat: int, revision: int) -> Hint:
        request = ai.SuggestActionRequest(match_id=match_id, seat=seat, revision=revision)
        response = await self._call(self._ai.SuggestAction, request, HINT_TIMEOUT_S)
        return convert_advice.hint(response.hint, response.hints_used)

    async def review(self, match_id: str, seat: int) -> AsyncGenerator[Reviewing, None]:
        request = ai.ReviewMatchRequest(match_id=match_id, seat=seat)
        stream = self._stream(self._ai.ReviewMatch, request, self.address.ai)
        async with aclosing(stream) as responses:
            async for response in responses:
                yield convert_advice.update(response)

    def rest(self) -> None:
        """Nothing: the server goes on."""
