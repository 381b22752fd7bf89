"""More devices for an account, another device in place of a lost one, and none at all."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError, invalid_field
from services.common.gate import caller_address
from services.common.sessions import EndedSessions
from services.common.transactions import writing
from services.matchmaking.guesses import Guesses
from services.matchmaking.names import read_id, read_typed
from services.matchmaking.people import account_store as store
from services.matchmaking.people.accounts import SHORTEST_SECRET, Accounts, Tokens
from services.matchmaking.people.codes import (
    LINK_LENGTH,
    RECOVERY_LENGTH,
    digest,
    grouped,
    new_code,
)
from services.matchmaking.people.herald import Herald
from services.matchmaking.people.model import Account
from services.matchmaking.push import store as push_store

LINK_MS: Final = 10 * 60_000
"""How long a link code is good: both devices are at hand."""


@dataclass(frozen=True, slots=True)
class Devices:
    """Sessions beyond the first. Wrong codes are counted by the address they come from."""

    accounts: Accounts
    guesses: Guesses
    ended: EndedSessions
    herald: Herald

    async def new_recovery_code(self, account: Account) -> str:
        """A recovery code in place of the one before, in printable groups."""
        code = new_code(RECOVERY_LENGTH)
        async with writing(self.accounts.engine) as db:
            await self.accounts.lock(db, account)
            await store.change(db, account.player_id, recovery_sha256=digest(code))
        return grouped(code)

    async def recover(self, typed: str) -> tuple[Account, Tokens]:
        """The account of a recovery code, with tokens for this device.

        Raises `RefusedError` INVALID_FIELD, CODE_NOT_FOUND, or RATE_LIMITED after many wrong ones.
        """
        code = read_typed(typed, "recovery_code", RECOVERY_LENGTH)
        self.guesses.check(_whence())
        async with writing(self.accounts.engine) as db:
            account = await store.lock_by_recovery(db, digest(code))
            if account is not None:
                return account, await self.accounts.open_session(db, account)
        raise self._wrong()

    async def new_link_code(self, account: Account) -> tuple[str, int]:
        """A link code in place of the one before, and when it ends."""
        code, expires_at_ms = new_code(LINK_LENGTH), self.accounts.clock() + LINK_MS
        async with writing(self.accounts.engine) as db:
            await self.accounts.lock(db, account)
            await store.add_link_code(db, digest(code), account.player_id, expires_at_ms)
        return code, expires_at_ms

    async def link(self, request_id: str, typed: str) -> tuple[Account, Tokens]:
        """The account of a link code, which thereby ends, with tokens for this device.

        A repeat of the request that used it up gets the account again. Raises `RefusedError`
        INVALID_FIELD, CODE_NOT_FOUND, or RATE_LIMITED after many wrong ones.
        """
        read_id(request_id, "request_id", shortest=SHORTEST_SECRET)
        code_sha256 = digest(read_typed(typed, "link_code", LINK_LENGTH))
        self.guesses.check(_whence())
        async with writing(self.accounts.engine) as db:
            known = await store.link_code(db, code_sha256)
            if known is not None:
                account = await store.lock(db, known.player_id)
                # Again, now that no one else can be using it.
                known = await store.link_code(db, code_sha256)
                if account is not None and known is not None and self._opens(known, request_id):
                    await store.use_link_code(db, code_sha256, digest(request_id))
                    return account, await self.accounts.open_session(db, account)
        raise self._wrong()

    async def sign_out_everywhere(self, account: Account, keep_refresh_token: str) -> str:
        """End all sessions at once but, if its refresh token is given, that of this device.

        Nothing that was told before opens another: not the sign-in that made the account, no link
        code, and no recovery code. Returns one in place of that, in printable groups; "" where
        there was none. Raises `RefusedError` INVALID_FIELD for a refresh token that is not this
        account's.
        """
        now, code = self.accounts.clock(), ""
        async with writing(self.accounts.engine) as db:
            before = await self.accounts.lock(db, account)
            kept = await _family(db, keep_refresh_token, account) if keep_refresh_token else ""
            generation = before.generation + 1
            nobody = digest(secrets.token_hex(16))
            await store.change(db, account.player_id, generation=generation, sign_in_sha256=nobody)
            if before.has_recovery_code:
                code = new_code(RECOVERY_LENGTH)
                await store.change(db, account.player_id, recovery_sha256=digest(code))
            await store.revoke_all(db, account.player_id, now, but=kept)
            await store.delete_link_codes(db, account.player_id)
            await push_store.forget_all(db, account.player_id)
            await self.ended.note(db, account.player_id, generation, deleted=False)
            await self.herald.note(db, account.player_id, generation, deleted=False)
        await self.ended.read()
        await self.herald.tell_soon(account.player_id)
        return grouped(code)

    def _opens(self, code: store.LinkCode, request_id: str) -> bool:
        if code.used_by_sha256 is None:
            return self.accounts.clock() < code.expires_at_ms
        return code.used_by_sha256 == digest(request_id)

    def _wrong(self) -> RefusedError:
        self.guesses.wrong(_whence())
        return RefusedError(
            ErrorReason.ERROR_REASON_CODE_NOT_FOUND, "no such code, or it is no longer good"
        )


async def _family(db: AsyncConnection, refresh_token: str, account: Account) -> str:
    token = await store.lock_token(db, digest(refresh_token))
    if token is None or token.player_id != account.player_id or token.revoked_at_ms is not None:
        raise invalid_field("keep_refresh_token", "not a refresh token of this account")
    return token.family_id


def _whence() -> str:
    return f"address {caller_address()}"
