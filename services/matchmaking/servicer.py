"""The RPCs: read the request, call, convert the answer."""

from __future__ import annotations

from dataclasses import dataclass

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1 import matchmaking_service_pb2_grpc as pb_grpc
from services.common.interceptors import Context
from services.matchmaking import convert
from services.matchmaking.inbox.mine import Mine
from services.matchmaking.model import Person
from services.matchmaking.people.accounts import Accounts
from services.matchmaking.people.convert import player_to_message
from services.matchmaking.tables import Tables


@dataclass(frozen=True, slots=True)
class MatchmakingServicer(pb_grpc.MatchmakingServiceServicer):
    """Serves accounts and tables."""

    accounts: Accounts
    tables: Tables
    mine: Mine

    async def SignInGuest(
        self, request: pb.SignInGuestRequest, _context: Context
    ) -> pb.SignInGuestResponse:
        """A new guest account, or the one this request id made."""
        account, tokens = await self.accounts.sign_in_guest(
            request.request_id, request.display_name
        )
        return pb.SignInGuestResponse(
            player=player_to_message(account), tokens=convert.tokens_to_message(tokens)
        )

    async def RefreshToken(
        self, request: pb.RefreshTokenRequest, _context: Context
    ) -> pb.RefreshTokenResponse:
        """Fresh tokens."""
        tokens = await self.accounts.refresh(request.refresh_token)
        return pb.RefreshTokenResponse(tokens=convert.tokens_to_message(tokens))

    async def OpenTable(
        self, request: pb.OpenTableRequest, _context: Context
    ) -> pb.OpenTableResponse:
        """A new table."""
        player = await self._player()
        wish = convert.wish_from_message(request, player)
        table = await self.tables.open(player, request.request_id, wish)
        return pb.OpenTableResponse(table=convert.table_to_message(table))

    async def GetTable(self, request: pb.GetTableRequest, _context: Context) -> pb.GetTableResponse:
        """A table of the caller."""
        player = await self._player()
        table = await self.tables.get(player, request.table_id, request.invitation_code)
        stranger = not table.concerns(player.player_id)
        return pb.GetTableResponse(table=convert.table_to_message(table, stranger=stranger))

    async def JoinTable(
        self, request: pb.JoinTableRequest, _context: Context
    ) -> pb.JoinTableResponse:
        """Seats by invitation code, link or id."""
        player = await self._player()
        table = await self.tables.join(
            player,
            request.request_id,
            request.invitation_code,
            convert.persons_from_message(request, player),
            request.table_id,
            convert.nonce_from_message(request.nonce),
        )
        return pb.JoinTableResponse(table=convert.table_to_message(table))

    async def LeaveTable(
        self, request: pb.LeaveTableRequest, _context: Context
    ) -> pb.LeaveTableResponse:
        """Away from a table that has not started."""
        await self.tables.leave(await self._player(), request.table_id)
        return pb.LeaveTableResponse()

    async def Rematch(self, request: pb.RematchRequest, _context: Context) -> pb.RematchResponse:
        """A finished match again."""
        player = await self._player()
        table = await self.tables.rematch(player, request.request_id, request.match_id)
        return pb.RematchResponse(table=convert.table_to_message(table))

    async def ListMyMatches(
        self, request: pb.ListMyMatchesRequest, _context: Context
    ) -> pb.ListMyMatchesResponse:
        """Tables and matches of the caller."""
        player = await self._player()
        size, after = convert.page_from_message(request, convert.MOST_OWN)
        seen = convert.seen_from_messages(request.seen)
        rows, end, invitations = await self.mine.page(player, size, after, seen)
        return pb.ListMyMatchesResponse(
            matches=map(convert.my_match_to_message, rows),
            next_page_token=convert.page_token(end),
            invitations=map(convert.invitation_to_message, invitations),
        )

    async def _player(self) -> Person:
        return (await self.accounts.calling()).person
