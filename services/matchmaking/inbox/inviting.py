"""Inviting players: into their inboxes, and onto their phones while the app is closed."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy.ext.asyncio import AsyncConnection

from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.people.there import are_there
from services.matchmaking.push import store as push_store
from services.matchmaking.push.senders import Kind


async def invite(
    db: AsyncConnection,
    table_id: str,
    player_ids: Collection[str],
    inviter_id: str,
    now_ms: int,
) -> None:
    """Invite players to a table, in the caller's transaction, which has locked or made it.

    None of them may have been invited there before. Those whose accounts are gone are left out.
    """
    there = sorted(await are_there(db, player_ids))
    for player_id in there:
        await inbox_store.invite(db, table_id, player_id, inviter_id, now_ms)
    await inbox_store.bump(db, there)
    calls = [push_store.Call(player_id, Kind.INVITED, table_id) for player_id in there]
    await push_store.post(db, calls, now_ms)
