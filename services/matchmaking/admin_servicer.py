"""What operators may know of players: no names, codes or tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from oddsocks.matchmaking.v1 import admin_internal_service_pb2 as pb
from oddsocks.matchmaking.v1.admin_internal_service_pb2_grpc import AdminInternalServiceServicer
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import require_service
from services.common.clock import Clock
from services.common.errors import RefusedError
from services.common.interceptors import Context
from services.common.transactions import reading
from services.matchmaking import schema as s
from services.matchmaking import store
from services.matchmaking.finding import ticket_store
from services.matchmaking.model import Status
from services.matchmaking.names import read_id
from services.matchmaking.push import store as push_store

ADMIN: Final = "admin"
"""Whoever runs the command for operators."""
LATEST: Final = 20


@dataclass(frozen=True, slots=True)
class AdminServicer(AdminInternalServiceServicer):
    """See admin_internal_service.proto."""

    engine: AsyncEngine
    clock: Clock

    async def DescribePlayer(
        self, request: pb.DescribePlayerRequest, context: Context
    ) -> pb.DescribePlayerResponse:
        """An account from outside."""
        require_service(ADMIN)
        player_id = read_id(request.player_id, "player_id")
        players, devices = s.players.c, s.push_devices.c
        async with reading(self.engine) as db:
            query = select(players.created_at_ms, players.deleted_at_ms, players.generation)
            row = (await db.execute(query.where(players.player_id == player_id))).one_or_none()
            if row is None:
                raise RefusedError(ErrorReason.ERROR_REASON_PLAYER_NOT_FOUND, "no such player")
            count = await db.scalar(select(func.count()).where(devices.player_id == player_id))
            tables = await store.tables_of(db, player_id, LATEST, None)
        return pb.DescribePlayerResponse(
            created_at_ms=row.created_at_ms,
            deleted_at_ms=row.deleted_at_ms or 0,
            generation=row.generation,
            push_devices=count or 0,
            match_ids=[table.match_id for table in tables if table.match_id],
        )

    async def CountPlayers(
        self, request: pb.CountPlayersRequest, context: Context
    ) -> pb.CountPlayersResponse:
        """How many there are."""
        require_service(ADMIN)
        there = s.players.c.deleted_at_ms.is_(None)
        is_open = s.tables.c.status == Status.OPEN.value
        async with reading(self.engine) as db:
            players = await db.scalar(select(func.count()).where(there))
            tables = await db.scalar(select(func.count()).where(is_open))
            tickets = await ticket_store.count_waiting(db)
            due, _ = await push_store.oldest_due(db, self.clock())
        return pb.CountPlayersResponse(
            players=players or 0, open_tables=tables or 0, open_tickets=tickets, push_due=due
        )
