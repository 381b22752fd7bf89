"""What has happened in many matches at once, in a statement each: for `services.rules.news`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Select, TextClause, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from services.engine.core import Seat
from services.rules.life import EventKind, gives_up
from services.rules.match import MatchEvent
from services.rules.store.failures import guarded
from services.rules.store.rows import load_event
from services.rules.store.tables import EVENTS

# A range of revisions for each match. Hundreds of them joined by OR would cost more to compile
# than to run; and SQLite must be told to begin with the ranges.
_ON_SQLITE: Final = text("""
    SELECT events.* FROM json_each(:ranges) AS asked
    CROSS JOIN events ON events.match_id = json_extract(asked.value, '$[0]')
        AND events.revision >= json_extract(asked.value, '$[1]')
    ORDER BY events.match_id, events.revision
""")
_ON_POSTGRESQL: Final = text("""
    SELECT events.* FROM json_array_elements(CAST(:ranges AS json)) AS asked
    JOIN events ON events.match_id = asked.value ->> 0
        AND events.revision >= CAST(asked.value ->> 1 AS bigint)
    ORDER BY events.match_id, events.revision
""")


class NewsSql:
    """Reads only. All of it raises `RefusedError` UNAVAILABLE and nothing else."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def events(self, starts: Mapping[str, int]) -> dict[str, list[MatchEvent]]:
        """The events of matches from a revision each on, ascending; matches without: left out."""
        if not starts:
            return {}
        sqlite = self._engine.dialect.name == "sqlite"
        ranges = json.dumps(list(starts.items()))
        rows = await self._read(_ON_SQLITE if sqlite else _ON_POSTGRESQL, ranges=ranges)
        found: defaultdict[str, list[MatchEvent]] = defaultdict(list)
        for row in rows:
            found[row.match_id].append(load_event(row))
        return found

    async def given_up(self, seats: Mapping[str, int]) -> dict[str, set[Seat]]:
        """The seats that were given up, of matches with so many; matches without: left out."""
        kinds = EventKind.RESIGN.value, EventKind.FORFEIT.value
        query = select(EVENTS.c.match_id, EVENTS.c.actor, EVENTS.c.kind).where(
            EVENTS.c.match_id.in_(list(seats)), EVENTS.c.kind.in_(kinds)
        )
        found: defaultdict[str, set[Seat]] = defaultdict(set)
        for row in await self._read(query):
            if gives_up(EventKind(row.kind), seats[row.match_id]):
                found[row.match_id].add(row.actor)
        return found

    async def _read(self, query: Select[Any] | TextClause, **values: str) -> Sequence[Any]:
        async with guarded(), self._engine.connect() as connection:
            # SQLite: without this a read would take the write lock, see common.database.
            await connection.execution_options(read_only=True)
            return (await connection.execute(query, values)).all()
