"""Friends and blocks in SQL. Functions work in the caller's transaction."""

from __future__ import annotations

from sqlalchemy import Table, delete, func, insert, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from services.matchmaking import schema as s
from services.matchmaking.model import Position
from services.matchmaking.people.account_store import as_account
from services.matchmaking.people.model import Known

_friends = s.friends.c
_blocks = s.blocks.c


async def befriend(db: AsyncConnection, one: str, other: str, now_ms: int) -> None:
    """Make two players friends who are not yet."""
    rows = [
        {"player_id": who, "friend_id": friend, "since_ms": now_ms}
        for who, friend in ((one, other), (other, one))
    ]
    await db.execute(insert(s.friends), rows)


async def part(db: AsyncConnection, one: str, other: str) -> None:
    """Make two players no friends."""
    pair = tuple_(_friends.player_id, _friends.friend_id)
    await db.execute(delete(s.friends).where(pair.in_([(one, other), (other, one)])))


async def are_friends(db: AsyncConnection, one: str, other: str) -> bool:
    """Whether two players are friends."""
    pair = (_friends.player_id == one) & (_friends.friend_id == other)
    return await db.scalar(select(_friends.since_ms).where(pair)) is not None


async def count_friends(db: AsyncConnection, player_id: str) -> int:
    """How many friends a player has."""
    return await _count(db, s.friends, player_id)


async def count_blocked(db: AsyncConnection, player_id: str) -> int:
    """How many a player has blocked."""
    return await _count(db, s.blocks, player_id)


async def _count(db: AsyncConnection, table: Table, player_id: str) -> int:
    query = select(func.count()).select_from(table).where(table.c.player_id == player_id)
    return int(await db.scalar(query) or 0)


async def block(db: AsyncConnection, player_id: str, blocked_id: str, now_ms: int) -> None:
    """Block a player who is not blocked yet."""
    values = {"player_id": player_id, "blocked_id": blocked_id, "since_ms": now_ms}
    await db.execute(insert(s.blocks).values(**values))


async def unblock(db: AsyncConnection, player_id: str, blocked_id: str) -> None:
    """Take a block back."""
    this = (_blocks.player_id == player_id) & (_blocks.blocked_id == blocked_id)
    await db.execute(delete(s.blocks).where(this))


async def blocks_between(db: AsyncConnection, one: str, other: str) -> set[str]:
    """Which of two players have blocked the other."""
    either = or_(
        (_blocks.player_id == one) & (_blocks.blocked_id == other),
        (_blocks.player_id == other) & (_blocks.blocked_id == one),
    )
    return set(await db.scalars(select(_blocks.player_id).where(either)))


async def friends(
    db: AsyncConnection, player_id: str, limit: int, after: Position | None
) -> list[Known]:
    """A player's friends, newest first, from behind `after`."""
    return await _known(db, s.friends, "friend_id", player_id, limit, after)


async def blocked(
    db: AsyncConnection, player_id: str, limit: int, after: Position | None
) -> list[Known]:
    """Whom a player has blocked, newest first, from behind `after`."""
    return await _known(db, s.blocks, "blocked_id", player_id, limit, after)


async def _known(
    db: AsyncConnection,
    table: Table,
    other: str,
    player_id: str,
    limit: int,
    after: Position | None,
) -> list[Known]:
    since, other_id = table.c.since_ms, table.c[other]
    query = (
        select(s.players, since)
        .join(table, s.players.c.player_id == other_id)
        .where(table.c.player_id == player_id)
        .order_by(since.desc(), other_id.desc())
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(since, other_id) < tuple_(after.opened_at_ms, after.table_id))
    return [Known(as_account(row), row.since_ms) for row in await db.execute(query)]
