"""Tickets in SQL. Functions work in the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.matchmaking import schema as s
from services.matchmaking.finding.queue import SILENCE_MS, Hope, Ticket, TicketStatus
from services.matchmaking.model import Fill, Pace, Person

_columns = s.tickets.c
_WAITING = _columns.status == TicketStatus.WAITING.value


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a ticket: the digest of what it asked for, the ticket, and the first answer.

    `last`: no other has asked anything else of that ticket since.
    """

    payload_sha256: str
    ticket_id: str
    answer: bytes
    last: bool = True


async def find_request(db: AsyncConnection, player_id: str, request_id: str) -> Asked | None:
    """What was asked and answered under a player's request id, if it was used before."""
    asked, still = s.ticket_requests.c, _columns.ticket_id == s.ticket_requests.c.ticket_id
    query = (
        select(s.ticket_requests, _columns.request_id.label("last_id"))
        .join_from(s.ticket_requests, s.tickets, still, isouter=True)
        .where(asked.player_id == player_id, asked.request_id == request_id)
    )
    row = (await db.execute(query)).first()
    if row is None:
        return None
    return Asked(row.payload_sha256, row.ticket_id, row.answer, row.last_id == request_id)


async def add_request(
    db: AsyncConnection, player_id: str, request_id: str, asked: Asked, now_ms: int
) -> None:
    """Note what was asked and answered.

    Raises `IntegrityError` when the same was done at this moment.
    """
    await db.execute(
        insert(s.ticket_requests).values(
            player_id=player_id,
            request_id=request_id,
            payload_sha256=asked.payload_sha256,
            ticket_id=asked.ticket_id,
            answer=asked.answer,
            asked_at_ms=now_ms,
        )
    )


async def forget_requests(db: AsyncConnection, asked_before_ms: int) -> None:
    """Delete what was asked before a time."""
    old = s.ticket_requests.c.asked_at_ms < asked_before_ms
    await db.execute(delete(s.ticket_requests).where(old))


async def lock_mine(db: AsyncConnection, player_id: str, game: str) -> Ticket | None:
    """A player's latest ticket for a game, locked."""
    where = (_columns.player_id == player_id) & (_columns.game == game)
    row = (await db.execute(select(s.tickets).where(where).with_for_update())).first()
    return None if row is None else _ticket(row)


async def by_id(db: AsyncConnection, ticket_id: str, player_id: str) -> Ticket | None:
    """A player's ticket by id."""
    where = (_columns.ticket_id == ticket_id) & (_columns.player_id == player_id)
    row = (await db.execute(select(s.tickets).where(where))).first()
    return None if row is None else _ticket(row)


async def lock(db: AsyncConnection, ticket_id: str, player_id: str) -> Ticket | None:
    """A player's ticket by id, locked."""
    where = (_columns.ticket_id == ticket_id) & (_columns.player_id == player_id)
    row = (await db.execute(select(s.tickets).where(where).with_for_update())).first()
    return None if row is None else _ticket(row)


async def mine(db: AsyncConnection, player_id: str) -> list[Ticket]:
    """The tickets of a player that wait, by game."""
    query = select(s.tickets).where(_columns.player_id == player_id, _WAITING)
    return [_ticket(row) for row in await db.execute(query.order_by(_columns.game))]


async def add(db: AsyncConnection, ticket: Ticket, request_id: str) -> None:
    """A player's first ticket for a game.

    Raises `IntegrityError` when another device has opened it at this moment.
    """
    who = {"player_id": ticket.player_id, "game": ticket.hope.game}
    await db.execute(insert(s.tickets).values(**who, **_values(ticket, request_id)))


async def replace(db: AsyncConnection, ticket: Ticket, request_id: str) -> None:
    """Write a ticket in the place of the player's latest one for the game, which is locked."""
    where = (_columns.player_id == ticket.player_id) & (_columns.game == ticket.hope.game)
    await db.execute(update(s.tickets).where(where).values(**_values(ticket, request_id)))


def _values(ticket: Ticket, request_id: str) -> dict[str, object]:
    return {
        "ticket_id": ticket.ticket_id,
        "request_id": request_id,
        "options": json.dumps(dict(ticket.hope.options)),
        "rules": ticket.hope.rules,
        "pace": ticket.hope.pace.value,
        "seats": ticket.hope.seats,
        "fill_agent": ticket.fill.agent if ticket.fill else None,
        "fill_after_ms": ticket.fill.after_ms if ticket.fill else None,
        "skill": ticket.skill,
        "opened_at_ms": ticket.opened_at_ms,
        "seen_at_ms": ticket.seen_at_ms,
        "status": ticket.status.value,
        "table_id": ticket.table_id or None,
    }


async def note_sight(db: AsyncConnection, ticket_id: str, now_ms: int) -> None:
    """The player of a ticket has asked for it."""
    where = (_columns.ticket_id == ticket_id) & _WAITING
    await db.execute(update(s.tickets).where(where).values(seen_at_ms=now_ms))


async def set_status(db: AsyncConnection, ticket_id: str, status: TicketStatus) -> None:
    """End the waiting of a locked ticket."""
    where = (_columns.ticket_id == ticket_id) & _WAITING
    await db.execute(update(s.tickets).where(where).values(status=status.value))


async def lapse(db: AsyncConnection, now_ms: int) -> None:
    """End all live tickets whose players have been silent for too long."""
    silent = (_columns.pace == Pace.LIVE.value) & (_columns.seen_at_ms <= now_ms - SILENCE_MS)
    values = {"status": TicketStatus.LAPSED.value}
    await db.execute(update(s.tickets).where(_WAITING, silent).values(**values))


async def waiting(db: AsyncConnection, limit: int) -> list[Ticket]:
    """Tickets that wait, those whose players were heard of last first.

    So those who sit there and wait are always among them, however many others are away for days.
    """
    query = select(s.tickets).where(_WAITING).order_by(_columns.seen_at_ms.desc()).limit(limit)
    return [_ticket(row) for row in await db.execute(query)]


async def count_waiting(db: AsyncConnection) -> int:
    """How many tickets wait."""
    return int(await db.scalar(select(func.count()).where(_WAITING)) or 0)


async def lock_waiting(
    db: AsyncConnection, ticket_ids: Collection[str]
) -> dict[str, tuple[Ticket, Person]]:
    """Those of the tickets that still wait, locked, with their players as they are called now.

    All in one order: who claims the same tickets at the same time waits, and then finds them gone.
    """
    query: Select[Any] = (
        select(s.tickets, s.players.c.display_name)
        .join(s.players, s.players.c.player_id == _columns.player_id)
        .where(_columns.ticket_id.in_(ticket_ids), _WAITING)
        .order_by(_columns.ticket_id)
        .with_for_update(of=s.tickets)
    )
    return {
        row.ticket_id: (_ticket(row), Person(row.player_id, row.display_name))
        for row in await db.execute(query)
    }


async def seat(db: AsyncConnection, ticket_ids: Collection[str], table_id: str) -> None:
    """Locked tickets have found their table."""
    values = {"status": TicketStatus.SEATED.value, "table_id": table_id}
    where = _columns.ticket_id.in_(ticket_ids) & _WAITING
    done = await db.execute(update(s.tickets).where(where).values(**values))
    assert done.rowcount == len(ticket_ids), "they were locked"


def _ticket(row: Row[Any]) -> Ticket:
    fill = None if row.fill_agent is None else Fill(row.fill_agent, row.fill_after_ms)
    options = tuple(sorted(json.loads(row.options).items()))
    return Ticket(
        ticket_id=row.ticket_id,
        player_id=row.player_id,
        hope=Hope(row.game, options, row.rules, row.seats, Pace(row.pace)),
        fill=fill,
        skill=row.skill,
        opened_at_ms=row.opened_at_ms,
        seen_at_ms=row.seen_at_ms,
        status=TicketStatus(row.status),
        table_id=row.table_id or "",
    )
