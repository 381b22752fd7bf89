"""The services, as operators may call them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from oddsocks.ai.v1 import admin_internal_service_pb2 as ai_pb
from oddsocks.ai.v1.admin_internal_service_pb2_grpc import AdminInternalServiceStub as AiStub
from oddsocks.matchmaking.v1 import admin_internal_service_pb2 as players_pb
from oddsocks.matchmaking.v1.admin_internal_service_pb2_grpc import (
    AdminInternalServiceStub as PlayersStub,
)
from oddsocks.rules.v1 import admin_internal_service_pb2 as matches_pb
from oddsocks.rules.v1 import rules_internal_service_pb2 as rules_pb
from oddsocks.rules.v1.admin_internal_service_pb2_grpc import (
    AdminInternalServiceStub as MatchesStub,
)
from oddsocks.rules.v1.rules_internal_service_pb2_grpc import RulesInternalServiceStub
from services.admin.settings import AdminSettings
from services.common.auth import ServiceTokens, read_secret
from services.common.clock import system_clock
from services.common.server import internal_channel

NAME: Final = "admin"
PAGE: Final = 500

Answer = dict[str, Any]
"""A message as JSON has it, fields named as in the contract."""


@dataclass(frozen=True, slots=True)
class Site:
    """Calls; each raises grpc's errors."""

    rules: grpc.aio.Channel
    ai: grpc.aio.Channel
    matchmaking: grpc.aio.Channel

    async def match(self, match_id: str) -> Answer:
        """A match from outside."""
        request = matches_pb.DescribeMatchRequest(match_id=match_id)
        return _plain(await MatchesStub(self.rules).DescribeMatch(request))

    async def player(self, player_id: str) -> Answer:
        """An account from outside."""
        request = players_pb.DescribePlayerRequest(player_id=player_id)
        return _plain(await PlayersStub(self.matchmaking).DescribePlayer(request))

    async def waiting(self, older_than_s: float) -> list[Answer]:
        """Agents' turns that have waited for so many seconds, oldest first."""
        request = rules_pb.ListWaitingSeatsRequest(page_size=PAGE)
        latest_ms = time.time() * 1_000 - older_than_s * 1_000
        found = []
        while True:
            page = await RulesInternalServiceStub(self.rules).ListWaitingSeats(request)
            found += [_plain(s) for s in page.seats if s.waiting_since_ms <= latest_ms]
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    async def requeue(self, match_id: str) -> Answer:
        """Ask a worker again for the seat that waits in a match."""
        request = ai_pb.RequeueRequest(match_id=match_id)
        return _plain(await AiStub(self.ai).Requeue(request))

    async def stats(self) -> Answer:
        """How many there are of what."""
        matches = await MatchesStub(self.rules).CountMatches(matches_pb.CountMatchesRequest())
        people = await PlayersStub(self.matchmaking).CountPlayers(players_pb.CountPlayersRequest())
        return {"matches": _plain(matches), "players": _plain(people)}


@asynccontextmanager
async def site(settings: AdminSettings) -> AsyncIterator[Site]:
    """The services where the settings say; raises OSError or ValueError for a bad secret."""
    tokens = ServiceTokens(NAME, read_secret(settings.service_secret_file), system_clock)
    addresses = (settings.rules_address, settings.ai_address, settings.matchmaking_address)
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(internal_channel(address, tokens))
            for address in addresses
        ]
        yield Site(*channels)


def _plain(message: Message) -> Answer:
    return MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
