"""Who calls: signed, expiring tokens for players, and for the services among themselves.

Players' tokens are signed with Ed25519 keys that only matchmaking holds; everybody else has the
public halves. Services share one secret. Every key has an id, so that keys can be rotated: a new
key is added, made active, and the old one removed once its last token has ended.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Final

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.clock import Clock
from services.common.errors import RefusedError

_PLAYER: Final = "oddsocks-player"
_SERVICE: Final = "oddsocks-service"
_MAX_TOKEN: Final = 4_096
SERVICE_TOKEN_MS: Final = 5 * 60 * 1000
# The time is checked by `verify` against the service's own clock, at every call.
_CLAIMS: Final[jwt.types.Options] = {
    "require": ["exp", "sub", "aud"],
    "verify_exp": False,
    "verify_iat": False,
}


class Kind(Enum):
    """What sort of caller."""

    PLAYER = "player"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Principal:
    """Who calls: a player by id, or a service by name.

    `generation` is that of the player's account when the token was made: it rises with every
    signing out everywhere.
    """

    kind: Kind
    id: str
    generation: int = 0


@dataclass(frozen=True, slots=True)
class _Key:
    public: str
    private: str | None = None


def _new_key() -> _Key:
    private = Ed25519PrivateKey.generate()
    public = private.public_key()
    return _Key(
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode(),
        private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
    )


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Players' keys by id. Without private halves it can only verify."""

    active: str
    keys: dict[str, _Key]

    @staticmethod
    def generate() -> KeyRing:
        """A ring with one fresh key."""
        return KeyRing(name := secrets.token_hex(4), {name: _new_key()})

    def with_another(self) -> tuple[KeyRing, str]:
        """The ring with a fresh key that does not sign yet, and that key's id."""
        name = secrets.token_hex(4)
        return KeyRing(self.active, self.keys | {name: _new_key()}), name

    def signing_with(self, name: str) -> KeyRing:
        """The ring with another of its keys active; raises ValueError for an unknown one."""
        self._require(name)
        return KeyRing(name, self.keys)

    def without(self, name: str) -> KeyRing:
        """The ring without a key, whose tokens end; raises ValueError for the active one."""
        self._require(name)
        if name == self.active:
            raise ValueError(f"key {name} is the one that signs: activate another first")
        return KeyRing(self.active, {n: key for n, key in self.keys.items() if n != name})

    def _require(self, name: str) -> None:
        if name not in self.keys:
            raise ValueError(f"no key {name}: there are {', '.join(sorted(self.keys))}")

    @staticmethod
    def load(path: Path) -> KeyRing:
        """Read a ring; raises OSError, or ValueError for a file that holds none."""
        try:
            data = json.loads(path.read_text())
            keys = {name: _Key(**parts) for name, parts in data["keys"].items()}
            ring = KeyRing(data["active"], keys)
            ring.keys[ring.active]
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
            raise ValueError(f"{path} holds no keys") from error
        return ring

    def save(self, path: Path, *, private: bool) -> None:
        """Write the ring, readable by its owner only; without private halves for verifiers."""
        keys: dict[str, dict[str, str]] = {
            name: {"public": k.public} for name, k in self.keys.items()
        }
        for name, key in self.keys.items():
            if private and key.private is not None:
                keys[name]["private"] = key.private
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as out:
            json.dump({"active": self.active, "keys": keys}, out, indent=1)
        part.replace(path)

    def sign(self, player_id: str, *, now_ms: int, expires_at_ms: int, generation: int = 0) -> str:
        """An access token for a player, whose account is of that generation."""
        key = self.keys[self.active].private
        if key is None:
            raise ValueError("this service holds no private key")
        claims = {
            "aud": _PLAYER,
            "sub": player_id,
            "iat": now_ms // 1000,
            "exp": expires_at_ms // 1000,
            "jti": secrets.token_hex(8),
            "gen": generation,
        }
        return jwt.encode(claims, key, algorithm="EdDSA", headers={"kid": self.active})


def _never(principal: Principal) -> bool:
    del principal
    return False


@dataclass(slots=True)
class TokenVerifier:
    """Checks tokens of players and of services. Signatures are checked once per token and
    remembered (32 µs each); the time is checked at every call.
    """

    ring: KeyRing
    service_secret: str
    clock: Clock
    ended: Callable[[Principal], bool] = _never
    """Whether tokens of a player ended before their time: signed out everywhere, or deleted."""
    _known: dict[str, tuple[Principal, int]] = field(default_factory=dict)

    def verify(self, token: str) -> Principal:
        """Who the token speaks for; raises `RefusedError` with TOKEN_INVALID or TOKEN_EXPIRED."""
        known = self._known.get(token)
        if known is None:
            known = self._read(token)
            if len(self._known) >= 4_096:
                self._known.clear()
            self._known[token] = known
        principal, expires_at_ms = known
        if self.clock() >= expires_at_ms:
            raise RefusedError(ErrorReason.ERROR_REASON_TOKEN_EXPIRED, "the token has ended")
        self.check_not_ended(principal)
        return principal

    def check_not_ended(self, principal: Principal) -> None:
        """Raise `RefusedError` TOKEN_INVALID if the caller was signed out since."""
        if self.ended(principal):
            raise RefusedError(ErrorReason.ERROR_REASON_TOKEN_INVALID, "signed out: sign in again")

    def _read(self, token: str) -> tuple[Principal, int]:
        invalid = RefusedError(
            ErrorReason.ERROR_REASON_TOKEN_INVALID, "the token is not valid here"
        )
        if len(token) > _MAX_TOKEN:
            raise invalid
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") == "HS256":
                key, kind, audience = self.service_secret, Kind.SERVICE, _SERVICE
            else:
                key, kind, audience = self.ring.keys[header["kid"]].public, Kind.PLAYER, _PLAYER
            claims = jwt.decode(
                token,
                key,
                algorithms=["HS256" if kind is Kind.SERVICE else "EdDSA"],
                audience=audience,
                options=_CLAIMS,
            )
            # Tokens from before there were generations have none.
            principal = Principal(kind, str(claims["sub"]), int(claims.get("gen", 0)))
            return principal, int(claims["exp"]) * 1000
        except (jwt.InvalidTokenError, KeyError, TypeError, ValueError) as error:
            raise invalid from error


@dataclass(slots=True)
class ServiceTokens:
    """Tokens by which this service calls others; renewed before they end."""

    service: str
    secret: str
    clock: Clock
    _token: str = ""
    _renew_at_ms: int = 0

    def current(self) -> str:
        """A token that is good for at least a minute."""
        now = self.clock()
        if now >= self._renew_at_ms:
            claims = {
                "aud": _SERVICE,
                "sub": self.service,
                "exp": (now + SERVICE_TOKEN_MS) // 1000,
            }
            self._token = jwt.encode(claims, self.secret, algorithm="HS256")
            self._renew_at_ms = now + SERVICE_TOKEN_MS - 60_000
        return self._token


_principal: ContextVar[Principal] = ContextVar("principal")


def act_as(principal: Principal) -> None:
    """Make `principal` the caller for the rest of this task."""
    _principal.set(principal)


def caller() -> Principal:
    """Who makes the call being served."""
    return _principal.get()


def require_service(name: str) -> None:
    """Raise `RefusedError` TOKEN_INVALID unless that service makes the call being served."""
    if caller() != Principal(Kind.SERVICE, name):
        raise RefusedError(ErrorReason.ERROR_REASON_TOKEN_INVALID, f"only {name} may ask this")


@lru_cache(maxsize=8)
def read_secret(path: Path) -> str:
    """The services' shared secret; raises OSError, or ValueError when it is too short."""
    secret = path.read_text().strip()
    if len(secret) < 32:
        raise ValueError(f"{path}: a secret needs at least 32 characters")
    return secret
