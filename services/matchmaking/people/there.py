"""Players whose accounts are there, and stay there for as long as a transaction lasts.

Whoever writes a row that holds a player's id asks here first, in the same transaction. A deletion
takes the player's row for itself alone (`account_store.lock_to_delete`): so it waits for those who
asked before it, and then finds all that they wrote; who asks later is told that nobody is there.
Without it a deletion could miss rows that are committed while it is under way.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.matchmaking import schema as s

_player_id = s.players.c.player_id
_there = s.players.c.deleted_at_ms.is_(None)


async def require_there(db: AsyncConnection, player_id: str) -> None:
    """Raise `RefusedError` PLAYER_NOT_FOUND for an account that is gone, or waits to be.

    Ask before any other row is locked: a deletion locks tables and more behind the player.
    """
    # The weakest lock that holds off a deletion; whoever changes the account is in nobody's way.
    query = select(_player_id).where(_player_id == player_id, _there)
    if await db.scalar(query.with_for_update(read=True, key_share=True)) is None:
        raise nobody_there()


def nobody_there() -> RefusedError:
    """The refusal of a caller whose account is gone."""
    return RefusedError(ErrorReason.ERROR_REASON_PLAYER_NOT_FOUND, "no such player: sign in again")


def those_there(player_ids: Collection[str]) -> Select[Any]:
    """A query for those of the players who are there, by id. It never waits, whatever is locked
    already: who is just being deleted is passed over.
    """
    query = select(_player_id).where(_player_id.in_(player_ids), _there).order_by(_player_id)
    return query.with_for_update(read=True, key_share=True, skip_locked=True)


async def are_there(db: AsyncConnection, player_ids: Collection[str]) -> set[str]:
    """Those of the players who are there; see `those_there`."""
    return set(await db.scalars(those_there(player_ids)))
