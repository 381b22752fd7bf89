"""A connection to the services that a gateway is built on: channels, deadlines, tokens.

Every unary call has a deadline and every stream a longest silence: without them a frozen server
hangs the app for ever, and a dead socket is never noticed (grpclib#169). Imports no Kivy.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from typing import Any, TypeVar

from grpclib.client import Channel

from app import VERSION
from app.model.account import Account, MemoryAccount
from app.model.gateway import Offline, Refused
from app.model.names import guest_name
from app.model.values import Player, Tokens
from app.net import convert
from app.net.address import Address, Endpoint
from app.net.channel import PatientChannel
from app.net.errors import translated
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1.matchmaking_service_grpc import MatchmakingServiceStub
from oddsocks.rules.v1.rules_service_grpc import RulesServiceStub

Answer = TypeVar("Answer")

CALL_TIMEOUT_S = 10.0
SILENCE_S = 45.0
"""A stream with a heartbeat every 20 s that says nothing for this long is dead."""
STREAM_LIFE_S = 3600.0

_TOKEN_SPENT = {"TOKEN_EXPIRED", "TOKEN_INVALID", "TOKEN_MISSING"}


class Connection:
    """What all calls share. Create it, and use it, on one event loop."""

    def __init__(
        self,
        address: Address,
        account: Account | None = None,
        *,
        display_name: str = "",
        call_timeout_s: float = CALL_TIMEOUT_S,
        silence_s: float = SILENCE_S,
    ) -> None:
        self.address = address
        self._account = account if account is not None else MemoryAccount()
        self._display_name = display_name
        self._timeout_s, self._silence_s = call_timeout_s, silence_s
        self._tls = address.tls()
        self._channels: dict[Endpoint, Channel] = {}
        self._signing_in = asyncio.Lock()
        """Held by whatever changes who plays here, from asking for it to having kept it."""

    async def sign_in(self) -> Player:
        """Who plays here; makes a guest account on first use."""
        await self._access_token()
        player = self._account.player
        assert player is not None
        return player

    @property
    def _tables(self) -> MatchmakingServiceStub:
        return MatchmakingServiceStub(self._channel(self.address.matchmaking))

    @property
    def _rules(self) -> RulesServiceStub:
        return RulesServiceStub(self._channel(self.address.rules))

    def _channel(self, endpoint: Endpoint) -> Channel:
        if endpoint not in self._channels:
            self._channels[endpoint] = PatientChannel(endpoint.host, endpoint.port, ssl=self._tls)
        return self._channels[endpoint]

    def _drop(self, endpoint: Endpoint) -> None:
        """Close a connection that gave no answer, so that the next call makes a new one: after
        a change of network the old socket never answers and never fails."""
        channel = self._channels.pop(endpoint, None)
        if channel is not None:
            channel.close()

    async def _heard(self, waiting: Awaitable[Answer], endpoint: Endpoint) -> Answer:
        try:
            # Not wait_for: before Python 3.12 it forgets a cancellation that comes together with
            # the message, and the stream would go on for nobody (cpython#86296).
            async with asyncio.timeout(self._silence_s):
                return await waiting
        except TimeoutError:
            self._drop(endpoint)
            raise

    async def _stream(
        self, method: Any, request: Any, endpoint: Endpoint
    ) -> AsyncGenerator[Any, None]:
        """The answers of a stream as the player. With tokens that are spent it ends as if the
        network had been cut, with fresh ones for who comes back."""
        token = await self._access_token()
        try:
            with translated():
                async with method.open(timeout=STREAM_LIFE_S, metadata=_metadata(token)) as stream:
                    await self._heard(stream.send_message(request, end=True), endpoint)
                    while True:
                        response = await self._heard(stream.recv_message(), endpoint)
                        if response is None:
                            return
                        yield response
        except Refused as refused:
            if refused.reason not in _TOKEN_SPENT:
                raise
            await self._access_token(spent=token)
            raise Offline("signed in again") from refused

    async def _call(self, method: Any, request: Any, timeout_s: float = 0.0) -> Any:
        """One unary call as the player; once more with fresh tokens if the old ones are spent.
        `timeout_s` is for one that may take longer than usual."""
        token = await self._access_token()
        try:
            return await self._bare_call(method, request, token, timeout_s)
        except Refused as refused:
            if refused.reason not in _TOKEN_SPENT:
                raise
        fresh = await self._access_token(spent=token)
        return await self._bare_call(method, request, fresh, timeout_s)

    async def _bare_call(
        self, method: Any, request: Any, token: str = "", timeout_s: float = 0.0
    ) -> Any:
        timeout_s = timeout_s or self._timeout_s
        with translated():
            try:
                return await method(request, timeout=timeout_s, metadata=_metadata(token))
            except TimeoutError:
                for endpoint, channel in list(self._channels.items()):
                    if channel is method.channel:
                        self._drop(endpoint)
                raise

    async def _access_token(self, spent: str = "") -> str:
        """A token good for now: kept, refreshed, or of a new guest. `spent` is one the server
        has just refused; only the server decides that, since clocks of devices are often wrong."""
        async with self._signing_in:
            tokens = self._account.tokens
            if tokens is None:
                return await self._sign_in_guest()
            if tokens.access == spent:
                return await self._refresh(tokens)
            return tokens.access

    async def _refresh(self, tokens: Tokens) -> str:
        request = mm.RefreshTokenRequest(refresh_token=tokens.refresh)
        try:
            response = await self._bare_call(self._tables.RefreshToken, request)
        except Refused as refused:
            if refused.reason not in _TOKEN_SPENT:
                raise
            self._account.forget()
            return await self._sign_in_guest()
        player = self._account.player
        assert player is not None
        fresh = convert.tokens(response.tokens)
        self._account.keep(player, fresh)
        return fresh.access

    async def _sign_in_guest(self) -> str:
        try:
            response = await self._bare_call(self._tables.SignInGuest, self._new_guest())
        except Refused as refused:
            if refused.reason != "REQUEST_ID_REUSED":
                raise
            # Its answer was lost, and whoever plays here is called something else by now. Nothing
            # hangs on the account that nobody has ever used.
            self._account.forget()
            response = await self._bare_call(self._tables.SignInGuest, self._new_guest())
        tokens = convert.tokens(response.tokens)
        self._account.keep(convert.player(response.player), tokens)
        return tokens.access

    def _new_guest(self) -> mm.SignInGuestRequest:
        request_id = self._account.sign_in_id()
        name = self._display_name or guest_name(request_id)
        return mm.SignInGuestRequest(request_id=request_id, display_name=name)

    async def close(self) -> None:
        """Let go of all connections."""
        for endpoint in list(self._channels):
            self._drop(endpoint)


def _metadata(token: str) -> dict[str, str]:
    """What goes with every call."""
    version = {"oddsocks-client-version": VERSION}
    return version | {"authorization": f"Bearer {token}"} if token else version
