"""The services over gRPC (grpclib), as a gateway.

Every unary call has a deadline and every stream a longest silence: without them a frozen server
hangs the app for ever, and a dead socket is never noticed (grpclib#169). Imports no Kivy.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

from grpclib.client import Channel

from app import VERSION
from app.model.account import Account, MemoryAccount
from app.model.gateway import Offline, Refused
from app.model.names import guest_name
from app.model.values import (
    Act,
    Agent,
    Applied,
    Event,
    Match,
    MyMatch,
    Player,
    SeatRequest,
    Table,
    Tokens,
    Update,
)
from app.net import convert
from app.net.address import Address, Endpoint
from app.net.channel import PatientChannel
from app.net.errors import translated
from oddsocks.ai.v1 import ai_service_pb2 as ai
from oddsocks.ai.v1.ai_service_grpc import AiServiceStub
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1.matchmaking_service_grpc import MatchmakingServiceStub
from oddsocks.rules.v1 import rules_service_pb2 as rules
from oddsocks.rules.v1.rules_service_grpc import RulesServiceStub
from services.engine.core.options import OptionValue

Answer = TypeVar("Answer")

CALL_TIMEOUT_S = 10.0
SILENCE_S = 45.0
"""A stream with a heartbeat every 20 s that says nothing for this long is dead."""
STREAM_LIFE_S = 3600.0
EXPORT_TIMEOUT_S = 30.0
LARGEST_RECORD = 8_000_000
"""Characters; a long match has some hundred thousand."""
PAGE_SIZE = 200
MATCHES_A_PAGE = 100
MATCH_PAGES = 3
"""Of the player's matches the newest are listed; nobody scrolls through more."""
MOST_PAGES = 100
"""A list that never ends is a fault of the server, not a reason to loop for ever."""

_TOKEN_SPENT = {"TOKEN_EXPIRED", "TOKEN_INVALID", "TOKEN_MISSING"}


class RemoteGateway:
    """A `Gateway` to running services. Create it, and use it, on one event loop."""

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

    # --- players and tables ---------------------------------------------------------------

    async def sign_in(self) -> Player:
        await self._access_token()
        player = self._account.player
        assert player is not None
        return player

    async def list_agents(self, game: str) -> tuple[Agent, ...]:
        stub = AiServiceStub(self._channel(self.address.ai))
        return convert.agents(await self._call(stub.ListAgents, ai.ListAgentsRequest(game=game)))

    async def open_table(
        self,
        request_id: str,
        game: str,
        seats: Sequence[SeatRequest],
        options: Mapping[str, OptionValue],
    ) -> Table:
        request = mm.OpenTableRequest(
            request_id=request_id,
            game=game,
            options=convert.options_to(options),
            seats=[convert.seat_request(wish) for wish in seats],
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
        raise Refused("", f"more than {MOST_PAGES} pages of events", {})

    async def export_match(self, match_id: str) -> str:
        request = rules.ExportMatchRequest(match_id=match_id)
        token = await self._access_token()
        parts: list[str] = []
        with translated():
            async with self._rules.ExportMatch.open(
                timeout=EXPORT_TIMEOUT_S, metadata=_metadata(token)
            ) as stream:
                await self._heard(stream.send_message(request, end=True), self.address.rules)
                while True:
                    part = await self._heard(stream.recv_message(), self.address.rules)
                    if part is None:
                        return "".join(parts)
                    parts.append(part.part)
                    if sum(map(len, parts)) > LARGEST_RECORD:
                        raise Refused("TOO_LARGE", "the record never ends", {})

    async def watch_match(self, match_id: str, from_revision: int) -> AsyncGenerator[Update, None]:
        request = rules.WatchMatchRequest(match_id=match_id, from_revision=from_revision)
        token = await self._access_token()
        try:
            async with aclosing(self._watch(request, token)) as updates:
                async for update in updates:
                    yield update
        except Refused as refused:
            if refused.reason not in _TOKEN_SPENT:
                raise
            await self._access_token(spent=token)
            raise Offline("signed in again") from refused

    async def _watch(
        self, request: rules.WatchMatchRequest, token: str
    ) -> AsyncGenerator[Update, None]:
        with translated():
            async with self._rules.WatchMatch.open(
                timeout=STREAM_LIFE_S, metadata=_metadata(token)
            ) as stream:
                await self._heard(stream.send_message(request, end=True), self.address.rules)
                while True:
                    response = await self._heard(stream.recv_message(), self.address.rules)
                    if response is None:
                        return
                    yield convert.update(response)

    # --- calls ----------------------------------------------------------------------------

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

    async def _call(self, method: Any, request: Any) -> Any:
        """One unary call as the player; once more with fresh tokens if the old ones are spent."""
        token = await self._access_token()
        try:
            return await self._bare_call(method, request, token)
        except Refused as refused:
            if refused.reason not in _TOKEN_SPENT:
                raise
        return await self._bare_call(method, request, await self._access_token(spent=token))

    async def _bare_call(self, method: Any, request: Any, token: str = "") -> Any:
        with translated():
            try:
                return await method(request, timeout=self._timeout_s, metadata=_metadata(token))
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
        request_id = self._account.sign_in_id()
        request = mm.SignInGuestRequest(
            request_id=request_id, display_name=self._display_name or guest_name(request_id)
        )
        response = await self._bare_call(self._tables.SignInGuest, request)
        tokens = convert.tokens(response.tokens)
        self._account.keep(convert.player(response.player), tokens)
        return tokens.access

    def rest(self) -> None:
        """Nothing: the server goes on."""

    async def close(self) -> None:
        for endpoint in list(self._channels):
            self._drop(endpoint)


def _metadata(token: str) -> dict[str, str]:
    """What goes with every call."""
    version = {"oddsocks-client-version": VERSION}
    return version | {"authorization": f"Bearer {token}"} if token else version
