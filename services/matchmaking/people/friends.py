"""Friends, by a code told from mouth to mouth, and players one wants nothing to do with.

A friend code is its owner's consent, so both are friends at once. A block ends a friendship and
keeps another from coming about; the blocked player is told nothing. What a block means at tables
is asked of between.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.clock import Clock
from services.common.errors import RefusedError, invalid_field
from services.common.transactions import reading, writing
from services.matchmaking.guesses import Guesses
from services.matchmaking.model import Position, page_of
from services.matchmaking.names import read_id, read_typed
from services.matchmaking.people import account_store, friend_store
from services.matchmaking.people.codes import FRIEND_LENGTH, new_code
from services.matchmaking.people.model import Account, Known
from services.matchmaking.people.there import nobody_there

MOST_FRIENDS: Final = 200
MOST_BLOCKED: Final = 1_000
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Friends:
    """Whom a player knows. Each method's `me` is the caller."""

    engine: AsyncEngine
    guesses: Guesses
    clock: Clock

    async def code(self, me: Account) -> str:
        """The caller's friend code, made when first asked for."""
        async with reading(self.engine) as db:
            known = await account_store.friend_code(db, me.player_id)
        return known or await self._make_code(me, anew=False)

    async def renew_code(self, me: Account) -> str:
        """Another friend code in place of the one before."""
        return await self._make_code(me, anew=True)

    async def _make_code(self, me: Account, *, anew: bool) -> str:
        """A new code, or unless `anew` the one that another call has made meanwhile."""
        for _ in range(_TRIES):
            code = new_code(FRIEND_LENGTH)
            try:
                async with writing(self.engine) as db:
                    if await account_store.lock(db, me.player_id) is None:
                        raise nobody_there()
                    known = await account_store.friend_code(db, me.player_id)
                    if known and not anew:
                        return known
                    await account_store.change(db, me.player_id, friend_code=code)
            except IntegrityError:  # once in many millions: somebody else has it
                continue
            return code
        raise RefusedError(ErrorReason.ERROR_REASON_UNAVAILABLE, "too busy: try again")

    async def add(self, me: Account, typed: str) -> Account:
        """Become friends with the player of a friend code.

        Raises `RefusedError` INVALID_FIELD (also for one's own), CODE_NOT_FOUND, PLAYER_BLOCKED,
        LIST_FULL, or RATE_LIMITED after many wrong ones.
        """
        code = read_typed(typed, "friend_code", FRIEND_LENGTH)
        self.guesses.check(me.player_id)
        async with writing(self.engine) as db:
            found = await account_store.account_by_friend_code(db, code)
            if found is not None and found.player_id == me.player_id:
                raise invalid_field("friend_code", "is your own")
            if found is not None and await self._befriend(db, me, found):
                return found
        # Who is blocked is told the same as who mistyped.
        self.guesses.wrong(me.player_id)
        raise RefusedError(ErrorReason.ERROR_REASON_CODE_NOT_FOUND, "no such friend code")

    async def _befriend(self, db: AsyncConnection, me: Account, other: Account) -> bool:
        # Locked, since the other may block me, or be deleted, at this moment.
        both = await account_store.lock_all(db, (me.player_id, other.player_id))
        blocks = await friend_store.blocks_between(db, me.player_id, other.player_id)
        if me.player_id in blocks:
            raise RefusedError(
                ErrorReason.ERROR_REASON_PLAYER_BLOCKED, "you have blocked this player"
            )
        if len(both) < 2 or blocks:
            return False
        if await friend_store.are_friends(db, me.player_id, other.player_id):
            return True
        for who in both:
            if await friend_store.count_friends(db, who) >= MOST_FRIENDS:
                raise _full(MOST_FRIENDS, "friends")
        await friend_store.befriend(db, me.player_id, other.player_id, self.clock())
        return True

    async def remove(self, me: Account, player_id: str) -> None:
        """Be friends no more; nothing to do where nobody was."""
        read_id(player_id, "player_id")
        async with writing(self.engine) as db:
            await friend_store.part(db, me.player_id, player_id)

    async def block(self, me: Account, player_id: str) -> None:
        """Block a player; raises `RefusedError` INVALID_FIELD, PLAYER_NOT_FOUND, LIST_FULL."""
        read_id(player_id, "player_id")
        if player_id == me.player_id:
            raise invalid_field("player_id", "is you")
        async with writing(self.engine) as db:
            both = await account_store.lock_all(db, (me.player_id, player_id))
            if player_id not in both:
                raise RefusedError(ErrorReason.ERROR_REASON_PLAYER_NOT_FOUND, "no such player")
            if me.player_id not in await friend_store.blocks_between(db, me.player_id, player_id):
                if await friend_store.count_blocked(db, me.player_id) >= MOST_BLOCKED:
                    raise _full(MOST_BLOCKED, "blocked players")
                await friend_store.block(db, me.player_id, player_id, self.clock())
            await friend_store.part(db, me.player_id, player_id)

    async def unblock(self, me: Account, player_id: str) -> None:
        """Take a block back; nothing to do where there is none."""
        read_id(player_id, "player_id")
        async with writing(self.engine) as db:
            await friend_store.unblock(db, me.player_id, player_id)

    async def friends(
        self, me: Account, size: int, after: Position | None
    ) -> tuple[list[Known], Position | None]:
        """A page of the caller's friends, newest first, and where the next one begins."""
        async with reading(self.engine) as db:
            found = await friend_store.friends(db, me.player_id, size + 1, after)
        return page_of(found, size, _place)

    async def blocked(
        self, me: Account, size: int, after: Position | None
    ) -> tuple[list[Known], Position | None]:
        """A page of those whom the caller has blocked, newest first, and where the next begins."""
        async with reading(self.engine) as db:
            found = await friend_store.blocked(db, me.player_id, size + 1, after)
        return page_of(found, size, _place)


def _place(known: Known) -> Position:
    return Position(known.since_ms, known.account.player_id)


def _full(limit: int, what: str) -> RefusedError:
    return RefusedError(
        ErrorReason.ERROR_REASON_LIST_FULL, f"no more than {limit} {what}", limit=limit
    )
