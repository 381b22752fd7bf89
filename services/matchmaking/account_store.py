"""Players and refresh tokens in SQL. Functions work in the caller's transaction.

Secrets come in as digests: what is stored here signs nobody in.
"""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.matchmaking import schema as s
from services.matchmaking.model import Person
from services.matchmaking.refreshing import RefreshToken

_players = s.players.c
_families = s.token_families.c
_tokens = s.refresh_tokens.c


async def player(db: AsyncConnection, player_id: str) -> Person | None:
    """A player by id."""
    where = _players.player_id == player_id
    name = await db.scalar(select(_players.display_name).where(where))
    return None if name is None else Person(player_id, name)


async def signed_in_by(db: AsyncConnection, sign_in_sha256: str) -> Person | None:
    """The player whose account a sign-in made."""
    found = await db.execute(
        select(_players.player_id, _players.display_name).where(
            _players.sign_in_sha256 == sign_in_sha256
        )
    )
    row = found.first()
    return None if row is None else Person(row.player_id, row.display_name)


async def add_player(
    db: AsyncConnection, new: Person, sign_in_sha256: str, created_at_ms: int
) -> None:
    """A new account."""
    values = {"sign_in_sha256": sign_in_sha256, "created_at_ms": created_at_ms}
    await db.execute(
        insert(s.players).values(player_id=new.player_id, display_name=new.display_name, **values)
    )


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
    family = found.one()
    # Read only under the lock: before it, another use may not have been noted yet.
    token = (await db.execute(select(_tokens.expires_at_ms, _tokens.used_at_ms).where(this))).one()
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


async def forget_tokens(db: AsyncConnection, expired_before_ms: int) -> None:
    """Delete refresh tokens that ended before a time, and families without any."""
    await db.execute(delete(s.refresh_tokens).where(_tokens.expires_at_ms < expired_before_ms))
    any_left = select(_tokens.family_id).where(_tokens.family_id == _families.family_id)
    await db.execute(delete(s.token_families).where(~any_left.exists()))
