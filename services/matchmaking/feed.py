"""What rules tells of finished matches, kept here so that lists and rematches need no rules."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.transactions import reading, writing
from services.matchmaking import store
from services.matchmaking.neighbours import Rules


@dataclass(frozen=True, slots=True)
class Feed:
    """Reads the feed of finished matches from where it stopped."""

    engine: AsyncEngine
    rules: Rules

    async def any_new(self) -> bool:
        """Whether there is anything to read."""
        async with reading(self.engine) as db:
            cursor = await store.feed_cursor(db)
        matches, after = await self.rules.finished_after(cursor)
        return bool(matches) or after != cursor

    async def read(self) -> None:
        """Read on to the end. The cursor moves with the rows: nothing is missed after a crash,
        and two readers at once write the same.
        """
        while True:
            async with reading(self.engine) as db:
                cursor = await store.feed_cursor(db)
            matches, after = await self.rules.finished_after(cursor)
            if not matches and after == cursor:
                return
            async with writing(self.engine) as db:
                await store.add_finished(db, matches, after)
            if after <= cursor:
                return
