"""Listed tables in SQL. Functions work in the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from services.matchmaking import schema as s
from services.matchmaking.model import Pace, Position, Status, Table
from services.matchmaking.store import with_seats

_tables = s.tables.c
_seats = s.table_seats.c


@dataclass(frozen=True, slots=True)
class Filter:
    """Which tables somebody looks for; empty and 0: all."""

    game: str = ""
    edition: str = ""
    pace: Pace | None = None
    seats: int = 0


async def open_tables(
    db: AsyncConnection,
    wanted: Filter,
    without: Collection[str],
    limit: int,
    after: Position | None,
) -> list[Table]:
    """Listed tables that wait, newest first, but those where any player of `without` is."""
    query = _listed(without, limit, after).where(_tables.status == Status.OPEN.value)
    if wanted.game:
        query = query.where(_tables.game == wanted.game)
    if wanted.edition:
        query = query.where(_tables.edition == wanted.edition)
    if wanted.pace is not None:
        query = query.where(_tables.pace == wanted.pace.value)
    if wanted.seats:
        count = select(func.count()).where(_seats.table_id == _tables.table_id)
        query = query.where(count.scalar_subquery() == wanted.seats)
    return await with_seats(db, (await db.execute(query)).all())


async def watchable_tables(
    db: AsyncConnection, game: str, without: Collection[str], limit: int, after: Position | None
) -> list[Table]:
    """Listed tables whose matches anybody may watch and that are not known to be over."""
    finished = s.finished_matches.c.match_id
    over = select(finished).where(finished == _tables.match_id).exists()
    query = _listed(without, limit, after).where(
        _tables.watchable, _tables.status == Status.STARTED.value, ~over
    )
    if game:
        query = query.where(_tables.game == game)
    return await with_seats(db, (await db.execute(query)).all())


def _listed(without: Collection[str], limit: int, after: Position | None) -> Select[Any]:
    query = (
        select(s.tables)
        .where(_tables.listed)
        .order_by(_tables.opened_at_ms.desc(), _tables.table_id.desc())
        .limit(limit)
    )
    if without:
        at_it = _seats.table_id == _tables.table_id, _seats.player_id.in_(without)
        query = query.where(
            _tables.host_id.not_in(without), ~select(_seats.seat).where(*at_it).exists()
        )
    if after is not None:
        key = tuple_(_tables.opened_at_ms, _tables.table_id)
        query = query.where(key < tuple_(after.opened_at_ms, after.table_id))
    return query
