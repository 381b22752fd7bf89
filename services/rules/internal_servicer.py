"""The internal service. Each method reads: parse, call, convert, return."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.rules.v1 import rules_internal_service_pb2 as pb
from oddsocks.rules.v1.rules_internal_service_pb2_grpc import RulesInternalServiceServicer
from services.common.auth import caller
from services.common.errors import RefusedError, invalid_field
from services.common.interceptors import Context
from services.rules import convert
from services.rules.access import known, seats_to_see
from services.rules.matches import Matches
from services.rules.paging import Pages
from services.rules.players import Players
from services.rules.store import Request

MAX_SUMMARIES: Final = 200


@dataclass(frozen=True, slots=True)
class RulesInternalServicer(RulesInternalServiceServicer):
    """See rules_internal_service.proto. Any service may call, but only ai sees agents' seats."""

    matches: Matches
    pages: Pages
    players: Players

    async def PromiseSeed(
        self, request: pb.PromiseSeedRequest, context: Context
    ) -> pb.PromiseSeedResponse:
        """The hash of a seed, before anybody adds to it."""
        request_id = convert.read_request_id(request.request_id)
        promised = await self.matches.promise(Request(f"service:{caller().id}", request_id))
        return pb.PromiseSeedResponse(seed_sha256=promised)

    async def CreateMatch(
        self, request: pb.CreateMatchRequest, context: Context
    ) -> pb.CreateMatchResponse:
        """Make a match, once for each request id."""
        request_id = convert.read_request_id(request.request_id)
        new = convert.read_new_match(request)
        account = f"service:{caller().id}"
        match_id = await self.matches.create(
            new, Request(account, request_id), convert.fingerprint_of_new(new)
        )
        await self.players.created(match_id)
        return pb.CreateMatchResponse(match_id=match_id)

    async def GetInformationState(
        self, request: pb.GetInformationStateRequest, context: Context
    ) -> pb.GetInformationStateResponse:
        """What an agent's seat knows, if the match is still at that revision."""
        found = await self.matches.info(convert.read_match_id(request.match_id))
        info = known(found, caller())
        position = await self.matches.current(info)
        seats_to_see(info, position, caller(), (request.seat,))
        revision = convert.read_revision(request.revision, "revision")
        if position.revision != revision:
            raise RefusedError(
                ErrorReason.ERROR_REASON_STALE_REVISION,
                f"the match is at revision {position.revision}, not {revision}",
                revision=position.revision,
            )
        game = info.ruleset
        text = game.format_information(game.information(position.state, request.seat))
        return pb.GetInformationStateResponse(
            game=game.game,
            information=text,
            information_sha256=hashlib.sha256(text.encode()).hexdigest(),
            agent=info.agent_of(position, request.seat) or "",
            pace=play_pb2.Pace.ValueType(info.pace),
        )

    async def ListWaitingSeats(
        self, request: pb.ListWaitingSeatsRequest, context: Context
    ) -> pb.ListWaitingSeatsResponse:
        """A page of agents' seats that are to act."""
        size = convert.read_page_size(request.page_size)
        place = self.pages.read("waiting", request.page_token)
        after = None if place is None else (int(place[0]), str(place[1]))
        waiting = await self.matches.store.waiting(after, size + 1)
        page, token = waiting[:size], ""
        if len(waiting) > size:
            token = self.pages.token("waiting", page[-1].since_ms, page[-1].match_id)
        return pb.ListWaitingSeatsResponse(
            seats=[convert.waiting_to_message(seat) for seat in page], next_page_token=token
        )

    async def ListFinishedMatches(
        self, request: pb.ListFinishedMatchesRequest, context: Context
    ) -> pb.ListFinishedMatchesResponse:
        """The next finished matches."""
        cursor = convert.read_revision(request.cursor, "cursor")
        size = convert.read_page_size(request.page_size)
        matches = await self.matches.store.finished(cursor, size)
        return pb.ListFinishedMatchesResponse(
            matches=[convert.finished_to_message(match) for match in matches],
            cursor=matches[-1].sequence if matches else cursor,
        )

    async def ListMatchSummaries(
        self, request: pb.ListMatchSummariesRequest, context: Context
    ) -> pb.ListMatchSummariesResponse:
        """Where several matches stand."""
        if len(request.match_ids) > MAX_SUMMARIES:
            raise invalid_field("match_ids", f"must be at most {MAX_SUMMARIES}")
        ids = [text for text in request.match_ids if convert.is_match_id(text)]
        heads = await self.matches.store.heads(ids)
        time = self.matches.time()
        return pb.ListMatchSummariesResponse(
            matches=[convert.head_to_message(heads[text], time) for text in ids if text in heads]
        )
