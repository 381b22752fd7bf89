"""What concerns a player: tables, matches with what happened in them, invitations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.common.errors import RefusedError
from services.common.transactions import reading
from services.matchmaking import store
from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.model import (
    Finished,
    Invitation,
    MyMatch,
    News,
    Person,
    Position,
    Summary,
    Table,
    page_of,
)
from services.matchmaking.neighbours import Rules
from services.matchmaking.people import between

MOST_INVITATIONS: Final = 50


@dataclass(frozen=True, slots=True)
class Mine:
    """Reads what is the player's from SQL, and where matches stand from rules.

    While rules is away, only matches known to be over say where they stand.
    """

    engine: AsyncEngine
    rules: Rules

    async def page(
        self, player: Person, size: int, after: Position | None, seen: Mapping[str, int]
    ) -> tuple[list[MyMatch], Position | None, list[Invitation]]:
        """A page of the player's tables, newest first; where the next one begins; on the first
        page the invitations, newest first. `seen` holds revisions of matches that the device knows.
        """
        async with reading(self.engine) as db:
            found = await store.tables_of(db, player.player_id, size + 1, after)
            page, end = page_of(found, size, Position.of)
            over = await store.finished(db, [table.match_id for table in page if table.match_id])
            first = after is None
            invitations = await self.invitations(db, player.player_id) if first else []
        rows = await self.rows(player.player_id, page, over, seen)
        return rows, end, invitations

    async def rows(
        self,
        player_id: str,
        tables: Sequence[Table],
        over: Mapping[str, Finished],
        seen: Mapping[str, int],
    ) -> list[MyMatch]:
        """The player's tables with where their matches stand; `over` are those known to be over."""
        asked = [(t.match_id, seen.get(t.match_id)) for t in tables if t.match_id]
        news: dict[str, News] = {}
        if asked:
            try:
                news = await self.rules.news(player_id, asked)
            except RefusedError:  # the list is worth showing without
                news = {}
        return [_row(table, player_id, over, news.get(table.match_id)) for table in tables]

    async def invitations(self, db: AsyncConnection, player_id: str) -> list[Invitation]:
        """The player's invitations that wait for an answer, but those of people who blocked the
        player or are blocked, and those to tables where such people sit or which they opened.
        """
        blocked = await between.blocked_by(db, player_id)
        found = await inbox_store.invitations_for(db, player_id, blocked, MOST_INVITATIONS)
        if not found:
            return []
        tables = await store.tables_by_ids(db, [one.table_id for one in found])
        return [
            Invitation(tables[one.table_id], one.inviter, one.picture, one.invited_at_ms, one.seen)
            for one in found
            if not tables[one.table_id].company & blocked
        ]


def _row(table: Table, player_id: str, over: Mapping[str, Finished], news: News | None) -> MyMatch:
    if news is not None:
        return MyMatch(table, news.seats, news.summary, news.events)
    known = over.get(table.match_id)
    summary = None
    if known is not None:
        summary = Summary(0, running=False, actor=None, outcome=known.outcome)
    return MyMatch(table, tuple(table.seats_of(player_id)), summary)
