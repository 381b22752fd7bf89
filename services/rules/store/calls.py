"""Whom to call because of a match, and who has been told of it: columns that every event writes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from services.rules.store.failures import guarded
from services.rules.store.tables import MATCHES, PRESENT, SEATS

_match: Final = MATCHES.c


@dataclass(frozen=True, slots=True)
class Call:
    """A person who is to act, since `turn_revision`; `short_ms` if because time is short, served.

    See `turn_clock`.
    """

    match_id: str
    player_id: str
    turn_revision: int
    short_ms: int | None = None


@dataclass(frozen=True, slots=True)
class CallsSql:
    """All of it raises `RefusedError` UNAVAILABLE and nothing else."""

    engine: AsyncEngine

    async def turns(self, limit: int) -> list[Call]:
        """People who have not heard of their turn, those who wait longest first."""
        untold = _match.turn_told < _match.turn_revision
        rows = await self._read(untold, _match.acting_since_ms, limit)
        return [Call(row.match_id, row.player_id, row.turn_revision) for row in rows]

    async def short(self, served_ms: int, limit: int) -> list[Call]:
        """People whose time is short by now and who have not heard of it."""
        # The first condition is what the index holds.
        now_short = and_(_match.short_ms.is_not(None), _match.short_ms <= served_ms)
        untold = and_(now_short, _match.short_told_ms < _match.short_ms)
        rows = await self._read(untold, _match.short_ms, limit)
        return [Call(r.match_id, r.player_id, r.turn_revision, r.short_ms) for r in rows]

    async def ack(self, calls: Collection[Call]) -> None:
        """Tell of these no more; later ones of the same matches are told."""
        async with guarded(), self.engine.begin() as db:
            # In one order everywhere, so that two transactions wait for each other in turn.
            for call in sorted(calls, key=lambda call: call.match_id):
                column: Any = _match.turn_told if call.short_ms is None else _match.short_told_ms
                upto = call.turn_revision if call.short_ms is None else call.short_ms
                behind = (_match.match_id == call.match_id) & (column < upto)
                await db.execute(update(MATCHES).where(behind).values({column: upto}))

    async def standing(self, match_ids: Collection[str]) -> dict[str, tuple[str, int]]:
        """Whose turn it is in matches, and since which revision; nobody's: left out."""
        rows = await self._read(_match.match_id.in_(match_ids), _match.match_id, len(match_ids))
        return {row.match_id: (row.player_id, row.turn_revision) for row in rows}

    async def present(self, match_ids: Collection[str], since_ms: int) -> set[tuple[str, str]]:
        """Matches and players of them who are looking, as a process has said since a time."""
        query = select(PRESENT.c.match_id, PRESENT.c.player_id).where(
            PRESENT.c.match_id.in_(match_ids), PRESENT.c.seen_at_ms >= since_ms
        )
        async with guarded(), self.engine.connect() as db:
            await db.execution_options(read_only=True)
            return {(row.match_id, row.player_id) for row in await db.execute(query)}

    async def _read(
        self, which: ColumnElement[bool], order: ColumnElement[Any], limit: int
    ) -> Sequence[Any]:
        acting = (SEATS.c.match_id == _match.match_id) & (SEATS.c.seat == _match.actor)
        query = (
            select(_match.match_id, SEATS.c.player_id, _match.turn_revision, _match.short_ms)
            .join(SEATS, acting)
            .where(which, _match.turn_revision.is_not(None), SEATS.c.player_id.is_not(None))
            .order_by(order, _match.match_id)
            .limit(limit)
        )
        async with guarded(), self.engine.connect() as db:
            # SQLite: without this a read would take the write lock, see common.database.
            await db.execution_options(read_only=True)
            return (await db.execute(query)).all()
