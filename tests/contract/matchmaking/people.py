"""Guests with everything an account can do, on one connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc

from oddsocks.matchmaking.v1 import accounts_service_pb2 as accounts_pb
from oddsocks.matchmaking.v1 import friends_service_pb2 as friends_pb
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1.accounts_service_pb2_grpc import AccountsServiceStub
from oddsocks.matchmaking.v1.friends_service_pb2_grpc import FriendsServiceStub
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from services.common.errors import RefusedError
from tests.contract.matchmaking.world import Guest, World, fresh_id

TIMEOUT_S = 20


@dataclass(frozen=True, slots=True)
class Device:
    """A device on which a player is signed in."""

    channel: grpc.aio.Channel
    player: pb.Player
    tokens: pb.Tokens

    @property
    def id(self) -> str:
        """The player's id."""
        return self.player.player_id

    @property
    def guest(self) -> Guest:
        """The same for tables."""
        return Guest(MatchmakingServiceStub(self.channel), self.player, self.tokens)

    async def accounts(self, method: str, **fields: Any) -> Any:
        """A call of the accounts service."""
        return await self._call(AccountsServiceStub(self.channel), accounts_pb, method, fields)

    async def friends(self, method: str, **fields: Any) -> Any:
        """A call of the friends service."""
        return await self._call(FriendsServiceStub(self.channel), friends_pb, method, fields)

    async def _call(self, stub: Any, messages: Any, method: str, fields: dict[str, Any]) -> Any:
        request = getattr(messages, f"{method}Request")(**fields)
        metadata = (("authorization", f"Bearer {self.tokens.access_token}"),)
        return await getattr(stub, method)(request, metadata=metadata, timeout=TIMEOUT_S)

    async def friend_code(self) -> str:
        """The player's friend code."""
        return str((await self.friends("GetFriendCode")).friend_code)

    async def friend_ids(self, **fields: Any) -> list[str]:
        """The ids of a page of friends."""
        answer = await self.friends("ListFriends", **fields)
        return [known.player.player_id for known in answer.friends]

    async def refreshed(self) -> Device:
        """The same device with fresh tokens."""
        request = pb.RefreshTokenRequest(refresh_token=self.tokens.refresh_token)
        answer = await self.guest.stub.RefreshToken(request, timeout=TIMEOUT_S)
        return Device(self.channel, self.player, answer.tokens)


async def device(world: World, name: str = "", request_id: str = "") -> Device:
    """Somebody new, or again the guest of a request id."""
    channel = await world.channel()
    request = pb.SignInGuestRequest(request_id=request_id or fresh_id(), display_name=name)
    stub: Any = MatchmakingServiceStub(channel)
    answer = await stub.SignInGuest(request, timeout=TIMEOUT_S)
    return Device(channel, answer.player, answer.tokens)


async def recovered(world: World, code: str) -> Device:
    """A new device, signed in by a recovery code."""
    channel = await world.channel()
    stub: Any = AccountsServiceStub(channel)
    request = accounts_pb.RecoverAccountRequest(recovery_code=code)
    answer = await stub.RecoverAccount(request, timeout=TIMEOUT_S)
    return Device(channel, answer.player, answer.tokens)


async def linked(world: World, code: str, request_id: str = "") -> Device:
    """A new device, signed in by a link code."""
    channel = await world.channel()
    stub: Any = AccountsServiceStub(channel)
    request = accounts_pb.LinkDeviceRequest(request_id=request_id or fresh_id(), link_code=code)
    answer = await stub.LinkDevice(request, timeout=TIMEOUT_S)
    return Device(channel, answer.player, answer.tokens)


async def told(world: World, heard: Callable[[], Any]) -> None:
    """Let matchmaking try, as it does every few seconds, until rules has heard."""
    (news,) = (one for one in world.service.sweeps if one.lease.name == "news for rules")
    async with asyncio.timeout(60):
        while not heard():
            with contextlib.suppress(RefusedError):  # the channel has not noticed yet
                await news.round()
            await asyncio.sleep(0.05)
