"""Inboxes, invitations and phrases in SQL. Functions work in the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from services.matchmaking import schema as s
from services.matchmaking.model import Person
from services.matchmaking.people.there import those_there

_inboxes = s.inboxes.c
_invitations = s.invitations.c
_phrases = s.phrases.c
_sayings = s.sayings.c


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation that was not turned down."""

    table_id: str
    inviter: Person
    picture: str
    invited_at_ms: int
    seen: bool


@dataclass(frozen=True, slots=True)
class Said:
    """A phrase somebody said; `sequence` rises with what comes in for the player."""

    sequence: int
    match_id: str
    seat: int
    number: int
    said_at_ms: int


async def bump(db: AsyncConnection, player_ids: Collection[str]) -> dict[str, int]:
    """Raise the versions of inboxes; returns the new ones. Accounts that are gone have none.

    Whatever came in was written in the same transaction, so it can be seen once its version can.
    """
    if not player_ids:
        return {}
    build = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    # In one order everywhere, so that two transactions wait for each other in turn.
    rows = those_there(player_ids).add_columns(literal(1, _inboxes.version.type))
    statement = (
        build(s.inboxes)
        .from_select(["player_id", "version"], rows)
        .on_conflict_do_update(
            index_elements=[_inboxes.player_id], set_={"version": _inboxes.version + 1}
        )
        .returning(_inboxes.player_id, _inboxes.version)
    )
    return {row.player_id: row.version for row in await db.execute(statement)}


async def versions(db: AsyncConnection, player_ids: Collection[str]) -> dict[str, int]:
    """The versions of inboxes; those in which nothing came in are left out."""
    query = select(s.inboxes).where(_inboxes.player_id.in_(player_ids))
    return {row.player_id: row.version for row in await db.execute(query)}


async def invite(
    db: AsyncConnection, table_id: str, player_id: str, inviter_id: str, now_ms: int
) -> None:
    """A new invitation. The table is locked, so that two at once take turns."""
    await db.execute(
        insert(s.invitations).values(
            table_id=table_id,
            player_id=player_id,
            inviter_id=inviter_id,
            invited_at_ms=now_ms,
            seen=False,
            declined=False,
        )
    )


async def is_known(db: AsyncConnection, table_id: str, player_id: str) -> bool:
    """Whether a player was invited to a table already, and perhaps turned it down: nobody should be
    asked again and again.
    """
    where = (_invitations.table_id == table_id) & (_invitations.player_id == player_id)
    return await db.scalar(select(_invitations.seen).where(where)) is not None


async def asked_again(db: AsyncConnection, match_id: str, player_ids: Collection[str]) -> set[str]:
    """Those of the players who were ever invited to play a match again."""
    query = (
        select(_invitations.player_id)
        .join(s.tables, s.tables.c.table_id == _invitations.table_id)
        .where(_invitations.player_id.in_(player_ids), s.tables.c.rematch_of == match_id)
    )
    return set(await db.scalars(query))


async def count_invited(db: AsyncConnection, table_id: str) -> int:
    """How many were ever invited to a table."""
    where = _invitations.table_id == table_id
    return int(await db.scalar(select(func.count()).where(where)) or 0)


async def decline(db: AsyncConnection, table_id: str, player_id: str) -> None:
    """Turn an invitation down, if there is one."""
    where = (_invitations.table_id == table_id) & (_invitations.player_id == player_id)
    await db.execute(update(s.invitations).where(where).values(declined=True))


async def mark_seen(db: AsyncConnection, table_ids: Sequence[str], player_id: str) -> None:
    """Note that a player has seen invitations."""
    where = _invitations.table_id.in_(table_ids) & (_invitations.player_id == player_id)
    # In the order in which the deletion of who invited takes them.
    rows = select(_invitations.table_id).where(where).order_by(_invitations.table_id)
    await db.execute(rows.with_for_update())
    await db.execute(update(s.invitations).where(where).values(seen=True))


async def is_invited(db: AsyncConnection, table_id: str, player_id: str) -> bool:
    """Whether a player has an invitation that was not turned down."""
    where = (_invitations.table_id == table_id) & (_invitations.player_id == player_id)
    found = await db.scalar(select(_invitations.declined).where(where))
    return found is False


async def is_waiting(db: AsyncConnection, table_id: str, player_id: str) -> bool:
    """Whether an invitation has not been seen, and a seat is still free for them at its table."""
    seats = s.table_seats.c
    for_them = seats.kept & (seats.player_id == player_id)
    free = select(seats.seat).where(
        seats.table_id == table_id, seats.agent.is_(None), seats.player_id.is_(None) | for_them
    )
    query = (
        select(_invitations.table_id)
        .join(s.tables, s.tables.c.table_id == _invitations.table_id)
        .where(
            _invitations.table_id == table_id,
            _invitations.player_id == player_id,
            ~_invitations.seen,
            ~_invitations.declined,
            s.tables.c.status == "open",
            free.exists(),
        )
    )
    return await db.scalar(query) is not None


async def invited_to(db: AsyncConnection, table_id: str) -> set[str]:
    """All who are invited to a table and have not turned it down."""
    where = (_invitations.table_id == table_id) & ~_invitations.declined
    return set(await db.scalars(select(_invitations.player_id).where(where)))


async def invitations_for(
    db: AsyncConnection, player_id: str, without: Collection[str], limit: int
) -> list[Invited]:
    """A player's invitations to tables that wait, newest first, but those by players of `without`,
    and those to tables where the player sits by now.
    """
    seats = s.table_seats.c
    sits = select(seats.seat).where(
        seats.table_id == _invitations.table_id, seats.player_id == player_id, ~seats.kept
    )
    query = (
        select(s.invitations, s.players.c.display_name, s.players.c.picture)
        .join(s.players, s.players.c.player_id == _invitations.inviter_id)
        .join(s.tables, s.tables.c.table_id == _invitations.table_id)
        .where(
            _invitations.player_id == player_id,
            ~_invitations.declined,
            _invitations.inviter_id.not_in(without),
            s.tables.c.status == "open",
            ~sits.exists(),
        )
        .order_by(_invitations.invited_at_ms.desc(), _invitations.table_id.desc())
        .limit(limit)
    )
    return [
        Invited(
            row.table_id,
            Person(row.inviter_id, row.display_name),
            row.picture,
            row.invited_at_ms,
            row.seen,
        )
        for row in await db.execute(query)
    ]


async def add_phrases(
    db: AsyncConnection, sequences: dict[str, int], speaker_id: str, said: Said
) -> None:
    """Let players hear a phrase, each under the version of their inbox."""
    rows = [
        {
            "player_id": player_id,
            "sequence": sequence,
            "match_id": said.match_id,
            "speaker_id": speaker_id,
            "seat": said.seat,
            "number": said.number,
            "said_at_ms": said.said_at_ms,
        }
        for player_id, sequence in sequences.items()
    ]
    if rows:
        await db.execute(insert(s.phrases), rows)


async def phrases_after(
    db: AsyncConnection, player_id: str, sequence: int, without: Collection[str]
) -> list[Said]:
    """What was said to a player after a sequence, ascending, but by players of `without`.

    All that is kept: what may be said in a minute is limited.
    """
    query = (
        select(s.phrases)
        .where(
            _phrases.player_id == player_id,
            _phrases.sequence > sequence,
            _phrases.speaker_id.not_in(without),
        )
        .order_by(_phrases.sequence)
    )
    return [
        Said(row.sequence, row.match_id, row.seat, row.number, row.said_at_ms)
        for row in await db.execute(query)
    ]


async def saying(db: AsyncConnection, player_id: str, request_id: str) -> str | None:
    """The digest of what a request id said; None when it is new."""
    where = (_sayings.player_id == player_id) & (_sayings.request_id == request_id)
    found: str | None = await db.scalar(select(_sayings.payload_sha256).where(where))
    return found


async def add_saying(
    db: AsyncConnection, player_id: str, request_id: str, payload_sha256: str, now_ms: int
) -> None:
    """Note what a request id said."""
    await db.execute(
        insert(s.sayings).values(
            player_id=player_id,
            request_id=request_id,
            payload_sha256=payload_sha256,
            said_at_ms=now_ms,
        )
    )


async def forget_phrases(db: AsyncConnection, said_before_ms: int) -> None:
    """Delete what was said before a time."""
    await db.execute(delete(s.phrases).where(_phrases.said_at_ms < said_before_ms))
    await db.execute(delete(s.sayings).where(_sayings.said_at_ms < said_before_ms))
