"""Guest accounts and the tokens that prove them.

Access tokens are signed and short; refresh tokens are random, stored as digests only, and change
at every use. Nothing here logs a name, a request id or a token.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import KeyRing, Kind, caller
from services.common.clock import Clock
from services.common.errors import RefusedError
from services.common.transactions import reading, writing
from services.matchmaking.model import Person
from services.matchmaking.names import read_id, read_name
from services.matchmaking.people import account_store as store
from services.matchmaking.people.codes import digest
from services.matchmaking.people.model import GUEST, Account
from services.matchmaking.people.refreshing import Verdict, judge
from services.matchmaking.people.there import nobody_there

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

    async def sign_in_guest(self, request_id: str, display_name: str) -> tuple[Account, Tokens]:
        """A new account, or again the one that this request id made, with fresh tokens.

        Raises `RefusedError` INVALID_FIELD or REQUEST_ID_REUSED (with another name).
        """
        read_id(request_id, "request_id", shortest=SHORTEST_SECRET)
        name = read_name(display_name, "display_name", GUEST)
        try:
            return await self._signed_in(request_id, name)
        except IntegrityError:  # the same sign-in, at the same moment: now it is there
            return await self._signed_in(request_id, name)

    async def refresh(self, refresh_token: str) -> Tokens:
        """Fresh tokens for a refresh token, which thereby ends.

        Raises `RefusedError` TOKEN_EXPIRED or TOKEN_INVALID. One that was used over a minute ago
        has been copied: every token that descends from the same sign-in ends.
        """
        token_sha256, now = digest(refresh_token), self.clock()
        async with writing(self.engine) as db:
            token = await store.lock_token(db, token_sha256)
            verdict = Verdict.REVOKED if token is None else judge(token, now)
            if token is not None and verdict in (Verdict.ROTATE, Verdict.REPEAT):
                account = await store.account(db, token.player_id)
                if account is not None:
                    if verdict is Verdict.ROTATE:
                        await store.note_use(db, token_sha256, now)
                    return await self._issue(db, token.family_id, account)
            if token is not None and verdict is Verdict.REUSED:
                await store.revoke(db, token.family_id, now)
        # Raised only here: a refusal within the block would undo the revocation.
        if verdict is Verdict.EXPIRED:
            raise RefusedError(
                ErrorReason.ERROR_REASON_TOKEN_EXPIRED, "the refresh token has ended"
            )
        raise RefusedError(ErrorReason.ERROR_REASON_TOKEN_INVALID, "not a valid refresh token")

    async def calling(self) -> Account:
        """The account of the player who makes the call being served.

        Raises `RefusedError` PLAYER_NOT_FOUND (also when it was deleted), or TOKEN_INVALID for a
        service, and for a player who was signed out since the token was made.
        """
        who = caller()
        if who.kind is not Kind.PLAYER:
            raise RefusedError(
                ErrorReason.ERROR_REASON_TOKEN_INVALID, "only players have accounts and tables"
            )
        async with reading(self.engine) as db:
            account = await store.account(db, who.id)
        return _still_there(account, who.generation)

    async def lock(self, db: AsyncConnection, account: Account) -> Account:
        """The caller's account once more, locked: whoever was signed out, or deleted, since it was
        read changes nothing of it. Raises like `calling`.
        """
        return _still_there(await store.lock(db, account.player_id), account.generation)

    async def lock_to_delete(self, db: AsyncConnection, account: Account) -> Account:
        """The same for who is to be deleted; see `account_store.lock_to_delete`."""
        return _still_there(await store.lock_to_delete(db, account.player_id), account.generation)

    async def open_session(self, db: AsyncConnection, account: Account) -> Tokens:
        """Tokens for one more device of an account, whose row the caller has locked."""
        family_id = secrets.token_hex(16)
        await store.add_family(db, family_id, account.player_id)
        return await self._issue(db, family_id, account)

    async def tidy(self) -> None:
        """Forget refresh tokens and link codes that ended long ago."""
        async with writing(self.engine) as db:
            await store.forget_tokens(db, self.clock() - KEEP_EXPIRED_MS)
            await store.forget_link_codes(db, self.clock() - KEEP_EXPIRED_MS)

    async def _signed_in(self, request_id: str, name: str) -> tuple[Account, Tokens]:
        sign_in_sha256 = digest(request_id)
        async with writing(self.engine) as db:
            account = await store.lock_by_sign_in(db, sign_in_sha256)
            if account is None:
                account = Account(Person(secrets.token_hex(16), name), "", "", 0, False)
                await store.add_player(db, account.person, sign_in_sha256, self.clock())
            elif account.person.display_name != name:
                raise RefusedError(
                    ErrorReason.ERROR_REASON_REQUEST_ID_REUSED,
                    "this request id signed in somebody of another name",
                    request_id=request_id,
                )
            return account, await self.open_session(db, account)

    async def _issue(self, db: AsyncConnection, family_id: str, account: Account) -> Tokens:
        now = self.clock()
        # A token's end is whole seconds; say the same to the client.
        access_ends = (now + self.access_ms) // 1_000 * 1_000
        refresh, refresh_ends = secrets.token_urlsafe(32), now + self.refresh_ms
        await store.add_token(db, digest(refresh), family_id, refresh_ends)
        access = self.ring.sign(
            account.player_id,
            now_ms=now,
            expires_at_ms=access_ends,
            generation=account.generation,
        )
        return Tokens(access, access_ends, refresh, refresh_ends)


def _still_there(account: Account | None, generation: int) -> Account:
    """The account, for one who comes with a token of that generation."""
    if account is None:
        raise nobody_there()
    if generation < account.generation:
        raise RefusedError(ErrorReason.ERROR_REASON_TOKEN_INVALID, "signed out: sign in again")
    return account
