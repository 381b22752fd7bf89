"""Guest accounts and the tokens that prove them.

Access tokens are signed and short; refresh tokens are random, stored as digests only, and change
at every use. Nothing here logs a name, a request id or a token.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import KeyRing
from services.common.clock import Clock
from services.common.errors import RefusedError
from services.matchmaking import schema as s
from services.matchmaking import store
from services.matchmaking.model import Person
from services.matchmaking.names import read_id, read_name
from services.matchmaking.refreshing import RefreshToken, Verdict, judge

GUEST: Final = "Guest"
SHORTEST_SECRET: Final = 16
"""A sign-in's request id gives the account back, so it must be hard to guess."""
KEEP_EXPIRED_MS: Final = 7 * 24 * 3_600_000
"""How long an expired refresh token is still told from one that never was."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Proof of who calls; times in milliseconds since 1970 UTC."""

    access: str
    access_expires_at_ms: int
    refresh: str
    refresh_expires_at_ms: int


@dataclass(frozen=True, slots=True)
class Accounts:
    """Signs guests in. `access_ms` and `refresh_ms` are the lifetimes of tokens."""

    engine: AsyncEngine
    ring: KeyRing
    clock: Clock
    access_ms: int
    refresh_ms: int

    async def sign_in_guest(self, request_id: str, display_name: str) -> tuple[Person, Tokens]:
        """A new account, or again the one that this request id made, with fresh tokens.

        Raises `RefusedError` INVALID_FIELD or REQUEST_ID_REUSED (with another name).
        """
        read_id(request_id, "request_id", shortest=SHORTEST_SECRET)
        name = read_name(display_name, "display_name", GUEST)
        try:
            player = await self._account(request_id, name)
        except IntegrityError:  # the same sign-in, at the same moment: now it is there
            player = await self._account(request_id, name)
        if player.display_name != name:
            raise RefusedError(
                ErrorReason.ERROR_REASON_REQUEST_ID_REUSED,
                "this request id signed in somebody of another name",
                request_id=request_id,
            )
        family_id = secrets.token_hex(16)
        async with store.writing(self.engine) as db:
            await db.execute(
                insert(s.token_families).values(family_id=family_id, player_id=player.player_id)
            )
            return player, await self._issue(db, family_id, player.player_id)

    async def refresh(self, refresh_token: str) -> Tokens:
        """Fresh tokens for a refresh token, which thereby ends.

        Raises `RefusedError` TOKEN_EXPIRED or TOKEN_INVALID. One that was used over a minute ago
        has been copied: every token that descends from the same sign-in ends.
        """
        digest, now = _digest(refresh_token), self.clock()
        async with store.writing(self.engine) as db:
            family_id = await db.scalar(
                select(s.refresh_tokens.c.family_id).where(
                    s.refresh_tokens.c.token_sha256 == digest
                )
            )
            if family_id is None:
                raise _invalid()
            player_id, token = await self._locked(db, family_id, digest)
            verdict = judge(token, now)
            if verdict is Verdict.ROTATE:
                await db.execute(
                    update(s.refresh_tokens)
                    .where(s.refresh_tokens.c.token_sha256 == digest)
                    .values(used_at_ms=now)
                )
            if verdict in (Verdict.ROTATE, Verdict.REPEAT):
                return await self._issue(db, family_id, player_id)
            if verdict is Verdict.REUSED:
                await db.execute(
                    update(s.token_families)
                    .where(s.token_families.c.family_id == family_id)
                    .values(revoked_at_ms=now)
                )
        # Raised only here: a refusal within the block would undo the revocation.
        if verdict is Verdict.EXPIRED:
            raise RefusedError(
                ErrorReason.ERROR_REASON_TOKEN_EXPIRED, "the refresh token has ended"
            )
        raise _invalid()

    async def player(self, player_id: str) -> Person:
        """Who a player is; raises `RefusedError` PLAYER_NOT_FOUND."""
        async with store.reading(self.engine) as db:
            name = await store.player_name(db, player_id)
        if name is None:
            raise RefusedError(
                ErrorReason.ERROR_REASON_PLAYER_NOT_FOUND, "no such player: sign in again"
            )
        return Person(player_id, name)

    async def tidy(self) -> None:
        """Forget refresh tokens that ended long ago, and families without any."""
        tokens = s.refresh_tokens.c
        async with store.writing(self.engine) as db:
            await db.execute(
                delete(s.refresh_tokens).where(
                    tokens.expires_at_ms < self.clock() - KEEP_EXPIRED_MS
                )
            )
            await db.execute(
                delete(s.token_families).where(
                    ~select(tokens.family_id)
                    .where(tokens.family_id == s.token_families.c.family_id)
                    .exists()
                )
            )

    async def _account(self, request_id: str, name: str) -> Person:
        digest = _digest(request_id)
        players = s.players.c
        async with store.writing(self.engine) as db:
            known = await db.execute(
                select(players.player_id, players.display_name).where(
                    players.sign_in_sha256 == digest
                )
            )
            if (row := known.first()) is not None:
                return Person(row.player_id, row.display_name)
            player = Person(secrets.token_hex(16), name)
            await db.execute(
                insert(s.players).values(
                    player_id=player.player_id,
                    display_name=player.display_name,
                    sign_in_sha256=digest,
                    created_at_ms=self.clock(),
                )
            )
            return player

    async def _locked(
        self, db: AsyncConnection, family_id: str, digest: str
    ) -> tuple[str, RefreshToken]:
        """Lock the family, then read: two uses of one token at once must see each other."""
        families, tokens = s.token_families.c, s.refresh_tokens.c
        family = (
            await db.execute(
                select(families.player_id, families.revoked_at_ms)
                .where(families.family_id == family_id)
                .with_for_update()
            )
        ).one()
        token = (
            await db.execute(
                select(tokens.expires_at_ms, tokens.used_at_ms).where(tokens.token_sha256 == digest)
            )
        ).one()
        return family.player_id, RefreshToken(
            token.expires_at_ms, token.used_at_ms, family.revoked_at_ms
        )

    async def _issue(self, db: AsyncConnection, family_id: str, player_id: str) -> Tokens:
        now = self.clock()
        # A token's end is whole seconds; say the same to the client.
        access_ends = (now + self.access_ms) // 1_000 * 1_000
        refresh, refresh_ends = secrets.token_urlsafe(32), now + self.refresh_ms
        await db.execute(
            insert(s.refresh_tokens).values(
                token_sha256=_digest(refresh), family_id=family_id, expires_at_ms=refresh_ends
            )
        )
        access = self.ring.sign(player_id, now_ms=now, expires_at_ms=access_ends)
        return Tokens(access, access_ends, refresh, refresh_ends)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _invalid() -> RefusedError:
    return RefusedError(ErrorReason.ERROR_REASON_TOKEN_INVALID, "not a valid refresh token")
