"""Ratings count what people played to an end, once, and the leaderboard shows the best."""

from __future__ import annotations

import asyncio
import contextlib

from grpc import StatusCode

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1 import ratings_service_pb2 as ratings_pb
from oddsocks.play.v1 import play_pb2
from services.common.errors import RefusedError
from tests.contract.matchmaking.finders import Finder, finder, swept
from tests.contract.matchmaking.world import OPEN, SELF, World, agent, refused

GERMAN = play_pb2.Options(values={"edition": play_pb2.OptionValue(choice="german")})


async def finders(world: World, *names: str) -> list[Finder]:
    return [await finder(world, name) for name in names]


async def play(world: World, *players: Finder, **fields: object) -> pb.Table:
    """A match of these players in the order of the seats; the second wins."""
    first, *others = players
    table = await first.guest.open(SELF, *[OPEN] * len(others), **fields)
    for other in others:
        table = await other.guest.join(table.invitation_code)
    assert table.status == pb.TABLE_STATUS_STARTED
    return table


async def counted(world: World) -> None:
    """Let matchmaking read the feed and rate what is new."""
    await swept(world, "finished matches")
    await swept(world, "ratings")


async def ratings_of(one: Finder) -> list[ratings_pb.Rating]:
    return list((await one.ratings("ListMyRatings")).ratings)


async def test_who_wins_rises_and_who_loses_falls(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    assert await ratings_of(anna) == []
    table = await play(world, anna, ben)
    world.rules.end(table.match_id, in_feed=True)
    await counted(world)
    (hers,), (his,) = await ratings_of(anna), await ratings_of(ben)
    assert his.skill > 1_500 > hers.skill
    assert his.skill - 1_500 == 1_500 - hers.skill
    assert his.points > hers.points == 0
    assert (his.game, his.edition, his.matches) == ("socker", "", 1)


async def test_a_match_counts_once_however_often_the_feed_tells_of_it(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    table = await play(world, anna, ben)
    world.rules.end(table.match_id, in_feed=True)
    await counted(world)
    once = await ratings_of(ben)
    world.rules.finished.extend([world.rules.finished[0]] * 3)
    for _ in range(2):
        await counted(world)
    assert await ratings_of(ben) == once


async def test_a_feed_that_is_read_before_the_table_knows_its_match_loses_nothing(
    world: World,
) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    table = await anna.guest.open(SELF, OPEN)
    await world.to_rules.go()
    table = await ben.guest.join(table.invitation_code)
    assert table.status == pb.TABLE_STATUS_STARTING
    await world.to_rules.come()
    world.rules.end(f"match-{table.table_id}", in_feed=True)  # made, and over, unheard of

    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(RefusedError):  # the channel has not noticed yet
                await counted(world)
                break
            await asyncio.sleep(0.05)
    assert await ratings_of(ben) == []
    await swept(world, "start tables")
    await swept(world, "ratings")
    assert [rating.matches for rating in await ratings_of(ben)] == [1]


async def test_what_people_did_not_play_to_an_end_themselves_does_not_count(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    with_agent = await anna.guest.open(SELF, agent())
    with_sitter = await play(world, anna, ben)
    abandoned = await play(world, anna, ben)
    agreed = await play(world, anna, ben)
    family = await anna.guest.open(SELF, SELF)
    both = [SELF, OPEN, SELF]
    table = await anna.guest.open(*both, game="sock_monsters")
    mixed = await ben.guest.join(table.invitation_code)
    for match_id in (with_agent.match_id, family.match_id, mixed.match_id):
        world.rules.end(match_id, in_feed=True)
    world.rules.end(with_sitter.match_id, in_feed=True, agents_acted=True)
    world.rules.end(abandoned.match_id, in_feed=True, reason="abandoned")
    world.rules.end(agreed.match_id, in_feed=True, reason="agreed")
    await counted(world)
    assert await ratings_of(anna) == await ratings_of(ben) == []
    for reason in ("resigned", "forfeit"):
        lost = await play(world, anna, ben)
        world.rules.end(lost.match_id, in_feed=True, reason=reason)
    await counted(world)
    assert [rating.matches for rating in await ratings_of(ben)] == [2]


async def test_each_game_and_edition_has_ratings_of_its_own(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    for fields in (
        {},
        {"game": "sock_monsters"},
        {"game": "sock_monsters", "options": GERMAN},
    ):
        table = await play(world, anna, ben, **fields)
        world.rules.end(table.match_id, in_feed=True)
    await counted(world)
    found = [(r.game, r.edition, r.matches) for r in await ratings_of(ben)]
    assert found == [
        ("sock_monsters", "german", 1),
        ("sock_monsters", "international", 1),
        ("socker", "", 1),
    ]


async def test_matches_that_end_at_once_are_all_counted(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    tables = [await play(world, anna, ben) for _ in range(5)]
    for table in tables:
        world.rules.end(table.match_id, in_feed=True)
    await swept(world, "finished matches")
    (sweep,) = (one for one in world.service.sweeps if one.lease.name == "ratings")
    await asyncio.gather(*(sweep.work() for _ in range(4)))  # as of processes without a lease
    assert [rating.matches for rating in await ratings_of(ben)] == [5]


async def test_the_leaderboard_shows_the_best_in_pages_and_ones_own_place(world: World) -> None:
    everybody = await finders(world, *(f"P{n}" for n in range(5)))
    loser, winners = everybody[0], everybody[1:]
    for wins, winner in enumerate(winners):
        for _ in range(max(1, wins)):  # the first two win once, as much as each other
            table = await play(world, await finder(world, "Newcomer"), winner)
            world.rules.end(table.match_id, in_feed=True)
    table = await play(world, loser, await finder(world, "Last"))
    world.rules.end(table.match_id, in_feed=True)
    await counted(world)
    rows: list[ratings_pb.Standing] = []
    token = ""
    while True:
        page = await loser.ratings("ListLeaderboard", game="socker", page_size=2, page_token=token)
        rows += page.standings
        token = page.next_page_token
        if not token:
            break
    points = [row.rating.points for row in rows]
    assert points == sorted(points, reverse=True)
    names = [row.player.display_name for row in rows]
    assert names[:2] == ["P4", "P3"]
    assert set(names[2:5]) == {"P1", "P2", "Last"}
    assert [row.place for row in rows] == [1, 2, 3, 3, 3, *[6] * (len(rows) - 5)]
    assert len({row.player.player_id for row in rows}) == len(rows)
    assert (page.mine.place, page.mine.player.display_name) == (6, "P0")
    stranger = await finder(world, "Stranger")
    assert not (await stranger.ratings("ListLeaderboard", game="socker")).HasField("mine")
    empty = await loser.ratings("ListLeaderboard", game="sock_monsters", edition="german")
    assert list(empty.standings) == []


async def test_leaderboards_that_cannot_be_are_refused(world: World) -> None:
    anna = await finder(world, "Anna")
    with refused(StatusCode.NOT_FOUND, "GAME_NOT_FOUND"):
        await anna.ratings("ListLeaderboard", game="chess")
    for size in (-1, 101):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="page_size"):
            await anna.ratings("ListLeaderboard", game="socker", page_size=size)
    with refused(StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN"):
        await anna.ratings("ListLeaderboard", game="socker", page_token="x")


async def test_who_deleted_their_account_leaves_the_leaderboard(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    table = await play(world, anna, ben)
    world.rules.end(table.match_id, in_feed=True)
    await counted(world)
    unseen = await play(world, anna, ben)
    await ben.device.accounts("DeleteAccount")
    (row,) = (await anna.ratings("ListLeaderboard", game="socker")).standings
    assert row.player.display_name == "Anna"
    world.rules.end(unseen.match_id, in_feed=True)
    await counted(world)
    assert [rating.matches for rating in await ratings_of(anna)] == [1]
