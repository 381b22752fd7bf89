"""Accounts, friends and ratings over gRPC."""

from __future__ import annotations

from typing import Any

from app.model.online import Leaderboard, Profile, Rating
from app.model.values import Player
from app.net import convert, convert_people
from app.net.connection import Connection
from oddsocks.matchmaking.v1 import accounts_service_pb2 as accounts
from oddsocks.matchmaking.v1 import friends_service_pb2 as friends
from oddsocks.matchmaking.v1 import ratings_service_pb2 as ratings
from oddsocks.matchmaking.v1.accounts_service_grpc import AccountsServiceStub
from oddsocks.matchmaking.v1.friends_service_grpc import FriendsServiceStub
from oddsocks.matchmaking.v1.ratings_service_grpc import RatingsServiceStub

PAGE_SIZE = 100
"""Of friends, blocked players and places the newest or best are shown; lists are no longer."""


class PeopleCalls(Connection):
    """The people half of `Online`."""

    async def profile(self) -> Profile:
        response = await self._call(self._accounts.GetProfile, accounts.GetProfileRequest())
        found = convert_people.profile(response)
        self._keep_player(found.player)
        return found

    async def change_profile(self, *, name: str | None, picture: str | None) -> Player:
        request = accounts.UpdateProfileRequest(display_name=name, picture=picture)
        response = await self._call(self._accounts.UpdateProfile, request)
        me = convert.player(response.profile.player)
        self._keep_player(me)
        return me

    async def make_recovery_code(self) -> str:
        request = accounts.CreateRecoveryCodeRequest()
        return str((await self._call(self._accounts.CreateRecoveryCode, request)).recovery_code)

    async def recover(self, code: str) -> Player:
        request = accounts.RecoverAccountRequest(recovery_code=code)
        return await self._become(self._accounts.RecoverAccount, request)

    async def make_link_code(self) -> str:
        request = accounts.CreateLinkCodeRequest()
        return str((await self._call(self._accounts.CreateLinkCode, request)).link_code)

    async def link(self, request_id: str, code: str) -> Player:
        request = accounts.LinkDeviceRequest(request_id=request_id, link_code=code)
        return await self._become(self._accounts.LinkDevice, request)

    async def sign_out_everywhere(self) -> None:
        await self.sign_in()
        tokens = self._account.tokens
        request = accounts.SignOutEverywhereRequest(
            keep_refresh_token=tokens.refresh if tokens else ""
        )
        await self._call(self._accounts.SignOutEverywhere, request)

    async def delete_account(self) -> None:
        await self._call(self._accounts.DeleteAccount, accounts.DeleteAccountRequest())
        async with self._signing_in:
            self._account.forget()

    async def _become(self, method: Any, request: Any) -> Player:
        # No sign-in that is under way may keep its tokens over those of this player.
        async with self._signing_in:
            response = await self._bare_call(method, request)
            me = convert.player(response.player)
            self._account.keep(me, convert.tokens(response.tokens))
        return me

    def _keep_player(self, me: Player) -> None:
        """What the server says of a player, who may be another than plays here by now."""
        tokens, known = self._account.tokens, self._account.player
        if tokens is not None and known is not None and known.player_id == me.player_id:
            self._account.keep(me, tokens)

    # --- friends ----------------------------------------------------------------------------------

    async def friend_code(self, *, fresh: bool = False) -> str:
        if fresh:
            renewed = await self._call(
                self._friends.RenewFriendCode, friends.RenewFriendCodeRequest()
            )
            return str(renewed.friend_code)
        response = await self._call(self._friends.GetFriendCode, friends.GetFriendCodeRequest())
        return str(response.friend_code)

    async def add_friend(self, code: str) -> Player:
        request = friends.AddFriendRequest(friend_code=code)
        return convert.player((await self._call(self._friends.AddFriend, request)).friend)

    async def friends(self) -> tuple[Player, ...]:
        request = friends.ListFriendsRequest(page_size=PAGE_SIZE)
        page = await self._call(self._friends.ListFriends, request)
        return tuple(convert.player(one.player) for one in page.friends)

    async def remove_friend(self, player_id: str) -> None:
        request = friends.RemoveFriendRequest(player_id=player_id)
        await self._call(self._friends.RemoveFriend, request)

    async def block(self, player_id: str) -> None:
        request = friends.BlockPlayerRequest(player_id=player_id)
        await self._call(self._friends.BlockPlayer, request)

    async def unblock(self, player_id: str) -> None:
        request = friends.UnblockPlayerRequest(player_id=player_id)
        await self._call(self._friends.UnblockPlayer, request)

    async def blocked(self) -> tuple[Player, ...]:
        request = friends.ListBlockedPlayersRequest(page_size=PAGE_SIZE)
        page = await self._call(self._friends.ListBlockedPlayers, request)
        return tuple(convert.player(one.player) for one in page.players)

    # --- ratings ----------------------------------------------------------------------------------

    async def ratings(self) -> tuple[Rating, ...]:
        response = await self._call(self._ratings.ListMyRatings, ratings.ListMyRatingsRequest())
        return tuple(map(convert_people.rating, response.ratings))

    async def leaderboard(self, game: str, edition: str) -> Leaderboard:
        request = ratings.ListLeaderboardRequest(page_size=PAGE_SIZE, game=game, edition=edition)
        return convert_people.leaderboard(await self._call(self._ratings.ListLeaderboard, request))

    @property
    def _accounts(self) -> AccountsServiceStub:
        return AccountsServiceStub(self._channel(self.address.matchmaking))

    @property
    def _friends(self) -> FriendsServiceStub:
        return FriendsServiceStub(self._channel(self.address.matchmaking))

    @property
    def _ratings(self) -> RatingsServiceStub:
        return RatingsServiceStub(self._channel(self.address.matchmaking))
