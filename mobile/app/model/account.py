"""The account on this device: who signed in, and the tokens that prove it."""

from __future__ import annotations

import secrets
from dataclasses import asdict
from typing import Protocol

from app.model.store import Store
from app.model.values import Player, Tokens

_FILE = "account"


class Account(Protocol):
    """Where a gateway finds and leaves the tokens."""

    @property
    def player(self) -> Player | None:
        """Who signed in; None before the first time."""
        ...

    @property
    def tokens(self) -> Tokens | None:
        """The newest tokens; None before the first sign-in."""
        ...

    def sign_in_id(self) -> str:
        """The request id of the sign-in under way: the same until `keep`, also after a kill."""
        ...

    def keep(self, player: Player, tokens: Tokens) -> None:
        """Keep what the server gave."""
        ...

    def forget(self) -> None:
        """Drop the account: its tokens are no longer good for anything."""
        ...


class MemoryAccount:
    """An account that lasts as long as the program."""

    def __init__(self) -> None:
        self._player: Player | None = None
        self._tokens: Tokens | None = None
        self._sign_in_id = ""

    @property
    def player(self) -> Player | None:
        return self._player

    @property
    def tokens(self) -> Tokens | None:
        return self._tokens

    def sign_in_id(self) -> str:
        if not self._sign_in_id:
            self._sign_in_id = secrets.token_urlsafe(24)
            self._save()
        return self._sign_in_id

    def keep(self, player: Player, tokens: Tokens) -> None:
        self._player, self._tokens, self._sign_in_id = player, tokens, ""
        self._save()

    def forget(self) -> None:
        self._player = self._tokens = None
        self._sign_in_id = ""
        self._save()

    def _save(self) -> None:
        """Nothing outlives the program."""


class StoredAccount(MemoryAccount):
    """An account kept on the device, for one server: another server knows nothing of it."""

    def __init__(self, store: Store, server: str) -> None:
        super().__init__()
        self._store, self._server = store, server
        kept = store.read(_FILE).get(server, {})
        try:
            self._sign_in_id = str(kept.get("sign_in_id", ""))
            if kept.get("player") and kept.get("tokens"):
                self._player = Player(**kept["player"])
                self._tokens = Tokens(**kept["tokens"])
        except (TypeError, AttributeError):
            # Written by another version: signing in anew is all that is lost.
            self._player = self._tokens = None

    def _save(self) -> None:
        kept = self._store.read(_FILE)
        kept[self._server] = {
            "player": asdict(self._player) if self._player else None,
            "tokens": asdict(self._tokens) if self._tokens else None,
            "sign_in_id": self._sign_in_id,
        }
        self._store.write(_FILE, kept)
