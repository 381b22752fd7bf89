"""The people and things that the permission table speaks of, made through the real services.

A match of three in which one has given their seat up, once closed to strangers and once open to
spectators; an open table, an invitation, a ticket; and tokens of every sort.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from oddsocks.matchmaking.v1 import (
    accounts_service_pb2,
    friends_service_pb2,
    lobby_service_pb2,
    tickets_service_pb2,
)
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.play.v1 import play_pb2 as play
from oddsocks.rules.v1 import rules_service_pb2 as rules
from services.common.auth import KeyRing, ServiceTokens, read_secret
from services.common.clock import system_clock
from services.common.errors import error_info
from tests.contract.matchmaking.world import OPEN, SELF, fresh_id
from tests.fixtures.stack import Stack
from tools.reports import ROOT

GENERATED: Final = ROOT / "proto" / "gen"
CONTRACTS: Final = tuple(
    import_module(".".join(path.relative_to(GENERATED).with_suffix("").parts))
    for path in sorted(GENERATED.glob("oddsocks/**/*_service_pb2.py"))
)
"""Every contract with a service, found by its file, so that a new one can't be left out."""

HOUR_MS: Final = 3_600_000
TIMEOUT_S: Final = 30


def methods() -> dict[str, Any]:
    """Every RPC of every service, by its full name less `oddsocks.`, with its descriptor."""
    return {
        f"{service.full_name.removeprefix('oddsocks.')}/{method.name}": method
        for contract in CONTRACTS
        for service in contract.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }


def _message(method: Any, part: str) -> Any:
    name = getattr(method, part).name
    (contract,) = (one for one in CONTRACTS if one.DESCRIPTOR is method.containing_service.file)
    return getattr(contract, name)


@dataclass(frozen=True, slots=True)
class Site:
    """The running services."""

    stack: Stack
    channels: dict[str, grpc.aio.Channel] = field(default_factory=dict)

    def channel(self, service: str, *, inside: bool) -> grpc.aio.Channel:
        """A connection to the public or internal listener of a service."""
        server = getattr(self.stack, service)
        port = server.internal_port if inside else server.public_port
        address = f"127.0.0.1:{port}"
        if address not in self.channels:
            self.channels[address] = grpc.aio.insecure_channel(address)
        return self.channels[address]

    async def call(
        self, method: str, request: Message, token: str | None, *, inside: bool = False
    ) -> Any:
        """Call a method by its name in the table; of a stream the first message."""
        described = methods()[method]
        channel = self.channel(method.partition(".")[0], inside=inside)
        streams = described.server_streaming
        make: Any = channel.unary_stream if streams else channel.unary_unary
        call = make(
            f"/oddsocks.{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=_message(described, "output_type").FromString,
        )(
            request,
            metadata=() if token is None else (("authorization", f"Bearer {token}"),),
            timeout=TIMEOUT_S,
        )
        if not streams:
            return await call
        try:
            return await call.read()
        finally:
            call.cancel()

    async def reason(
        self, method: str, request: Message, token: str | None, *, inside: bool = False
    ) -> str:
        """Why such a call is refused: the ErrorInfo's reason, or the status; "" if it is not."""
        try:
            answer = await self.call(method, request, token, inside=inside)
        except grpc.aio.AioRpcError as error:
            info = error_info(error)
            return error.code().name if info is None else info.reason
        assert answer is not grpc.aio.EOF
        return ""

    def service_token(self, name: str, *, ended: bool = False) -> str:
        """A token by which a service calls others."""
        secret = read_secret(self.stack.directory / "keys" / "service.secret")
        clock: Callable[[], int] = system_clock
        if ended:
            clock = lambda: system_clock() - HOUR_MS  # noqa: E731  # a def needs more words
        return ServiceTokens(name, secret, clock).current()

    def signed(self, player_id: str, ring: KeyRing | None = None, *, ended: bool = False) -> str:
        """A player's access token, made here instead of by matchmaking."""
        ring = ring or KeyRing.load(self.stack.directory / "keys" / "signing.json")
        now = system_clock() - (2 * HOUR_MS if ended else 0)
        return ring.sign(player_id, now_ms=now, expires_at_ms=now + HOUR_MS)


@dataclass(frozen=True, slots=True)
class Person:
    """A player with tokens that are good."""

    player_id: str
    token: str
    refresh_token: str


@dataclass(frozen=True, slots=True)
class Match:
    """A match of three: `seat` is to act and the holder's, `other_seat` somebody else's."""

    match_id: str
    seat: int
    other_seat: int
    revision: int
    action: play.Action


@dataclass(frozen=True, slots=True)
class Scene:
    """What requests in the table are made of. `match` is closed to strangers, `watched` not."""

    holder: Person
    other: Person
    former: Person
    stranger: Person
    match: Match
    watched: Match
    signed_out: str
    deleted: str
    table: mm.Table
    left_table: mm.Table
    invited_to: mm.Table
    ticket_id: str
    recovery_code: str
    link_code: str
    friend_code: str

    def at_watched(self) -> Scene:
        """The same, speaking of the match that is open to spectators."""
        return replace(self, match=self.watched)


async def make_scene(site: Site) -> Scene:
    """Everything new, so that a test may use it up."""
    people = [await _sign_in(site) for _ in range(5)]
    closed = await _played(site, people[:3], spectators=False)
    holder, other, former = (people[number] for number in closed.order)
    watched = await _played(site, [holder, other, former], spectators=True)
    stranger = people[3]
    table = await _open(site, holder, [SELF, OPEN])
    left = await _open(site, holder, [SELF, OPEN, OPEN])
    await _join(site, former, left)
    await site.call(
        "matchmaking.v1.MatchmakingService/LeaveTable",
        mm.LeaveTableRequest(table_id=left.table_id),
        former.token,
    )
    invited_to = await _befriend_and_invite(site, other, holder)
    ticket = await site.call(
        "matchmaking.v1.TicketsService/OpenTicket",
        tickets_service_pb2.OpenTicketRequest(request_id=fresh_id(), game="socker", seats=2),
        holder.token,
    )
    accounts = "matchmaking.v1.AccountsService"
    recovery = await site.call(
        f"{accounts}/CreateRecoveryCode",
        accounts_service_pb2.CreateRecoveryCodeRequest(),
        holder.token,
    )
    link = await site.call(
        f"{accounts}/CreateLinkCode", accounts_service_pb2.CreateLinkCodeRequest(), holder.token
    )
    friend = await site.call(
        "matchmaking.v1.FriendsService/GetFriendCode",
        friends_service_pb2.GetFriendCodeRequest(),
        stranger.token,
    )
    deleted = people[4]
    await site.call(
        f"{accounts}/DeleteAccount", accounts_service_pb2.DeleteAccountRequest(), deleted.token
    )
    signed_out = await _signed_out(site)
    return Scene(
        holder,
        other,
        former,
        stranger,
        closed.match,
        watched.match,
        signed_out,
        deleted.token,
        table,
        left,
        invited_to,
        ticket.ticket.ticket_id,
        recovery.recovery_code,
        link.link_code,
        friend.friend_code,
    )


async def _sign_in(site: Site) -> Person:
    answer = await site.call(
        "matchmaking.v1.MatchmakingService/SignInGuest",
        mm.SignInGuestRequest(request_id=fresh_id()),
        None,
    )
    tokens = answer.tokens
    return Person(answer.player.player_id, tokens.access_token, tokens.refresh_token)


async def _signed_out(site: Site) -> str:
    somebody = await _sign_in(site)
    await site.call(
        "matchmaking.v1.AccountsService/SignOutEverywhere",
        accounts_service_pb2.SignOutEverywhereRequest(),
        somebody.token,
    )
    return somebody.token


async def _open(site: Site, host: Person, seats: list[mm.SeatRequest], **fields: Any) -> mm.Table:
    request = mm.OpenTableRequest(
        request_id=fresh_id(),
        game="socker" if len(seats) == 2 else "sock_monsters",
        seats=seats,
        **fields,
    )
    method = "matchmaking.v1.MatchmakingService/OpenTable"
    table: mm.Table = (await site.call(method, request, host.token)).table
    return table


async def _join(site: Site, guest: Person, table: mm.Table) -> mm.Table:
    request = mm.JoinTableRequest(request_id=fresh_id(), invitation_code=table.invitation_code)
    method = "matchmaking.v1.MatchmakingService/JoinTable"
    joined: mm.Table = (await site.call(method, request, guest.token)).table
    return joined


@dataclass(frozen=True, slots=True)
class _Played:
    match: Match
    order: tuple[int, int, int]
    """Of the people: who is to act, who is not, who has given up."""


async def _played(site: Site, people: list[Person], *, spectators: bool) -> _Played:
    chosen = play.TableRules(spectators=spectators)
    table = await _open(site, people[0], [SELF, OPEN, OPEN], rules=chosen)
    for guest in people[1:]:
        table = await _join(site, guest, table)
    match_id = table.match_id
    assert match_id, table
    look = rules.GetMatchRequest(match_id=match_id)
    get = "rules.v1.RulesService/GetMatch"
    acting = (await site.call(get, look, people[0].token)).match.actor
    other_seat, given_up = ((acting + step) % 3 for step in (1, 2))
    await site.call(
        "rules.v1.RulesService/Resign",
        rules.ResignRequest(match_id=match_id, seat=given_up, request_id=fresh_id()),
        people[given_up].token,
    )
    now = (await site.call(get, look, people[acting].token)).match
    assert now.actor == acting, "the others play on"
    (view,) = now.views
    match = Match(match_id, acting, other_seat, now.revision, view.legal_actions[0])
    return _Played(match, (acting, other_seat, given_up))


async def _befriend_and_invite(site: Site, host: Person, guest: Person) -> mm.Table:
    friends = "matchmaking.v1.FriendsService"
    code = await site.call(
        f"{friends}/GetFriendCode", friends_service_pb2.GetFriendCodeRequest(), guest.token
    )
    add = friends_service_pb2.AddFriendRequest(friend_code=code.friend_code)
    await site.call(f"{friends}/AddFriend", add, host.token)
    table = await _open(site, host, [SELF, OPEN])
    invitation = lobby_service_pb2.InviteFriendRequest(
        table_id=table.table_id, player_id=guest.player_id
    )
    await site.call("matchmaking.v1.LobbyService/InviteFriend", invitation, host.token)
    return table


async def close(site: Site) -> None:
    """Close all connections."""
    await asyncio.gather(*(channel.close() for channel in site.channels.values()))
