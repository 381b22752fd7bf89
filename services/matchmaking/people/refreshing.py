"""What a refresh token is worth when it comes back. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

GRACE_MS: Final = 60_000
"""How long a token that was traded in is taken again: its answer may have been lost."""


class Verdict(Enum):
    """What to do with a refresh token."""

    ROTATE = auto()
    """Unused: give fresh tokens; this one thereby ends."""
    REPEAT = auto()
    """Used a moment ago: its answer was lost, so give fresh tokens again."""
    EXPIRED = auto()
    """Past its time."""
    REUSED = auto()
    """Used long ago: somebody has a copy, so all tokens descended from that sign-in end."""
    REVOKED = auto()
    """Of a family that was ended."""


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """What is stored of a token; times in milliseconds since 1970 UTC."""

    family_id: str
    player_id: str
    expires_at_ms: int
    used_at_ms: int | None
    revoked_at_ms: int | None


def judge(token: RefreshToken, now_ms: int) -> Verdict:
    """What to do with a token that comes back at `now_ms`."""
    if token.revoked_at_ms is not None:
        return Verdict.REVOKED
    if now_ms >= token.expires_at_ms:
        return Verdict.EXPIRED
    if token.used_at_ms is None:
        return Verdict.ROTATE
    return Verdict.REPEAT if now_ms - token.used_at_ms <= GRACE_MS else Verdict.REUSED
