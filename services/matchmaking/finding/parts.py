"""Putting together what brings players to tables: services for the server, work for the sweeps."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from oddsocks.matchmaking.v1.inbox_service_pb2_grpc import add_InboxServiceServicer_to_server
from oddsocks.matchmaking.v1.lobby_service_pb2_grpc import add_LobbyServiceServicer_to_server
from oddsocks.matchmaking.v1.ratings_service_pb2_grpc import add_RatingsServiceServicer_to_server
from oddsocks.matchmaking.v1.tickets_service_pb2_grpc import add_TicketsServiceServicer_to_server
from services.common.limits import Limiter
from services.common.server import Register
from services.matchmaking.finding.lobby import Lobby
from services.matchmaking.finding.servicer import (
    LobbyServicer,
    RatingsServicer,
    TicketsServicer,
)
from services.matchmaking.finding.tickets import Tickets
from services.matchmaking.inbox.following import Inbox
from services.matchmaking.inbox.mine import Mine
from services.matchmaking.inbox.phrases import OFTEN, Phrases
from services.matchmaking.inbox.servicer import InboxServicer
from services.matchmaking.people.accounts import Accounts
from services.matchmaking.ratings.counting import Ratings
from services.matchmaking.tables import Tables

TICKETS: Final = "oddsocks.matchmaking.v1.TicketsService"
LOBBY: Final = "oddsocks.matchmaking.v1.LobbyService"
INBOX: Final = "oddsocks.matchmaking.v1.InboxService"
RATINGS: Final = "oddsocks.matchmaking.v1.RatingsService"

Work = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Finding:
    """Tickets, lobby and ratings, beside the tables they lead to."""

    accounts: Accounts
    tables: Tables
    tickets: Tickets
    ratings: Ratings
    phrases: Phrases

    @staticmethod
    def of(accounts: Accounts, tables: Tables) -> Finding:
        """The same database, neighbours, bells and clock as the tables have."""
        engine, rules = tables.engine, tables.rules
        tickets = Tickets(engine, rules, tables.ai, tables.starter, tables.bells, tables.clock)
        phrases = Phrases(engine, rules, tables.bells, tables.clock, Limiter(OFTEN, tables.clock))
        return Finding(accounts, tables, tickets, Ratings(engine, rules), phrases)

    def inbox(self, draining: asyncio.Event, heartbeat_s: float) -> Inbox:
        """How inboxes are followed."""
        tables = self.tables
        return Inbox(tables.engine, self.mine, tables.bells, tables.clock, draining, heartbeat_s)

    @property
    def mine(self) -> Mine:
        """What concerns a player."""
        return Mine(self.tables.engine, self.tables.rules)

    def services(self, inbox: Inbox) -> list[tuple[str, Register]]:
        """Names and how to register them."""
        tickets = TicketsServicer(self.accounts, self.tickets)
        lobby = LobbyServicer(
            self.accounts,
            Lobby(self.tables.engine, self.tables.bells, self.tables.clock),
            self.tables,
        )
        ratings = RatingsServicer(self.accounts, self.ratings)
        inboxes = InboxServicer(self.accounts, inbox, self.phrases)
        return [
            (TICKETS, lambda s: add_TicketsServiceServicer_to_server(tickets, s)),
            (LOBBY, lambda s: add_LobbyServiceServicer_to_server(lobby, s)),
            (INBOX, lambda s: add_InboxServiceServicer_to_server(inboxes, s)),
            (RATINGS, lambda s: add_RatingsServiceServicer_to_server(ratings, s)),
        ]
