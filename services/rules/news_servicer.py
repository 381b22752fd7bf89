"""News of a player's matches, for matchmaking. Parse, call, convert, return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from oddsocks.rules.v1 import news_internal_service_pb2 as pb
from oddsocks.rules.v1.news_internal_service_pb2_grpc import NewsInternalServiceServicer
from services.common.auth import require_service
from services.common.errors import invalid_field
from services.common.interceptors import Context
from services.rules import convert
from services.rules.news import MatchNews, News
from services.rules.players_servicer import MATCHMAKING

MOST_MATCHES: Final = 200


@dataclass(frozen=True, slots=True)
class NewsServicer(NewsInternalServiceServicer):
    """See news_internal_service.proto."""

    news: News

    async def ListNews(self, request: pb.ListNewsRequest, context: Context) -> pb.ListNewsResponse:
        """Where a player's matches stand, and what happened in them."""
        require_service(MATCHMAKING)
        player_id = convert.read_text(request.player_id, "player_id", convert.MAX_ID)
        if len(request.matches) > MOST_MATCHES:
            raise invalid_field("matches", f"must be at most {MOST_MATCHES}")
        asked = [
            (
                one.match_id,
                convert.read_revision(one.seen_revision, "matches.seen_revision")
                if one.HasField("seen_revision")
                else None,
            )
            for one in request.matches
            if convert.is_match_id(one.match_id)
        ]
        found = await self.news.of(player_id, asked)
        return pb.ListNewsResponse(matches=map(self._message, found))

    def _message(self, news: MatchNews) -> pb.MatchNews:
        return pb.MatchNews(
            summary=convert.head_to_message(news.head, self.news.matches.time()),
            seats=news.seats,
            events=[
                convert.event_to_message(news.info, event, news.seen_by) for event in news.events
            ],
        )
