"""Players, their sessions and codes in SQL. Functions work in the caller's transaction.

Secrets come in as digests: what is stored here signs nobody in. What changes an account or opens
a session of it locks its row first, so that a sign-out everywhere misses none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.matchmaking import schema as s
from services.matchmaking.model import Person
from services.matchmaking.people.model import Account
from services.matchmaking.people.refreshing import RefreshToken

_players = s.players.c
_families = s.token_families.c
_tokens = s.refresh_tokens.c
_links = s.link_codes.c
_there = _players.deleted_at_ms.is_(None)


@dataclass(frozen=True, slots=True)
class LinkCode:
    """A link code; `used_by_sha256` is the digest of the request that used it up."""

    player_id: str
    expires_at_ms: int
    used_by_sha256: str | None


async def account(db: AsyncConnection, player_id: str) -> Account | None:
    """An account by its player's id; None for a deleted one, too."""
    return await _account(db, _players.player_id == player_id)


async def account_by_friend_code(db: AsyncConnection, friend_code: str) -> Account | None:
    """The account of a friend code."""
    return await _account(db, _players.friend_code == friend_code)


async def lock(db: AsyncConnection, player_id: str) -> Account | None:
    """The same as `account`, locked."""
    return await _account(db, _players.player_id == player_id, locked=True)


async def lock_to_delete(db: AsyncConnection, player_id: str) -> Account | None:
    """The same, for itself alone: it waits for all who rely on the player being there (there.py),
    and nobody comes to do so until the transaction ends.
    """
    return await _account(db, _players.player_id == player_id, alone=True)


async def lock_all(db: AsyncConnection, player_ids: Iterable[str]) -> dict[str, Account]:
    """Several accounts, locked; in the order of their ids, so that nobody waits in a circle."""
    found = [await lock(db, player_id) for player_id in sorted(set(player_ids))]
    return {account.player_id: account for account in found if account is not None}


async def lock_by_sign_in(db: AsyncConnection, sign_in_sha256: str) -> Account | None:
    """The account a sign-in made, locked."""
    return await _account(db, _players.sign_in_sha256 == sign_in_sha256, locked=True)


async def lock_by_recovery(db: AsyncConnection, recovery_sha256: str) -> Account | None:
    """The account of a recovery code, locked."""
    return await _account(db, _players.recovery_sha256 == recovery_sha256, locked=True)


async def _account(
    db: AsyncConnection,
    where: ColumnElement[bool],
    *,
    locked: bool = False,
    alone: bool = False,
) -> Account | None:
    query = select(s.players).where(where, _there)
    if locked or alone:
        # Not the key unless alone: what refers to the player's id, such as a new table, need not
        # wait.
        query = query.with_for_update(key_share=not alone)
    row = (await db.execute(query)).first()
    return None if row is None else as_account(row)


def as_account(row: Row[Any]) -> Account:
    """A row that holds all columns of `players`."""
    return Account(
        Person(row.player_id, row.display_name),
        row.picture,
        row.language,
        row.generation,
        row.recovery_sha256 is not None,
    )


async def add_player(
    db: AsyncConnection, new: Person, sign_in_sha256: str, created_at_ms: int
) -> None:
    """A new account."""
    values = {"sign_in_sha256": sign_in_sha256, "created_at_ms": created_at_ms}
    await db.execute(
        insert(s.players).values(player_id=new.player_id, display_name=new.display_name, **values)
    )


async def change(db: AsyncConnection, player_id: str, **values: object) -> None:
    """Write columns of a player."""
    await db.execute(update(s.players).where(_players.player_id == player_id).values(**values))


async def friend_code(db: AsyncConnection, player_id: str) -> str | None:
    """A player's friend code, if there is one yet."""
    where = _players.player_id == player_id
    return await db.scalar(select(_players.friend_code).where(where))


# --- sessions -------------------------------------------------------------------------------------


async def add_family(db: AsyncConnection, family_id: str, player_id: str) -> None:
    """A family: all refresh tokens that will descend from one sign-in."""
    await db.execute(insert(s.token_families).values(family_id=family_id, player_id=player_id))


async def add_token(
    db: AsyncConnection, token_sha256: str, family_id: str, expires_at_ms: int
) -> None:
    """A new refresh token."""
    values = {"family_id": family_id, "expires_at_ms": expires_at_ms}
    await db.execute(insert(s.refresh_tokens).values(token_sha256=token_sha256, **values))


async def lock_token(db: AsyncConnection, token_sha256: str) -> RefreshToken | None:
    """A refresh token, its family locked: two uses at once see each other."""
    this = _tokens.token_sha256 == token_sha256
    family_id = await db.scalar(select(_tokens.family_id).where(this))
    if family_id is None:
        return None
    found = await db.execute(
        select(_families.player_id, _families.revoked_at_ms)
        .where(_families.family_id == family_id)
        .with_for_update()
    )
    # Read only under the lock: before it, another use may not have been noted yet, and the account
    # may have been deleted meanwhile.
    family = found.first()
    used = await db.execute(select(_tokens.expires_at_ms, _tokens.used_at_ms).where(this))
    token = used.first()
    if family is None or token is None:
        return None
    return RefreshToken(
        family_id=family_id,
        player_id=family.player_id,
        expires_at_ms=token.expires_at_ms,
        used_at_ms=token.used_at_ms,
        revoked_at_ms=family.revoked_at_ms,
    )


async def note_use(db: AsyncConnection, token_sha256: str, now_ms: int) -> None:
    """A refresh token was traded in."""
    this = _tokens.token_sha256 == token_sha256
    await db.execute(update(s.refresh_tokens).where(this).values(used_at_ms=now_ms))


async def revoke(db: AsyncConnection, family_id: str, now_ms: int) -> None:
    """End all tokens of a family."""
    this = _families.family_id == family_id
    await db.execute(update(s.token_families).where(this).values(revoked_at_ms=now_ms))


async def revoke_all(db: AsyncConnection, player_id: str, now_ms: int, *, but: str = "") -> None:
    """End all tokens of a player but those of one family."""
    theirs = (_families.player_id == player_id) & (_families.family_id != but)
    await db.execute(
        update(s.token_families)
        .where(theirs, _families.revoked_at_ms.is_(None))
        .values(revoked_at_ms=now_ms)
    )


async def delete_tokens(db: AsyncConnection, player_id: str) -> None:
    """Delete all refresh tokens of a player; their families are left, locked."""
    theirs = select(_families.family_id).where(_families.player_id == player_id)
    # A refresh that is under way would leave a token behind that nobody sees yet.
    await db.execute(theirs.order_by(_families.family_id).with_for_update())
    await db.execute(delete(s.refresh_tokens).where(_tokens.family_id.in_(theirs)))


async def forget_tokens(db: AsyncConnection, expired_before_ms: int) -> None:
    """Delete refresh tokens that ended before a time, and families without any."""
    await db.execute(delete(s.refresh_tokens).where(_tokens.expires_at_ms < expired_before_ms))
    any_left = select(_tokens.family_id).where(_tokens.family_id == _families.family_id)
    await db.execute(delete(s.token_families).where(~any_left.exists()))


# --- link codes -----------------------------------------------------------------------------------


async def add_link_code(
    db: AsyncConnection, code_sha256: str, player_id: str, expires_at_ms: int
) -> None:
    """A link code in place of the player's unused ones."""
    await delete_link_codes(db, player_id, unused_only=True)
    values = {"player_id": player_id, "expires_at_ms": expires_at_ms}
    await db.execute(insert(s.link_codes).values(code_sha256=code_sha256, **values))


async def link_code(db: AsyncConnection, code_sha256: str) -> LinkCode | None:
    """A link code."""
    found = await db.execute(select(s.link_codes).where(_links.code_sha256 == code_sha256))
    row = found.first()
    return None if row is None else LinkCode(row.player_id, row.expires_at_ms, row.used_by_sha256)


async def use_link_code(db: AsyncConnection, code_sha256: str, used_by_sha256: str) -> None:
    """A link code is used up."""
    this = _links.code_sha256 == code_sha256
    await db.execute(update(s.link_codes).where(this).values(used_by_sha256=used_by_sha256))


async def delete_link_codes(
    db: AsyncConnection, player_id: str, *, unused_only: bool = False
) -> None:
    """Delete a player's link codes."""
    which = _links.player_id == player_id
    if unused_only:
        which &= _links.used_by_sha256.is_(None)
    await db.execute(delete(s.link_codes).where(which))


async def forget_link_codes(db: AsyncConnection, expired_before_ms: int) -> None:
    """Delete link codes that ended before a time."""
    await db.execute(delete(s.link_codes).where(_links.expires_at_ms < expired_before_ms))
