"""What a phone needs on waking, in one call and as a stream: matches, invitations, phrases."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode

from oddsocks.matchmaking.v1 import inbox_service_pb2 as inbox_pb
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.play.v1 import play_pb2
from tests.contract.matchmaking.finders import Finder, finder, swept
from tests.contract.matchmaking.world import OPEN, SELF, World, agent, refused, running_world

INVALID = (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
PATIENCE_S = 60


class Stream:
    """An inbox that is being watched; heartbeats are left out."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def next(self) -> tuple[str, Any]:
        """The next thing that comes in: what it is, and it."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                answer = await self._call.read()
                kind = answer.WhichOneof("update")
                if kind != "heartbeat":
                    return kind, getattr(answer, kind)

    async def caught_up(self) -> list[tuple[str, Any]]:
        """All that was there from before."""
        found = []
        while (update := await self.next())[0] != "caught_up":
            found.append(update)
        return found

    async def until(self, kind: str) -> Any:
        """The next thing of this kind."""
        while (update := await self.next())[0] != kind:
            pass
        return update[1]


@asynccontextmanager
async def watching(one: Finder, *args: Any) -> AsyncIterator[Stream]:
    """Watch an inbox for as long as the block lasts."""
    call = one.watch(*args)
    try:
        yield Stream(call)
    finally:
        call.cancel()


async def couple(world: World) -> tuple[Finder, Finder, pb.Table]:
    """Two players in a match."""
    anna, ben = await finder(world, "Anna"), await finder(world, "Ben")
    table = await anna.guest.open(SELF, OPEN)
    return anna, ben, await ben.guest.join(table.invitation_code)


def seen(match_id: str, revision: int) -> list[pb.SeenMatch]:
    return [pb.SeenMatch(match_id=match_id, revision=revision)]


async def moved(world: World, match_id: str) -> None:
    """A match moves on, and no bell rings: the comparison finds it, as it does every second."""
    world.rules.move_on(match_id)


async def test_my_matches_tell_what_happened_since_the_revision_last_seen(world: World) -> None:
    anna, _, table = await couple(world)
    match_id = table.match_id
    summary = world.rules.summaries[match_id]
    summary.acting_since_ms, summary.deadline_ms = 77, 88
    (row,) = (await anna.guest.mine(seen=seen(match_id, 1))).matches
    assert (row.revision, row.actor, row.acting_since_ms, row.deadline_ms) == (3, 1, 77, 88)
    assert [event.revision for event in row.news] == [1, 2]
    assert list(row.my_seats) == [0]
    for known in ([], seen(match_id, 3), seen("0" * 32, 1)):
        (row,) = (await anna.guest.mine(seen=known)).matches
        assert (row.revision, list(row.news)) == (3, [])
    world.rules.given_up.add((match_id, 0))
    (row,) = (await anna.guest.mine()).matches
    assert list(row.my_seats) == []


async def test_a_watched_inbox_tells_all_that_is_there_and_then_each_change(world: World) -> None:
    anna, ben, table = await couple(world)
    async with watching(anna) as stream:
        (first,) = await stream.caught_up()
        assert first[0] == "match"
        assert first[1] == (await anna.guest.mine()).matches[0]
        assert first[1].table == table
        opened = await anna.guest.open(SELF, OPEN)
        assert (await stream.until("match")).table == opened
        joined = await ben.guest.join(opened.invitation_code)
        rows = [await stream.until("match")]
        while rows[-1].table.status != pb.TABLE_STATUS_STARTED:  # perhaps still starting, before
            rows.append(await stream.until("match"))
        assert rows[-1].table == joined
        await moved(world, table.match_id)
        row = await stream.until("match")
        assert (row.table.match_id, row.revision) == (table.match_id, 4)
        assert [event.revision for event in row.news] == [3]
        world.rules.end(table.match_id, in_feed=True)
        row = await stream.until("match")
        assert row.status == play_pb2.MATCH_STATUS_FINISHED
        assert row.outcome.winners == [1]


@pytest.mark.field(6)
async def test_a_stream_that_broke_goes_on_where_the_device_had_got_to(world: World) -> None:
    anna, ben, table = await couple(world)
    other = await anna.guest.open(SELF, agent())
    async with watching(anna) as stream:
        await stream.caught_up()
    # Missed: two actions, a match that ended, a table opened.
    for _ in range(2):
        world.rules.move_on(table.match_id)
    world.rules.end(other.match_id, in_feed=True)
    waiting = await anna.guest.open(SELF, OPEN)
    known = {table.match_id: 3, other.match_id: 3}
    async with watching(anna, known) as stream:
        rows = [row for _, row in await stream.caught_up()]
        by_table = {row.table.table_id: row for row in rows}
        assert len(rows) == len(by_table) == 3
        assert [event.revision for event in by_table[table.table_id].news] == [3, 4]
        assert by_table[other.table_id].status == play_pb2.MATCH_STATUS_FINISHED
        assert by_table[waiting.table_id].table.status == pb.TABLE_STATUS_OPEN
    known = {table.match_id: 5, other.match_id: 37}
    async with watching(anna, known) as stream:  # all seen: nothing twice
        (row,) = [row for _, row in await stream.caught_up()]
        assert row.table == waiting
    async with watching(ben, {table.match_id: 5}) as stream:
        assert await stream.caught_up() == []


async def test_a_table_that_closes_is_gone(world: World) -> None:
    anna, ben = await finder(world, "Anna"), await finder(world, "Ben")
    table = await anna.guest.open(SELF, OPEN, OPEN, game="sock_monsters")
    await ben.guest.join(table.invitation_code)
    async with watching(anna) as hers, watching(ben) as his:
        for stream in (hers, his):
            assert [kind for kind, _ in await stream.caught_up()] == ["match"]
        await ben.guest.leave(table.table_id)
        assert await his.until("gone_table_id") == table.table_id
        assert not (await hers.until("match")).table.seats[1].player_id
        await anna.guest.leave(table.table_id)
        assert await hers.until("gone_table_id") == table.table_id


async def test_a_match_that_ended_long_ago_is_told_of_no_more(world: World) -> None:
    anna, _, table = await couple(world)
    world.rules.end(table.match_id, in_feed=True)
    world.rules.finished[-1].finished_at_ms = world.clock()
    await swept(world, "finished matches")
    async with watching(anna) as stream:
        assert [kind for kind, _ in await stream.caught_up()] == ["match"]
    world.clock.advance(7 * 24 * 3_600_000)
    anna = Finder(await anna.device.refreshed())
    async with watching(anna) as stream:
        assert await stream.caught_up() == []
    assert len((await anna.guest.mine()).matches) == 1  # the list still has it


async def test_while_rules_is_away_the_inbox_waits_for_it(world: World) -> None:
    anna, _, table = await couple(world)
    await world.to_rules.go()
    async with watching(anna) as stream:
        ((kind, row),) = await stream.caught_up()
        assert (kind, row.status) == ("match", play_pb2.MATCH_STATUS_UNSPECIFIED)
        await world.to_rules.come()
        row = await stream.until("match")
        assert (row.table.match_id, row.revision) == (table.match_id, 3)


async def test_a_silent_inbox_says_that_it_lives(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/m.db"
    async with running_world(url, tmp_path, heartbeat_seconds=0.05) as world:
        anna = await finder(world, "Anna")
        call = anna.watch()
        async with asyncio.timeout(PATIENCE_S):
            kinds = [(await call.read()).WhichOneof("update") for _ in range(3)]
        call.cancel()
        assert kinds == ["caught_up", "heartbeat", "heartbeat"]


@pytest.mark.field(26)
async def test_inboxes_end_cleanly_when_the_server_drains(world: World) -> None:
    anna = await finder(world, "Anna")
    calls = [anna.watch() for _ in range(5)]
    for call in calls:
        assert (await call.read()).HasField("caught_up")
    async with asyncio.timeout(PATIENCE_S):
        await world.service.server.stop(30)
        assert [await call.code() for call in calls] == [StatusCode.OK] * 5


async def test_bells_of_another_process_come_through_redis(
    tmp_path: Path, fresh_redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "services.matchmaking.inbox.following.POLL_S", 3_600.0
    )  # only bells are left
    monkeypatch.setattr("services.matchmaking.inbox.following.POLL_AWAY_S", 3_600.0)
    url = f"sqlite:///{tmp_path}/m.db"
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    async with (
        running_world(url, tmp_path / "one", redis_url=fresh_redis_url) as world,
        running_world(url, tmp_path / "two", redis_url=fresh_redis_url) as other,
    ):
        anna = await finder(world, "Anna")
        ben = await finder(other, "Ben")
        table = await anna.guest.open(SELF, OPEN, OPEN, game="sock_monsters")
        async with watching(anna) as stream:
            await stream.caught_up()
            async with asyncio.timeout(PATIENCE_S):  # until the subscription stands
                for _ in itertools.count():
                    await ben.guest.join(table.invitation_code)
                    if any(seat.player_id == ben.id for seat in (await _look(stream)).seats):
                        break
                    await ben.guest.leave(table.table_id)


async def _look(stream: Stream) -> pb.Table:
    """The table of the next match that comes in, or none after a moment."""
    try:
        async with asyncio.timeout(0.5):
            table: pb.Table = (await stream.until("match")).table
            return table
    except TimeoutError:
        return pb.Table()


async def test_questions_that_cannot_be_are_refused(world: World) -> None:
    anna = await finder(world, "Anna")
    many = [pb.SeenMatch(match_id=f"{n}", revision=0) for n in range(501)]
    with refused(*INVALID, field="seen"):
        await anna.guest.mine(seen=many)
    with refused(*INVALID, field="seen.revision"):
        await anna.guest.mine(seen=seen("m", -1))
    with refused(*INVALID, field="seen"):
        await anna.watch({f"{n}": 0 for n in range(501)}).read()
    with refused(*INVALID, field="phrases_after"):
        await anna.watch(None, -1).read()
    assert inbox_pb.WatchInboxRequest() == inbox_pb.WatchInboxRequest(phrases_after=0)
