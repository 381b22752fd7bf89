"""What a player chose to be to others: name, picture, language."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.transactions import writing
from services.matchmaking.names import read_name
from services.matchmaking.people import account_store as store
from services.matchmaking.people.model import GUEST, LANGUAGES, PICTURES, Account, read_choice


@dataclass(frozen=True, slots=True)
class Profiles:
    """Changes profiles. Seats taken before keep the name they were taken under."""

    engine: AsyncEngine

    async def update(
        self, account: Account, name: str | None, picture: str | None, language: str | None
    ) -> Account:
        """Change what is not None; raises `RefusedError` INVALID_FIELD and then changes nothing."""
        changes: dict[str, object] = {}
        if name is not None:
            changes["display_name"] = read_name(name, "display_name", GUEST)
        if picture is not None:
            changes["picture"] = read_choice(picture, "picture", PICTURES)
        if language is not None:
            changes["language"] = read_choice(language, "language", LANGUAGES)
        async with writing(self.engine) as db:
            if await store.lock(db, account.player_id) is not None and changes:
                await store.change(db, account.player_id, **changes)
            return await store.account(db, account.player_id) or account
