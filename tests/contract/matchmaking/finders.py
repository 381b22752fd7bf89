"""Players who look for a table: tickets, lobby, ratings, inbox, on one connection each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import grpc

from oddsocks.matchmaking.v1 import inbox_service_pb2 as inbox_pb
from oddsocks.matchmaking.v1 import lobby_service_pb2 as lobby_pb
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1 import ratings_service_pb2 as ratings_pb
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets_pb
from oddsocks.matchmaking.v1.inbox_service_pb2_grpc import InboxServiceStub
from oddsocks.matchmaking.v1.lobby_service_pb2_grpc import LobbyServiceStub
from oddsocks.matchmaking.v1.ratings_service_pb2_grpc import RatingsServiceStub
from oddsocks.matchmaking.v1.tickets_service_pb2_grpc import TicketsServiceStub
from tests.contract.matchmaking.people import Device, device
from tests.contract.matchmaking.world import Guest, World, fresh_id

TIMEOUT_S = 20


@dataclass(frozen=True, slots=True)
class Finder:
    """A player on a device."""

    device: Device

    @property
    def id(self) -> str:
        """The player's id."""
        return self.device.id

    @property
    def guest(self) -> Guest:
        """The same for tables."""
        return self.device.guest

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What proves who calls."""
        return (("authorization", f"Bearer {self.device.tokens.access_token}"),)

    async def open_ticket(self, request_id: str = "", **fields: Any) -> tickets_pb.Ticket:
        """Take a ticket: a live match of Socker for two, unless told otherwise."""
        fields = {"game": "socker", "seats": 2, **fields}
        request = tickets_pb.OpenTicketRequest(request_id=request_id or fresh_id(), **fields)
        answer: tickets_pb.OpenTicketResponse = await self._tickets("OpenTicket", request)
        return answer.ticket

    async def ticket(self, ticket_id: str) -> tickets_pb.Ticket:
        """How a ticket stands."""
        request = tickets_pb.GetTicketRequest(ticket_id=ticket_id)
        answer: tickets_pb.GetTicketResponse = await self._tickets("GetTicket", request)
        return answer.ticket

    async def close_ticket(self, ticket_id: str) -> tickets_pb.Ticket:
        """Give a ticket back."""
        request = tickets_pb.CloseTicketRequest(ticket_id=ticket_id)
        answer: tickets_pb.CloseTicketResponse = await self._tickets("CloseTicket", request)
        return answer.ticket

    async def tickets(self) -> list[tickets_pb.Ticket]:
        """The tickets that wait."""
        answer = await self._tickets("ListMyTickets", tickets_pb.ListMyTicketsRequest())
        return list(answer.tickets)

    async def lobby(self, method: str, **fields: Any) -> Any:
        """A call of the lobby service."""
        return await self._call(LobbyServiceStub, lobby_pb, method, fields)

    async def ratings(self, method: str, **fields: Any) -> Any:
        """A call of the ratings service."""
        return await self._call(RatingsServiceStub, ratings_pb, method, fields)

    async def inbox(self, method: str, **fields: Any) -> Any:
        """A unary call of the inbox service."""
        return await self._call(InboxServiceStub, inbox_pb, method, fields)

    def watch(self, seen: dict[str, int] | None = None, phrases_after: int = 0) -> Any:
        """The stream of the inbox."""
        stub: Any = InboxServiceStub(self.device.channel)
        known = [pb.SeenMatch(match_id=m, revision=r) for m, r in (seen or {}).items()]
        request = inbox_pb.WatchInboxRequest(seen=known, phrases_after=phrases_after)
        return stub.WatchInbox(request, metadata=self.metadata)

    async def befriend(self, other: Finder) -> None:
        """Become friends."""
        await other.device.friends("AddFriend", friend_code=await self.device.friend_code())

    async def block(self, other: Finder) -> None:
        """Have nothing to do with somebody."""
        await self.device.friends("BlockPlayer", player_id=other.id)

    async def _tickets(self, method: str, request: Any) -> Any:
        stub: Any = TicketsServiceStub(self.device.channel)
        return await getattr(stub, method)(request, metadata=self.metadata, timeout=TIMEOUT_S)

    async def _call(self, stub: Any, messages: Any, method: str, fields: dict[str, Any]) -> Any:
        request = getattr(messages, f"{method}Request")(**fields)
        call = getattr(stub(self.device.channel), method)
        return await call(request, metadata=self.metadata, timeout=TIMEOUT_S)


async def finder(world: World, name: str = "") -> Finder:
    """Somebody new."""
    return Finder(await device(world, name))


async def second_device(world: World, one: Finder) -> Finder:
    """Another connection of the same player."""
    channel: grpc.aio.Channel = await world.channel()
    return Finder(Device(channel, one.device.player, one.device.tokens))


async def swept(world: World, name: str) -> None:
    """Do now what the service does every now and then."""
    (sweep,) = (one for one in world.service.sweeps if one.lease.name == name)
    assert await sweep.round()
