"""What is between players: who must not be seated with whom, who is whose friend.

Functions work in the caller's transaction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.matchmaking import schema as s

_blocks = s.blocks.c
_friends = s.friends.c
_MOST_NAMED = 500
"""More ids than this are not named in a statement: then all blocks are read."""


async def blocked(db: AsyncConnection, player_ids: Collection[str]) -> dict[str, set[str]]:
    """For each player all those whom they blocked or who blocked them; nobody: left out."""
    query = select(_blocks.player_id, _blocks.blocked_id)
    if len(player_ids) <= _MOST_NAMED:
        ids = list(player_ids)
        query = query.where(or_(_blocks.player_id.in_(ids), _blocks.blocked_id.in_(ids)))
    pairs: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in await db.execute(query):
        pairs[one].add(other)
        pairs[other].add(one)
    return {player_id: pairs[player_id] for player_id in player_ids if player_id in pairs}


async def blocked_by(db: AsyncConnection, player_id: str) -> set[str]:
    """All whom a player blocked or who blocked the player."""
    return (await blocked(db, [player_id])).get(player_id, set())


async def require_friend(db: AsyncConnection, player_id: str, friend_id: str) -> None:
    """Raise `RefusedError` PLAYER_NOT_FOUND unless the two are friends, and neither blocked the
    other. Strangers are told the same as who names somebody that never was.
    """
    where = (_friends.player_id == player_id) & (_friends.friend_id == friend_id)
    known = await db.scalar(select(_friends.friend_id).where(where))
    if known is None or friend_id in await blocked_by(db, player_id):
        raise RefusedError(
            ErrorReason.ERROR_REASON_PLAYER_NOT_FOUND, "no friend of yours", player_id=friend_id
        )
