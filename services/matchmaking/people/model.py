"""Accounts as values, and what a profile may hold. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from services.common.errors import invalid_field
from services.common.sessions import ANONYMOUS
from services.matchmaking.model import Person

PICTURES: Final[tuple[str, ...]] = tuple(
    json.loads((Path(__file__).parent / "pictures.json").read_text())
)
"""Names of the pictures a player may choose. The app draws those it knows."""

LANGUAGES: Final = ("en", "de", "ko")

GUEST: Final = ANONYMOUS


@dataclass(frozen=True, slots=True)
class Account:
    """Whom a token speaks for. `picture` and `language` may be empty: none, not said.

    `generation` rises when the sessions of all devices end; access tokens carry it.
    """

    person: Person
    picture: str
    language: str
    generation: int
    has_recovery_code: bool

    @property
    def player_id(self) -> str:
        """The player's id."""
        return self.person.player_id


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody on a list of a player; `since_ms` is milliseconds since 1970 UTC."""

    account: Account
    since_ms: int


def read_choice(text: str, field: str, choices: tuple[str, ...]) -> str:
    """One of the choices, or nothing; raises `RefusedError` (INVALID_FIELD) for `field`."""
    if text and text not in choices:
        raise invalid_field(field, f"must be empty or one of {', '.join(choices)}")
    return text
