"""Ratings in SQL. Functions work in the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, func, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from services.engine.core import Outcome
from services.matchmaking import schema as s
from services.matchmaking.model import Person
from services.matchmaking.ratings.skill import Rating
from services.matchmaking.store import outcome_from_json

_columns = s.ratings.c
_finished = s.finished_matches.c


@dataclass(frozen=True, slots=True)
class Ended:
    """A match that is over, for the ratings; `fair`: no agent acted in it."""

    match_id: str
    outcome: Outcome
    fair: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of a leaderboard, without its place."""

    player: Person
    picture: str
    rating: Rating


async def unsettled(db: AsyncConnection, limit: int) -> list[str]:
    """Matches that are over and not looked at yet, those that ended first in front.

    Only those whose table knows them: until then nobody can say who played.
    """
    query = (
        select(_finished.match_id)
        .join(s.tables, s.tables.c.match_id == _finished.match_id)
        .where(~_finished.settled)
        .order_by(_finished.finished_at_ms, _finished.match_id)
        .limit(limit)
    )
    return list(await db.scalars(query))


async def lock_unsettled(db: AsyncConnection, match_id: str) -> Ended | None:
    """A match that is over and not looked at yet, locked; None if somebody else was faster."""
    query = (
        select(s.finished_matches)
        .where(_finished.match_id == match_id, ~_finished.settled)
        .with_for_update()
    )
    row = (await db.execute(query)).first()
    if row is None:
        return None
    return Ended(row.match_id, outcome_from_json(row.outcome), row.fair)


async def settle(db: AsyncConnection, match_id: str) -> None:
    """Ratings are done with a locked match."""
    where = _finished.match_id == match_id
    await db.execute(update(s.finished_matches).where(where).values(settled=True))


async def lock_ratings(
    db: AsyncConnection, player_ids: Sequence[str], game: str, edition: str
) -> dict[str, Rating]:
    """The ratings of players for a game and edition, locked; who has none starts.

    Players whose account is gone are left out; the others' are locked, so that none goes meanwhile
    and leaves its ratings behind.
    """
    build = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    player_id = s.players.c.player_id
    alive = (
        select(player_id)
        .where(player_id.in_(player_ids), s.players.c.deleted_at_ms.is_(None))
        .order_by(player_id)
        .with_for_update(key_share=True)
    )
    players = sorted(await db.scalars(alive))
    if not players:
        return {}
    start = Rating()
    # So that there is a row to lock for everybody; in one order, so that two matches take turns.
    rows = [
        {
            "player_id": who,
            "game": game,
            "edition": edition,
            "mu": start.mu,
            "sigma": start.sigma,
            "points": 0,
            "matches": 0,
        }
        for who in players
    ]
    await db.execute(build(s.ratings).values(rows).on_conflict_do_nothing())
    query = (
        select(s.ratings)
        .where(_columns.player_id.in_(players), _columns.game == game, _columns.edition == edition)
        .order_by(_columns.player_id)
        .with_for_update()
    )
    return {row.player_id: _rating(row) for row in await db.execute(query)}


async def save(db: AsyncConnection, game: str, edition: str, after: Mapping[str, Rating]) -> None:
    """Write locked ratings."""
    for player_id, rating in after.items():
        where = (
            (_columns.player_id == player_id)
            & (_columns.game == game)
            & (_columns.edition == edition)
        )
        values = {
            "mu": rating.mu,
            "sigma": rating.sigma,
            "points": rating.points,
            "matches": rating.matches,
        }
        await db.execute(update(s.ratings).where(where).values(**values))


async def rating_of(db: AsyncConnection, player_id: str, game: str, edition: str) -> Rating:
    """A player's rating; the start for one who has none."""
    query = select(s.ratings).where(
        _columns.player_id == player_id, _columns.game == game, _columns.edition == edition
    )
    row = (await db.execute(query)).first()
    return Rating() if row is None else _rating(row)


async def ratings_of(db: AsyncConnection, player_id: str) -> list[tuple[str, str, Rating]]:
    """All ratings of a player, with their games and editions."""
    query = (
        select(s.ratings)
        .where(_columns.player_id == player_id, _columns.matches > 0)
        .order_by(_columns.game, _columns.edition)
    )
    return [(row.game, row.edition, _rating(row)) for row in await db.execute(query)]


async def best(
    db: AsyncConnection, game: str, edition: str, limit: int, after: tuple[int, str] | None
) -> list[Listed]:
    """The best players, best first, from behind (points, player id)."""
    query = (
        select(s.ratings, s.players.c.display_name, s.players.c.picture)
        .join(s.players, s.players.c.player_id == _columns.player_id)
        .where(_columns.game == game, _columns.edition == edition, _columns.matches > 0)
        .order_by(_columns.points.desc(), _columns.player_id.desc())
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(_columns.points, _columns.player_id) < tuple_(*after))
    return [
        Listed(Person(row.player_id, row.display_name), row.picture, _rating(row))
        for row in await db.execute(query)
    ]


async def ahead_of(db: AsyncConnection, game: str, edition: str, row: Listed) -> int:
    """How many rows of the leaderboard come before one."""
    place = tuple_(_columns.points, _columns.player_id)
    query = select(func.count()).where(
        _columns.game == game,
        _columns.edition == edition,
        _columns.matches > 0,
        place > tuple_(row.rating.points, row.player.player_id),
    )
    return int(await db.scalar(query) or 0)


async def better_than(db: AsyncConnection, game: str, edition: str, points: int) -> int:
    """How many players have more points."""
    query = select(func.count()).where(
        _columns.game == game,
        _columns.edition == edition,
        _columns.matches > 0,
        _columns.points > points,
    )
    return int(await db.scalar(query) or 0)


def _rating(row: Row[Any]) -> Rating:
    return Rating(row.mu, row.sigma, row.matches)
