"""Tables, requests and finished matches in SQL. Functions work in the caller's transaction.

Changing a table: `lock` it first, so that two changes at once take turns (SQLite's transactions
all do). An insert that loses a race raises `IntegrityError`; the caller starts over and finds
what the winner wrote.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import ColumnElement, CompoundSelect, Row, insert, select, tuple_, union, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from services.engine.core import OptionValue, Outcome
from services.matchmaking import schema as s
from services.matchmaking.agreed import spectators
from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.model import (
    Computer,
    Finished,
    Free,
    Occupant,
    Pace,
    Person,
    Position,
    Status,
    Table,
)

_FEED: Final = "finished"


@dataclass(frozen=True, slots=True)
class Request:
    """A request id seen before: the digest of what it asked for, and the table it led to."""

    payload_sha256: str
    table_id: str


async def find_request(db: AsyncConnection, player_id: str, request_id: str) -> Request | None:
    """What a player's request id did, if it was used before."""
    columns = s.requests.c
    found = await db.execute(
        select(columns.payload_sha256, columns.table_id).where(
            columns.player_id == player_id, columns.request_id == request_id
        )
    )
    row = found.first()
    return None if row is None else Request(row.payload_sha256, row.table_id)


async def add_request(
    db: AsyncConnection, player_id: str, request_id: str, request: Request
) -> None:
    """Note what a request id did."""
    values = {"payload_sha256": request.payload_sha256, "table_id": request.table_id}
    await db.execute(
        insert(s.requests).values(player_id=player_id, request_id=request_id, **values)
    )


async def add_table(db: AsyncConnection, table: Table) -> None:
    """A new table with its seats; tells the inboxes of those whom it concerns."""
    await db.execute(
        insert(s.tables).values(
            table_id=table.table_id,
            host_id=table.host_id,
            game=table.game,
            options=json.dumps(dict(table.options)),
            pace=table.pace.value,
            status=table.status.value,
            code=table.code or None,
            match_id=table.match_id or None,
            rematch_of=table.rematch_of or None,
            opened_at_ms=table.opened_at_ms,
            tried_at_ms=table.opened_at_ms,
            rules=table.rules,
            edition=table.edition,
            listed=table.listed,
            watchable=table.listed and spectators(table.rules),
            seed_sha256=table.seed_sha256 or None,
        )
    )
    await db.execute(
        insert(s.table_seats),
        [
            {"table_id": table.table_id, "seat": seat, **_seat_values(who, nonce)}
            for seat, (who, nonce) in enumerate(_with_nonces(table))
        ],
    )
    await inbox_store.bump(db, table.involved)


async def save_table(db: AsyncConnection, before: Table, after: Table) -> None:
    """Write what changed of a locked table: its status, its match, its seats.

    Tells the inboxes of those whom it concerns or concerned.
    """
    if before == after:
        return
    players = before.involved | after.involved
    players |= await inbox_store.invited_to(db, after.table_id)
    await inbox_store.bump(db, players)
    if (before.status, before.match_id) != (after.status, after.match_id):
        await db.execute(
            update(s.tables)
            .where(s.tables.c.table_id == after.table_id)
            .values(status=after.status.value, match_id=after.match_id or None)
        )
    pairs = zip(_with_nonces(before), _with_nonces(after), strict=True)
    for seat, (old, new) in enumerate(pairs):
        if old != new:
            await db.execute(
                update(s.table_seats)
                .where(s.table_seats.c.table_id == after.table_id, s.table_seats.c.seat == seat)
                .values(**_seat_values(*new))
            )


async def tell(db: AsyncConnection, tables: Collection[Table]) -> None:
    """Tell the inboxes of all whom some locked tables concern.

    Before several are saved in one transaction: in one order, so that two of them wait for each
    other in turn.
    """
    players = {player_id for table in tables for player_id in table.involved}
    for table in tables:
        players |= await inbox_store.invited_to(db, table.table_id)
    await inbox_store.bump(db, players)


async def note_try(db: AsyncConnection, table_id: str, now_ms: int) -> None:
    """Send a table to the end of the queue of those to start."""
    where = s.tables.c.table_id == table_id
    await db.execute(update(s.tables).where(where).values(tried_at_ms=now_ms))


async def lock_open_tables(db: AsyncConnection, opened_before_ms: int, limit: int) -> list[Table]:
    """Tables that still wait for people and were opened before a time, locked."""
    columns = s.tables.c
    query = (
        select(s.tables)
        .where(columns.status == Status.OPEN.value, columns.opened_at_ms < opened_before_ms)
        .order_by(columns.table_id)
        .limit(limit)
        .with_for_update()
    )
    return await with_seats(db, (await db.execute(query)).all())


async def table_by_id(db: AsyncConnection, table_id: str, *, lock: bool = False) -> Table | None:
    """A table by id."""
    return await _one(db, s.tables.c.table_id == table_id, lock)


async def table_by_code(db: AsyncConnection, code: str, *, lock: bool = False) -> Table | None:
    """A table by invitation code."""
    return await _one(db, s.tables.c.code == code, lock)


async def table_by_match(db: AsyncConnection, match_id: str) -> Table | None:
    """The table a match came from."""
    return await _one(db, s.tables.c.match_id == match_id, lock=False)


async def rematch_of(db: AsyncConnection, match_id: str, *, lock: bool = False) -> Table | None:
    """The rematch of a match that is not closed."""
    alive = s.tables.c.status != Status.CLOSED.value
    return await _one(db, (s.tables.c.rematch_of == match_id) & alive, lock)


async def tables_to_start(db: AsyncConnection, limit: int) -> list[Table]:
    """Full tables without a match, those least recently tried first."""
    found = await db.execute(
        select(s.tables)
        .where(s.tables.c.status == Status.STARTING.value)
        .order_by(s.tables.c.tried_at_ms, s.tables.c.table_id)
        .limit(limit)
    )
    return await with_seats(db, found.all())


async def tables_of(
    db: AsyncConnection, player_id: str, limit: int, after: Position | None
) -> list[Table]:
    """A player's tables but the closed ones, newest first, from behind `after`."""
    columns = s.tables.c
    key = tuple_(columns.opened_at_ms, columns.table_id)
    query = (
        select(s.tables)
        .where(columns.table_id.in_(_concerning(player_id)), columns.status != Status.CLOSED.value)
        .order_by(columns.opened_at_ms.desc(), columns.table_id.desc())
        .limit(limit)
    )
    if after is not None:
        query = query.where(key < tuple_(after.opened_at_ms, after.table_id))
    return await with_seats(db, (await db.execute(query)).all())


async def current_tables(
    db: AsyncConnection, player_id: str, ended_after_ms: int, limit: int
) -> list[Table]:
    """A player's tables that wait, or whose matches go on or ended after a time, newest first."""
    columns, ended = s.tables.c, s.finished_matches.c
    over = ended.finished_at_ms <= ended_after_ms
    old = select(ended.match_id).where(ended.match_id == columns.match_id, over)
    query = (
        select(s.tables)
        .where(
            columns.table_id.in_(_concerning(player_id)),
            columns.status != Status.CLOSED.value,
            ~old.exists(),
        )
        .order_by(columns.opened_at_ms.desc(), columns.table_id.desc())
        .limit(limit)
    )
    return await with_seats(db, (await db.execute(query)).all())


async def tables_by_ids(db: AsyncConnection, table_ids: Sequence[str]) -> dict[str, Table]:
    """Tables by id; unknown ones are left out."""
    query = select(s.tables).where(s.tables.c.table_id.in_(table_ids))
    found = await with_seats(db, (await db.execute(query)).all())
    return {table.table_id: table for table in found}


def _concerning(player_id: str) -> CompoundSelect[Any]:
    seats, columns = s.table_seats.c, s.tables.c
    return union(
        select(seats.table_id).where(seats.player_id == player_id, seats.kept.is_(False)),
        select(columns.table_id).where(columns.host_id == player_id),
    )


async def finished(db: AsyncConnection, match_ids: Sequence[str]) -> dict[str, Finished]:
    """Those of the matches that are known to be over, by id."""
    where = s.finished_matches.c.match_id.in_(match_ids)
    found = await db.execute(select(s.finished_matches).where(where))
    return {
        row.match_id: Finished(row.match_id, outcome_from_json(row.outcome), row.finished_at_ms)
        for row in found
    }


async def feed_cursor(db: AsyncConnection) -> int:
    """Where to go on reading the feed of finished matches."""
    where = s.feed_cursors.c.feed == _FEED
    return int(await db.scalar(select(s.feed_cursors.c.cursor).where(where)) or 0)


async def add_finished(db: AsyncConnection, matches: Iterable[Finished], cursor: int) -> None:
    """Note finished matches and, in the same transaction, where to go on. May be repeated."""
    build = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    rows = [
        {
            "match_id": match.match_id,
            "outcome": json.dumps(
                [match.outcome.reason, match.outcome.winners, match.outcome.scores]
            ),
            "finished_at_ms": match.finished_at_ms,
            "fair": not match.agents_acted,
        }
        for match in matches
    ]
    if rows:
        await db.execute(build(s.finished_matches).on_conflict_do_nothing(), rows)
    await db.execute(
        build(s.feed_cursors)
        .values(feed=_FEED, cursor=cursor)
        .on_conflict_do_update(index_elements=[s.feed_cursors.c.feed], set_={"cursor": cursor})
    )


async def _one(db: AsyncConnection, where: ColumnElement[bool], lock: bool) -> Table | None:
    query = select(s.tables).where(where)
    row = (await db.execute(query.with_for_update() if lock else query)).first()
    return None if row is None else (await with_seats(db, [row]))[0]


async def with_seats(db: AsyncConnection, rows: Sequence[Row[Any]]) -> list[Table]:
    """The tables of rows, which come with all columns of `tables`."""
    seats: defaultdict[str, list[Occupant]] = defaultdict(list)
    nonces: defaultdict[str, list[bytes]] = defaultdict(list)
    found = await db.execute(
        select(s.table_seats)
        .where(s.table_seats.c.table_id.in_([row.table_id for row in rows]))
        .order_by(s.table_seats.c.table_id, s.table_seats.c.seat)
    )
    for row in found:
        seats[row.table_id].append(_occupant(row))
        nonces[row.table_id].append(row.nonce or b"")
    return [
        Table(
            table_id=row.table_id,
            host_id=row.host_id,
            game=row.game,
            options=_options(row.options),
            seats=tuple(seats[row.table_id]),
            pace=Pace(row.pace),
            opened_at_ms=row.opened_at_ms,
            status=Status(row.status),
            code=row.code or "",
            match_id=row.match_id or "",
            rematch_of=row.rematch_of or "",
            rules=row.rules,
            listed=row.listed,
            seed_sha256=row.seed_sha256 or b"",
            nonces=tuple(nonces[row.table_id]) if any(nonces[row.table_id]) else (),
        )
        for row in rows
    ]


@lru_cache(maxsize=1_000)
def _options(text: str) -> Mapping[str, OptionValue]:
    """Options from their JSON; most tables of a game have the same."""
    return MappingProxyType(json.loads(text))


def _occupant(row: Row[Any]) -> Occupant:
    if row.agent is not None:
        return Computer(row.agent)
    if row.player_id is None:
        return Free()
    person = Person(row.player_id, row.display_name)
    return Free(person) if row.kept else person


def _with_nonces(table: Table) -> Iterable[tuple[Occupant, bytes]]:
    return zip(table.seats, table.nonces or (b"",) * len(table.seats), strict=True)


def _seat_values(who: Occupant, nonce: bytes) -> dict[str, object]:
    person = who.kept_for if isinstance(who, Free) else who if isinstance(who, Person) else None
    return {
        "player_id": person.player_id if person else None,
        "agent": who.agent if isinstance(who, Computer) else None,
        "display_name": person.display_name if person else "",
        "kept": isinstance(who, Free) and person is not None,
        "nonce": nonce or None,
    }


def outcome_from_json(text: str) -> Outcome:
    """How a match ended, as `add_finished` wrote it."""
    reason, winners, scores = json.loads(text)
    return Outcome(reason, tuple(winners), tuple(scores))
