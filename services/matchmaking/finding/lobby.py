"""Tables one may come to: the open list, matches to watch, friends' invitations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.clock import Clock
from services.common.errors import RefusedError
from services.common.transactions import reading, writing
from services.matchmaking import store
from services.matchmaking.finding import lobby_store
from services.matchmaking.finding.lobby_store import Filter
from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.inbox.bells import Bells
from services.matchmaking.inbox.inviting import invite
from services.matchmaking.model import Free, Person, Position, Status, Table, page_of
from services.matchmaking.names import read_id
from services.matchmaking.people import between
from services.matchmaking.people.there import require_there

MOST_INVITED: Final = 16
"""Invitations to one table: as many as it could have seats, and some who turn it down."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """What leads players to tables. Each method's `player` is the caller, known to exist."""

    engine: AsyncEngine
    bells: Bells
    clock: Clock

    async def open_tables(
        self, player: Person, wanted: Filter, size: int, after: Position | None
    ) -> tuple[list[Table], Position | None]:
        """A page of tables that anybody may join, and where the next one begins."""
        async with reading(self.engine) as db:
            without = await between.blocked_by(db, player.player_id)
            found = await lobby_store.open_tables(db, wanted, without, size + 1, after)
        return page_of(found, size, Position.of)

    async def watchable(
        self, player: Person, game: str, size: int, after: Position | None
    ) -> tuple[list[Table], Position | None]:
        """A page of tables whose matches anybody may watch, and where the next one begins."""
        async with reading(self.engine) as db:
            without = await between.blocked_by(db, player.player_id)
            found = await lobby_store.watchable_tables(db, game, without, size + 1, after)
        return page_of(found, size, Position.of)

    async def invite(self, player: Person, table_id: str, friend_id: str) -> None:
        """Invite a friend to a table where the player sits and a seat is free.

        Raises `RefusedError` TABLE_NOT_FOUND, TABLE_CLOSED, TABLE_FULL, PLAYER_NOT_FOUND (no
        friend, or one of the two blocked the other), LIST_FULL.
        """
        read_id(table_id, "table_id")
        read_id(friend_id, "player_id")
        async with writing(self.engine) as db:
            await require_there(db, player.player_id)
            table = await store.table_by_id(db, table_id, lock=True)
            if table is None or not table.concerns(player.player_id):
                raise RefusedError(
                    ErrorReason.ERROR_REASON_TABLE_NOT_FOUND, "no such table, or not yours"
                )
            await between.require_friend(db, player.player_id, friend_id)
            if table.seats_of(friend_id):
                return
            _require_room(table)
            if not await inbox_store.is_known(db, table_id, friend_id):
                await self._invite(db, table_id, friend_id, player.player_id)
        self.bells.ring([friend_id])

    async def decline(self, player: Person, table_id: str) -> None:
        """Turn an invitation down; one that never was is turned down as well."""
        read_id(table_id, "table_id")
        async with writing(self.engine) as db:
            # The inbox first, as a deletion does: so the two wait for each other in turn.
            await inbox_store.bump(db, [player.player_id])
            await inbox_store.decline(db, table_id, player.player_id)
        self.bells.ring([player.player_id])

    async def mark_seen(self, player: Person, table_ids: Sequence[str]) -> None:
        """The player has seen these invitations."""
        async with writing(self.engine) as db:
            await inbox_store.bump(db, [player.player_id])
            await inbox_store.mark_seen(db, table_ids, player.player_id)
        self.bells.ring([player.player_id])

    async def _invite(
        self, db: AsyncConnection, table_id: str, friend_id: str, inviter_id: str
    ) -> None:
        if await inbox_store.count_invited(db, table_id) >= MOST_INVITED:
            raise RefusedError(
                ErrorReason.ERROR_REASON_LIST_FULL,
                f"{MOST_INVITED} friends have been invited to this table",
                limit=MOST_INVITED,
            )
        await invite(db, table_id, [friend_id], inviter_id, self.clock())


def _require_room(table: Table) -> None:
    if table.status is Status.CLOSED:
        raise RefusedError(ErrorReason.ERROR_REASON_TABLE_CLOSED, "the table is closed")
    if Free() not in table.seats:
        raise RefusedError(ErrorReason.ERROR_REASON_TABLE_FULL, "no seat is free")
