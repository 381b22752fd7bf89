"""The RPCs of tickets, lobby and ratings: read the request, call, convert the answer."""

from __future__ import annotations

from dataclasses import dataclass

from oddsocks.matchmaking.v1 import lobby_service_pb2 as lobby_pb
from oddsocks.matchmaking.v1 import ratings_service_pb2 as ratings_pb
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets_pb
from oddsocks.matchmaking.v1.lobby_service_pb2_grpc import LobbyServiceServicer
from oddsocks.matchmaking.v1.ratings_service_pb2_grpc import RatingsServiceServicer
from oddsocks.matchmaking.v1.tickets_service_pb2_grpc import TicketsServiceServicer
from services.common.interceptors import Context
from services.matchmaking.convert import (
    nonce_from_message,
    page_from_message,
    page_token,
    table_to_message,
)
from services.matchmaking.finding import convert
from services.matchmaking.finding.lobby import Lobby
from services.matchmaking.finding.tickets import Standing, Tickets
from services.matchmaking.model import Person, Position
from services.matchmaking.names import read_id
from services.matchmaking.people.accounts import Accounts
from services.matchmaking.ratings.counting import Ratings
from services.matchmaking.tables import Tables


async def _player(accounts: Accounts) -> Person:
    return (await accounts.calling()).person


def _opened(standing: Standing) -> bytes:
    answer = tickets_pb.OpenTicketResponse(ticket=convert.ticket_to_message(standing))
    return answer.SerializeToString(deterministic=True)


@dataclass(frozen=True, slots=True)
class TicketsServicer(TicketsServiceServicer):
    """See tickets_service.proto."""

    accounts: Accounts
    tickets: Tickets

    async def OpenTicket(
        self, request: tickets_pb.OpenTicketRequest, context: Context
    ) -> tickets_pb.OpenTicketResponse:
        """A ticket, or another wish for the one there is."""
        player = await _player(self.accounts)
        wish = convert.ticket_wish_from_message(request)
        answer = await self.tickets.open(player, request.request_id, wish, _opened)
        return tickets_pb.OpenTicketResponse.FromString(answer)

    async def GetTicket(
        self, request: tickets_pb.GetTicketRequest, context: Context
    ) -> tickets_pb.GetTicketResponse:
        """How a ticket stands."""
        standing = await self.tickets.get(await _player(self.accounts), request.ticket_id)
        return tickets_pb.GetTicketResponse(ticket=convert.ticket_to_message(standing))

    async def ListMyTickets(
        self, request: tickets_pb.ListMyTicketsRequest, context: Context
    ) -> tickets_pb.ListMyTicketsResponse:
        """The tickets that wait."""
        found = await self.tickets.mine(await _player(self.accounts))
        return tickets_pb.ListMyTicketsResponse(tickets=map(convert.ticket_to_message, found))

    async def CloseTicket(
        self, request: tickets_pb.CloseTicketRequest, context: Context
    ) -> tickets_pb.CloseTicketResponse:
        """Back with a ticket."""
        standing = await self.tickets.close(await _player(self.accounts), request.ticket_id)
        return tickets_pb.CloseTicketResponse(ticket=convert.ticket_to_message(standing))


@dataclass(frozen=True, slots=True)
class LobbyServicer(LobbyServiceServicer):
    """See lobby_service.proto."""

    accounts: Accounts
    lobby: Lobby
    tables: Tables

    async def ListOpenTables(
        self, request: lobby_pb.ListOpenTablesRequest, context: Context
    ) -> lobby_pb.ListOpenTablesResponse:
        """A page of tables that anybody may join."""
        player = await _player(self.accounts)
        wanted = convert.filter_from_message(request)
        page, end = await self.lobby.open_tables(player, wanted, *page_from_message(request))
        return lobby_pb.ListOpenTablesResponse(
            tables=[table_to_message(table, stranger=True) for table in page],
            next_page_token=page_token(end),
        )

    async def ListWatchableMatches(
        self, request: lobby_pb.ListWatchableMatchesRequest, context: Context
    ) -> lobby_pb.ListWatchableMatchesResponse:
        """A page of matches that anybody may watch."""
        player = await _player(self.accounts)
        game = convert.game_from_message(request.game)
        page, end = await self.lobby.watchable(player, game, *page_from_message(request))
        return lobby_pb.ListWatchableMatchesResponse(
            tables=[table_to_message(table, stranger=True) for table in page],
            next_page_token=page_token(end),
        )

    async def GiveNonce(
        self, request: lobby_pb.GiveNonceRequest, context: Context
    ) -> lobby_pb.GiveNonceResponse:
        """Something for the seed."""
        nonce = nonce_from_message(request.nonce)
        player = await _player(self.accounts)
        table = await self.tables.give_nonce(player, request.table_id, nonce)
        return lobby_pb.GiveNonceResponse(table=table_to_message(table))

    async def InviteFriend(
        self, request: lobby_pb.InviteFriendRequest, context: Context
    ) -> lobby_pb.InviteFriendResponse:
        """A friend to the table."""
        await self.lobby.invite(await _player(self.accounts), request.table_id, request.player_id)
        return lobby_pb.InviteFriendResponse()

    async def DeclineInvitation(
        self, request: lobby_pb.DeclineInvitationRequest, context: Context
    ) -> lobby_pb.DeclineInvitationResponse:
        """No, thank you."""
        await self.lobby.decline(await _player(self.accounts), request.table_id)
        return lobby_pb.DeclineInvitationResponse()

    async def MarkInvitationsSeen(
        self, request: lobby_pb.MarkInvitationsSeenRequest, context: Context
    ) -> lobby_pb.MarkInvitationsSeenResponse:
        """Seen, not answered."""
        table_ids = convert.table_ids_from_message(request)
        await self.lobby.mark_seen(await _player(self.accounts), table_ids)
        return lobby_pb.MarkInvitationsSeenResponse()


@dataclass(frozen=True, slots=True)
class RatingsServicer(RatingsServiceServicer):
    """See ratings_service.proto."""

    accounts: Accounts
    ratings: Ratings

    async def ListMyRatings(
        self, request: ratings_pb.ListMyRatingsRequest, context: Context
    ) -> ratings_pb.ListMyRatingsResponse:
        """All ratings of the caller."""
        found = await self.ratings.mine(await _player(self.accounts))
        return ratings_pb.ListMyRatingsResponse(
            ratings=[convert.rating_to_message(*row) for row in found]
        )

    async def ListLeaderboard(
        self, request: ratings_pb.ListLeaderboardRequest, context: Context
    ) -> ratings_pb.ListLeaderboardResponse:
        """A page of the best."""
        account = await self.accounts.calling()
        game, edition = request.game, read_id(request.edition, "edition", shortest=0)
        size, after = page_from_message(request)
        behind = None if after is None else (after.opened_at_ms, after.table_id)
        page, more = await self.ratings.leaderboard(game, edition, size, behind)
        mine = await self.ratings.place_of(account, game, edition)
        last = page[-1] if more else None
        end = None if last is None else Position(last.rating.points, last.player.player_id)
        return ratings_pb.ListLeaderboardResponse(
            standings=[convert.standing_to_message(game, edition, place) for place in page],
            next_page_token=page_token(end),
            mine=None if mine is None else convert.standing_to_message(game, edition, mine),
        )
