"""The RPCs of friends and blocks: read the request, call, convert the answer."""

from __future__ import annotations

from dataclasses import dataclass

from oddsocks.matchmaking.v1 import friends_service_pb2 as pb
from oddsocks.matchmaking.v1.friends_service_pb2_grpc import FriendsServiceServicer
from services.common.interceptors import Context
from services.matchmaking.convert import page_from_message, page_token
from services.matchmaking.people.accounts import Accounts
from services.matchmaking.people.convert import known_to_message, player_to_message
from services.matchmaking.people.friends import Friends


@dataclass(frozen=True, slots=True)
class FriendsServicer(FriendsServiceServicer):
    """See friends_service.proto."""

    accounts: Accounts
    friends: Friends

    async def GetFriendCode(
        self, request: pb.GetFriendCodeRequest, context: Context
    ) -> pb.GetFriendCodeResponse:
        """The caller's friend code."""
        code = await self.friends.code(await self.accounts.calling())
        return pb.GetFriendCodeResponse(friend_code=code)

    async def RenewFriendCode(
        self, request: pb.RenewFriendCodeRequest, context: Context
    ) -> pb.RenewFriendCodeResponse:
        """Another friend code."""
        code = await self.friends.renew_code(await self.accounts.calling())
        return pb.RenewFriendCodeResponse(friend_code=code)

    async def AddFriend(
        self, request: pb.AddFriendRequest, context: Context
    ) -> pb.AddFriendResponse:
        """Friends by code."""
        friend = await self.friends.add(await self.accounts.calling(), request.friend_code)
        return pb.AddFriendResponse(friend=player_to_message(friend))

    async def ListFriends(
        self, request: pb.ListFriendsRequest, context: Context
    ) -> pb.ListFriendsResponse:
        """A page of friends."""
        account = await self.accounts.calling()
        page, end = await self.friends.friends(account, *page_from_message(request))
        return pb.ListFriendsResponse(
            friends=map(known_to_message, page), next_page_token=page_token(end)
        )

    async def RemoveFriend(
        self, request: pb.RemoveFriendRequest, context: Context
    ) -> pb.RemoveFriendResponse:
        """Friends no more."""
        await self.friends.remove(await self.accounts.calling(), request.player_id)
        return pb.RemoveFriendResponse()

    async def BlockPlayer(
        self, request: pb.BlockPlayerRequest, context: Context
    ) -> pb.BlockPlayerResponse:
        """Nothing more to do with a player."""
        await self.friends.block(await self.accounts.calling(), request.player_id)
        return pb.BlockPlayerResponse()

    async def UnblockPlayer(
        self, request: pb.UnblockPlayerRequest, context: Context
    ) -> pb.UnblockPlayerResponse:
        """A block taken back."""
        await self.friends.unblock(await self.accounts.calling(), request.player_id)
        return pb.UnblockPlayerResponse()

    async def ListBlockedPlayers(
        self, request: pb.ListBlockedPlayersRequest, context: Context
    ) -> pb.ListBlockedPlayersResponse:
        """A page of blocked players."""
        account = await self.accounts.calling()
        page, end = await self.friends.blocked(account, *page_from_message(request))
        return pb.ListBlockedPlayersResponse(
            players=map(known_to_message, page), next_page_token=page_token(end)
        )
