"""Ratings: counted from matches that are over, each once; the leaderboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.common.transactions import reading, writing
from services.matchmaking import store
from services.matchmaking.model import Person, Table
from services.matchmaking.neighbours import Rules
from services.matchmaking.people.model import Account
from services.matchmaking.ratings import store as ratings
from services.matchmaking.ratings.skill import Rating, places, rated

BATCH: Final = 100
NOT_PLAYED_OUT: Final = frozenset({"abandoned", "agreed"})
"""Reasons of outcomes that say nothing about skill."""


@dataclass(frozen=True, slots=True)
class Place:
    """A row of a leaderboard; equal points share a place, 1 upwards."""

    place: int
    player: Person
    picture: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class Ratings:
    """Counts matches, and tells how players stand."""

    engine: AsyncEngine
    rules: Rules

    async def any_new(self) -> bool:
        """Whether there is anything to count."""
        async with reading(self.engine) as db:
            return bool(await ratings.unsettled(db, 1))

    async def count(self) -> None:
        """Rate the matches that are over and were not looked at yet, in the order of their ends.

        Each in a transaction that also notes that it was done: read twice, or by two processes at
        once, a match counts once.
        """
        while True:
            async with reading(self.engine) as db:
                found = await ratings.unsettled(db, BATCH)
            for match_id in found:
                async with writing(self.engine) as db:
                    await self._settle(db, match_id)
            if len(found) < BATCH:
                return

    async def mine(self, player: Person) -> list[tuple[str, str, Rating]]:
        """The player's ratings, with game and edition."""
        async with reading(self.engine) as db:
            return await ratings.ratings_of(db, player.player_id)

    async def leaderboard(
        self, game: str, edition: str, size: int, after: tuple[int, str] | None
    ) -> tuple[list[Place], bool]:
        """A page of the best, and whether there are more; raises `RefusedError` GAME_NOT_FOUND."""
        await self.rules.game(game)
        async with reading(self.engine) as db:
            found = await ratings.best(db, game, edition, size + 1, after)
            page = found[:size]
            if not page:
                return [], False
            ahead = await ratings.ahead_of(db, game, edition, page[0])
            better = await ratings.better_than(db, game, edition, page[0].rating.points)
        rows = [Place(better + 1, page[0].player, page[0].picture, page[0].rating)]
        for row in page[1:]:
            shared = row.rating.points == rows[-1].rating.points
            place = rows[-1].place if shared else ahead + len(rows) + 1
            rows.append(Place(place, row.player, row.picture, row.rating))
        return rows, len(found) > size

    async def place_of(self, account: Account, game: str, edition: str) -> Place | None:
        """Where a player stands; None without a rated match."""
        async with reading(self.engine) as db:
            rating = await ratings.rating_of(db, account.player_id, game, edition)
            if not rating.matches:
                return None
            better = await ratings.better_than(db, game, edition, rating.points)
            return Place(better + 1, account.person, account.picture, rating)

    async def _settle(self, db: AsyncConnection, match_id: str) -> None:
        match = await ratings.lock_unsettled(db, match_id)
        table = await store.table_by_match(db, match_id)
        if match is None or table is None:
            return
        await ratings.settle(db, match_id)
        players = players_of(table)
        if not match.fair or match.outcome.reason in NOT_PLAYED_OUT or players is None:
            return
        before = await ratings.lock_ratings(db, players, table.game, table.edition)
        if len(before) < len(players):  # somebody's account is gone
            return
        place = places(match.outcome, range(len(players)))
        after = rated(before, [(player, place[seat]) for seat, player in enumerate(players)])
        await ratings.save(db, table.game, table.edition, after)


def players_of(table: Table) -> list[str] | None:
    """Who played, by seat; None unless every seat was a different player's."""
    players = [who.player_id for who in table.seats if isinstance(who, Person)]
    whole = len(players) == len(table.seats) == len(set(players)) > 1
    return players if whole else None
