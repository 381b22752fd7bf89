"""The few words players have for each other: by number, to the people of a match, not too often."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.clock import Clock
from services.common.errors import RefusedError, invalid_field, request_id_reused
from services.common.limits import Limit, Limiter
from services.common.transactions import reading, writing
from services.matchmaking import store
from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.inbox.bells import Bells
from services.matchmaking.inbox.store import Said
from services.matchmaking.model import Person, Table
from services.matchmaking.names import read_id
from services.matchmaking.neighbours import Rules
from services.matchmaking.people import between
from services.matchmaking.people.there import require_there

OFTEN: Final = Limit(8, 60_000)
KEEP_MS: Final = 14 * 24 * 3_600_000
"""How long a phrase is kept for those who were away: as long as a turn may take."""
ENGLISH: Final = "en"
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase in all languages."""

    number: int
    texts: Mapping[str, str]

    def text(self, language: str) -> str:
        """What it says; in English where the language is not known."""
        return self.texts.get(language, self.texts[ENGLISH])


def _load() -> tuple[Phrase, ...]:
    data = tomllib.loads((Path(__file__).parent / "phrases.toml").read_text("utf-8"))
    return tuple(Phrase(entry.pop("number"), entry) for entry in data["phrase"])


PHRASES: Final = _load()
_NUMBERS: Final = frozenset(phrase.number for phrase in PHRASES)


@dataclass(frozen=True, slots=True)
class Phrases:
    """Says phrases. Only who holds a seat may: spectators, and who gave a seat up, stay silent."""

    engine: AsyncEngine
    rules: Rules
    bells: Bells
    clock: Clock
    limiter: Limiter

    async def say(
        self, player: Person, request_id: str, match_id: str, seat: int, number: int
    ) -> None:
        """Say a phrase to the people of a match, once for each request id.

        Who blocked the player, or is blocked, hears nothing. Raises `RefusedError` INVALID_FIELD,
        MATCH_NOT_FOUND, NOT_YOUR_SEAT, REQUEST_ID_REUSED, RATE_LIMITED, or UNAVAILABLE while rules
        is away.
        """
        read_id(request_id, "request_id")
        read_id(match_id, "match_id")
        if number not in _NUMBERS:
            raise invalid_field("number", "not the number of a phrase")
        payload = hashlib.sha256(f"{match_id} {seat} {number}".encode()).hexdigest()
        if await self._said_already(player, request_id, payload):
            return
        table = await self._table(player, match_id, seat)
        self.limiter.take(player.player_id, "phrases")
        for _ in range(_TRIES):
            try:
                heard = await self._say(player, request_id, payload, table, seat, number)
            except IntegrityError:  # the same request, at the same moment
                if await self._said_already(player, request_id, payload):
                    return
            else:
                self.bells.ring(heard)
                return
        raise RefusedError(ErrorReason.ERROR_REASON_UNAVAILABLE, "too busy: try again")

    async def forget(self) -> None:
        """Delete what was said long ago."""
        async with writing(self.engine) as db:
            await inbox_store.forget_phrases(db, self.clock() - KEEP_MS)

    async def _said_already(self, player: Person, request_id: str, payload: str) -> bool:
        async with reading(self.engine) as db:
            known = await inbox_store.saying(db, player.player_id, request_id)
        if known not in (None, payload):
            raise request_id_reused(request_id)
        return known is not None

    async def _table(self, player: Person, match_id: str, seat: int) -> Table:
        async with reading(self.engine) as db:
            table = await store.table_by_match(db, match_id)
        if table is None or not table.concerns(player.player_id):
            raise RefusedError(
                ErrorReason.ERROR_REASON_MATCH_NOT_FOUND, "no such match, or not yours"
            )
        # Rules alone knows whether the seat was given up since.
        news = (await self.rules.news(player.player_id, [(match_id, None)])).get(match_id)
        if news is None or seat not in news.seats:
            raise RefusedError(
                ErrorReason.ERROR_REASON_NOT_YOUR_SEAT, f"seat {seat} is not yours", seat=seat
            )
        return table

    async def _say(
        self, player: Person, request_id: str, payload: str, table: Table, seat: int, number: int
    ) -> set[str]:
        now, me = self.clock(), player.player_id
        async with writing(self.engine) as db:
            await require_there(db, me)
            await inbox_store.add_saying(db, me, request_id, payload, now)
            heard = table.people - {me} - await between.blocked_by(db, me)
            sequences = await inbox_store.bump(db, heard)
            said = Said(0, table.match_id, seat, number, now)
            await inbox_store.add_phrases(db, sequences, me, said)
        return heard
