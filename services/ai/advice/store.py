"""Hints that were given and reviews, in SQL. No players: only matches and seats.

Both are kept as long as their match, of which they are a part: the number of hints is told with its
reviews. Rules deletes no match, so nothing here is deleted but reviews that could not be made.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Integer,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.ai.v1 import advice_pb2 as pb
from services.advice.review import Part, conclude
from services.ai.plan import Key
from services.ai.store import metadata
from services.common.transactions import reading, writing

HINTS: Final = Table(
    "hints",
    metadata,
    Column("match_id", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("revision", BigInteger, primary_key=True),
    Column("hint", LargeBinary, nullable=False),
)
REVIEWS: Final = Table(
    "reviews",
    metadata,
    Column("review_id", String(64), primary_key=True),
    Column("match_id", String(64), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_try_ms", BigInteger, nullable=False),
    Column("finished", Boolean, nullable=False),
    Column("found", LargeBinary, nullable=False),
    Column("strayed", JSON, nullable=False),
    Column("quiet", Integer, nullable=False),
    UniqueConstraint("match_id", "seat", name="one_review_a_seat"),
)


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """How far a review is. `start` is the first step that was not looked at; `total` is 0 as long
    as nobody has counted. `attempts` are those for the part under way; times are milliseconds.
    """

    review_id: str
    match_id: str
    seat: int
    start: int
    total: int
    attempts: int
    next_try_ms: int
    finished: bool
    found: bytes


class AdviceStore:
    """Both tables. Repeating anything changes nothing.

    All of it raises `RefusedError` UNAVAILABLE while the database is away.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    # --- hints ------------------------------------------------------------------------------------

    async def hint(self, key: Key) -> pb.Hint | None:
        """The hint that a seat was given at a revision."""
        columns = HINTS.c
        query = select(columns.hint).where(
            columns.match_id == key.match_id,
            columns.seat == key.seat,
            columns.revision == key.revision,
        )
        async with reading(self._engine) as db:
            found = await db.scalar(query)
        return None if found is None else pb.Hint.FromString(found)

    async def keep_hint(self, key: Key, hint: pb.Hint) -> None:
        """Keep a hint, unless the seat has had another at this revision."""
        values = {**key._asdict(), "hint": hint.SerializeToString(deterministic=True)}
        async with writing(self._engine) as db:
            await self._insert(db, HINTS, values)

    async def hints_used(self, match_id: str) -> dict[int, int]:
        """How many hints each seat of a match has had; seats without any are left out."""
        columns = HINTS.c
        query = (
            select(columns.seat, func.count().label("number"))
            .where(columns.match_id == match_id)
            .group_by(columns.seat)
        )
        async with reading(self._engine) as db:
            return {row.seat: row.number for row in await db.execute(query)}

    # --- reviews ----------------------------------------------------------------------------------

    async def ask_for(self, match_id: str, seat: int, now_ms: int, agent: str) -> ReviewRow:
        """The review of a match for a seat, begun if it is not there."""
        found = pb.Review(match_id=match_id, seat=seat, agent=agent)
        values = {
            "review_id": uuid.uuid4().hex,
            "match_id": match_id,
            "seat": seat,
            "start": 0,
            "total": 0,
            "attempts": 0,
            "next_try_ms": now_ms,
            "finished": False,
            "found": found.SerializeToString(deterministic=True),
            "strayed": [],
            "quiet": 0,
        }
        of_seat = (REVIEWS.c.match_id == match_id) & (REVIEWS.c.seat == seat)
        async with writing(self._engine) as db:
            await self._insert(db, REVIEWS, values)
            row = (await db.execute(select(REVIEWS).where(of_seat))).one()
        return _row(row)

    async def review(self, review_id: str) -> ReviewRow | None:
        """A review by its id."""
        query = select(REVIEWS).where(REVIEWS.c.review_id == review_id)
        async with reading(self._engine) as db:
            row = (await db.execute(query)).one_or_none()
        return None if row is None else _row(row)

    async def unfinished(self) -> bool:
        """Whether a review is under way."""
        query = select(REVIEWS.c.review_id).where(REVIEWS.c.finished.is_(False)).limit(1)
        async with reading(self._engine) as db:
            return await db.scalar(query) is not None

    async def due(self, now_ms: int, most: int) -> Sequence[ReviewRow]:
        """Reviews whose next part is to be asked for, longest due first."""
        columns = REVIEWS.c
        query = (
            select(REVIEWS)
            .where(columns.finished.is_(False), columns.next_try_ms <= now_ms)
            .order_by(columns.next_try_ms)
            .limit(most)
        )
        async with reading(self._engine) as db:
            return [_row(row) for row in await db.execute(query)]

    async def tried(self, row: ReviewRow, next_try_ms: int) -> None:
        """Note an attempt for the part under way."""
        async with writing(self._engine) as db:
            await db.execute(
                update(REVIEWS)
                .where(REVIEWS.c.review_id == row.review_id, REVIEWS.c.start == row.start)
                .values(attempts=row.attempts + 1, next_try_ms=next_try_ms)
            )

    async def taken(self, row: ReviewRow, next_try_ms: int) -> None:
        """Note that somebody has taken up the part under way: the next try is then at the latest.

        Never later than it was to come: a job that kills whoever takes it comes back each time.
        """
        columns = REVIEWS.c
        async with writing(self._engine) as db:
            await db.execute(
                update(REVIEWS)
                .where(
                    columns.review_id == row.review_id,
                    columns.start == row.start,
                    ~columns.finished,
                    columns.next_try_ms > next_try_ms,
                )
                .values(next_try_ms=next_try_ms)
            )

    async def add_part(self, review_id: str, start: int, part: Part, now_ms: int) -> bool:
        """Add what a part has found; False, and nothing is changed, unless it is the next one."""
        columns = REVIEWS.c
        same = (columns.review_id == review_id) & (columns.start == start)
        async with writing(self._engine) as db:
            query = select(columns.found, columns.strayed, columns.quiet).where(
                same, ~columns.finished
            )
            known = (await db.execute(query)).one_or_none()
            if known is None:
                return False
            found = pb.Review.FromString(known.found)
            found.MergeFrom(part.found)
            before = known.strayed or [0] * len(part.strayed)
            strayed = [old + new for old, new in zip(before, part.strayed, strict=True)]
            quiet = known.quiet + part.quiet
            finished = part.next >= part.total
            if finished:
                conclude(found, strayed, quiet)
            changed = await db.execute(
                update(REVIEWS)
                .where(same, ~columns.finished)
                .values(
                    start=part.next,
                    total=part.total,
                    attempts=0,
                    next_try_ms=now_ms,
                    finished=finished,
                    found=found.SerializeToString(deterministic=True),
                    strayed=strayed,
                    quiet=quiet,
                )
            )
            return changed.rowcount == 1

    async def forget(self, row: ReviewRow) -> None:
        """Give a review up that nobody manages to make."""
        async with writing(self._engine) as db:
            await db.execute(REVIEWS.delete().where(REVIEWS.c.review_id == row.review_id))

    async def _insert(self, db: AsyncConnection, table: Table, values: dict[str, object]) -> None:
        build = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
        await db.execute(build(table).values(**values).on_conflict_do_nothing())


def _row(row: object) -> ReviewRow:
    names = ReviewRow.__dataclass_fields__
    return ReviewRow(**{name: getattr(row, name) for name in names})
