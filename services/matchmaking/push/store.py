"""Devices and the calls that wait for them, in SQL. Functions work in the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from sqlalchemy import delete, func, literal, or_, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from services.matchmaking import schema as s
from services.matchmaking.people.there import are_there
from services.matchmaking.push.quiet import Quiet
from services.matchmaking.push.senders import Kind

_devices = s.push_devices.c
_box = s.push_outbox.c

MOST_DEVICES: Final = 10
"""Of an account; the one that was heard of longest ago makes room."""


@dataclass(frozen=True, slots=True)
class Call:
    """Somebody to call. `turn_revision` rises within a match; 0 for an invitation."""

    player_id: str
    kind: Kind
    subject_id: str
    turn_revision: int = 0
    short_ms: int = 0


class State(IntEnum):
    """Whether a call is still worth making; in matches rules knows, with the same numbers."""

    STANDS = 1
    SEEN = 2
    """It stands, but the player is looking at the match."""
    LAPSED = 3


@dataclass(frozen=True, slots=True)
class Due:
    """A call that waits for a device. `seen`: the player was looking at the match a while ago."""

    call: Call
    device_id: str
    token: str
    quiet: Quiet
    due_ms: int
    tries: int
    seen: bool


async def register(
    db: AsyncConnection, device_id: str, player_id: str, token: str, quiet: Quiet, now_ms: int
) -> None:
    """Note a device as the player's and nobody else's; calls of the one before lapse."""
    await db.execute(
        delete(s.push_outbox).where(_box.device_id == device_id, _box.player_id != player_id)
    )
    values = {
        "player_id": player_id,
        "token": token,
        "time_zone": quiet.time_zone,
        "quiet_from": quiet.from_minute,
        "quiet_until": quiet.until_minute,
        "registered_at_ms": now_ms,
    }
    await db.execute(
        _insert(db, s.push_devices)
        .values(device_id=device_id, **values)
        .on_conflict_do_update(index_elements=[_devices.device_id], set_=values)
    )
    newest = (
        select(_devices.device_id)
        .where(_devices.player_id == player_id)
        .order_by(_devices.registered_at_ms.desc(), _devices.device_id)
    )
    for old in (await db.scalars(newest.offset(MOST_DEVICES))).all():
        await forget(db, old)


async def forget(db: AsyncConnection, device_id: str, player_id: str | None = None) -> None:
    """Forget a device, if it is the player's (None: whosever it is), and what waits for it."""
    for table in (s.push_outbox, s.push_devices):
        this = table.c.device_id == device_id
        if player_id is not None:
            this &= table.c.player_id == player_id
        await db.execute(delete(table).where(this))


async def forget_all(db: AsyncConnection, player_id: str) -> None:
    """Forget all devices of a player."""
    for table in (s.push_outbox, s.push_devices):
        await db.execute(delete(table).where(table.c.player_id == player_id))


async def post(db: AsyncConnection, calls: Collection[Call], now_ms: int) -> None:
    """Let calls wait for each device of their players.

    A newer call replaces an older one of the same match, sent or not; posting one again changes
    nothing. Players whose accounts are gone are left out.
    """
    there = await are_there(db, {call.player_id for call in calls})
    calls = [call for call in calls if call.player_id in there]
    # In one order everywhere, so that two transactions wait for each other in turn.
    for call in sorted(calls, key=lambda call: (call.player_id, call.subject_id)):
        values: dict[str, Any] = {
            "subject_id": literal(call.subject_id),
            "player_id": _devices.player_id,
            "kind": literal(int(call.kind)),
            "turn_revision": literal(call.turn_revision, s.push_outbox.c.turn_revision.type),
            "due_ms": literal(now_ms, _box.due_ms.type),
            "tries": literal(0),
            "seen": literal(False),
        }
        found = select(_devices.device_id, *values.values()).where(
            _devices.player_id == call.player_id
        )
        statement = _insert(db, s.push_outbox).from_select(["device_id", *values], found)
        new = statement.excluded
        newer = or_(
            new.turn_revision > _box.turn_revision,
            (new.turn_revision == _box.turn_revision) & (new.kind > _box.kind),
        )
        await db.execute(
            statement.on_conflict_do_update(
                index_elements=[_box.device_id, _box.subject_id],
                set_={name: new[name] for name in values} | {"done_at_ms": None},
                where=newer,
            )
        )


async def due(db: AsyncConnection, now_ms: int, limit: int, *, invited: bool) -> list[Due]:
    """What is to be sent by now, longest due first: invitations, or what is of matches."""
    kind = _box.kind == Kind.INVITED.value if invited else _box.kind != Kind.INVITED.value
    query = (
        select(
            s.push_outbox,
            _devices.token,
            _devices.time_zone,
            _devices.quiet_from,
            _devices.quiet_until,
        )
        .join(s.push_devices, _devices.device_id == _box.device_id)
        .where(_box.done_at_ms.is_(None), _box.due_ms <= now_ms, kind)
        .order_by(_box.due_ms, _box.device_id, _box.subject_id)
        .limit(limit)
    )
    return [
        Due(
            Call(row.player_id, Kind(row.kind), row.subject_id, row.turn_revision),
            row.device_id,
            row.token,
            Quiet(row.time_zone, row.quiet_from, row.quiet_until),
            row.due_ms,
            row.tries,
            row.seen,
        )
        for row in await db.execute(query)
    ]


async def lock(db: AsyncConnection, dues: Sequence[Due]) -> None:
    """Lock calls in one order, before several are written: so does the deletion of a player."""
    key = (_box.device_id, _box.subject_id)
    these = tuple_(*key).in_([(one.device_id, one.call.subject_id) for one in dues])
    await db.execute(select(*key).where(these).order_by(*key).with_for_update())


async def claim(db: AsyncConnection, dues: Sequence[Due], until_ms: int) -> list[Due]:
    """Those that nobody else is sending, theirs until a time: then they are due again."""
    mine = []
    for one in dues:
        done = await db.execute(
            update(s.push_outbox)
            .where(_this(one), _box.due_ms == one.due_ms, _box.done_at_ms.is_(None))
            .values(due_ms=until_ms, tries=one.tries + 1)
        )
        if done.rowcount == 1:
            mine.append(one)
    return mine


async def put_off(db: AsyncConnection, one: Due, due_ms: int, *, seen: bool = False) -> None:
    """Let a call wait until a time, unless a newer one has replaced it."""
    await db.execute(
        update(s.push_outbox).where(_this(one)).values(due_ms=due_ms, seen=one.seen or seen)
    )


async def finish(db: AsyncConnection, one: Due, now_ms: int) -> None:
    """A call was sent, or is no longer worth it. It stays a while, so as not to be made again."""
    await db.execute(update(s.push_outbox).where(_this(one)).values(done_at_ms=now_ms))


async def tidy(db: AsyncConnection, done_before_ms: int, unheard_since_ms: int) -> None:
    """Forget calls done before a time, and devices not heard of since another."""
    await db.execute(delete(s.push_outbox).where(_box.done_at_ms < done_before_ms))
    await db.execute(delete(s.push_devices).where(_devices.registered_at_ms < unheard_since_ms))
    nobodys = _box.device_id.not_in(select(_devices.device_id))
    await db.execute(delete(s.push_outbox).where(nobodys))


async def oldest_due(db: AsyncConnection, now_ms: int) -> tuple[int, int | None]:
    """How many calls are due and wait, and since when the first."""
    waiting = (_box.done_at_ms.is_(None)) & (_box.due_ms <= now_ms)
    row = (await db.execute(select(func.count(), func.min(_box.due_ms)).where(waiting))).one()
    return row[0], row[1]


def _this(one: Due) -> Any:
    return (
        (_box.device_id == one.device_id)
        & (_box.subject_id == one.call.subject_id)
        & (_box.turn_revision == one.call.turn_revision)
        & (_box.kind == one.call.kind.value)
    )


def _insert(db: AsyncConnection, table: Any) -> Any:
    return (postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert)(table)
