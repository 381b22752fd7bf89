"""Deleting an account: what goes, what stays without a name.

What holds a player's id says in the schema what becomes of it, so that a new table can't be
forgotten. Copies elsewhere: rules is told by the herald; logs and Redis hold no names.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlalchemy import delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.common.sessions import EndedSessions
from services.common.transactions import writing
from services.matchmaking import pairing, store
from services.matchmaking import schema as s
from services.matchmaking.model import Status
from services.matchmaking.people import account_store
from services.matchmaking.people.accounts import Accounts
from services.matchmaking.people.codes import digest
from services.matchmaking.people.herald import Herald
from services.matchmaking.people.model import GUEST, Account


@dataclass(frozen=True, slots=True)
class Deletion:
    """Deletes accounts."""

    accounts: Accounts
    ended: EndedSessions
    herald: Herald

    async def delete(self, account: Account) -> None:
        """Delete an account for good. Tables that wait are left; matches keep a guest's seat."""
        player_id = account.player_id
        async with writing(self.accounts.engine) as db:
            # First of all, and alone: whoever writes anything of the player has asked before.
            before = await self.accounts.lock_to_delete(db, account)
            await _leave_tables(db, player_id)
            await _forget(db, player_id)
            generation = before.generation + 1
            await account_store.change(
                db,
                player_id,
                display_name=GUEST,
                sign_in_sha256=digest(secrets.token_hex(16)),
                picture="",
                language="",
                generation=generation,
                recovery_sha256=None,
                friend_code=None,
                deleted_at_ms=self.accounts.clock(),
            )
            await self.ended.note(db, player_id, generation, deleted=True)
            await self.herald.note(db, player_id, generation, deleted=True)
        await self.ended.read()
        await self.herald.tell_soon(player_id)


async def _leave_tables(db: AsyncConnection, player_id: str) -> None:
    seats, tables = s.table_seats.c, s.tables.c
    here = select(seats.table_id).where(seats.player_id == player_id)
    open_ones = await db.scalars(
        select(tables.table_id)
        .where(tables.status == Status.OPEN.value)
        .where(or_(tables.host_id == player_id, tables.table_id.in_(here)))
        .order_by(tables.table_id)
    )
    found = [await store.table_by_id(db, table_id, lock=True) for table_id in open_ones.all()]
    waiting = [table for table in found if table is not None and table.status is Status.OPEN]
    await store.tell(db, waiting)
    for table in waiting:
        await store.save_table(db, table, pairing.leave(table, player_id))
    # Nobody will come to take what is kept for them: it is free for others.
    kept = (seats.player_id == player_id) & seats.kept.is_(True)
    free = {"player_id": None, "kept": False, "display_name": ""}
    await db.execute(update(s.table_seats).where(kept).values(**free))
    theirs = seats.player_id == player_id
    await db.execute(update(s.table_seats).where(theirs).values(display_name=GUEST))


async def _forget(db: AsyncConnection, player_id: str) -> None:
    await account_store.delete_tokens(db, player_id)
    for table in reversed(s.metadata.sorted_tables):  # what refers to other rows first
        columns = [c for c in table.columns if c.info.get(s.ON_DELETION) == "forget"]
        if columns:
            theirs = or_(*(column == player_id for column in columns))
            # In one order, so that friends who delete themselves at once wait in turn.
            key = table.primary_key.columns
            await db.execute(select(*key).where(theirs).order_by(*key).with_for_update())
            await db.execute(delete(table).where(theirs))
