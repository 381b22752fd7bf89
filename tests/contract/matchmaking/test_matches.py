"""Playing again, the list of one's matches, and what happens while the neighbours are away."""

from __future__ import annotations

import asyncio
import contextlib

from google.protobuf.json_format import ParseError
from grpc import StatusCode
from sqlalchemy import update

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.play.v1 import play_pb2
from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.database import connect
from services.common.errors import RefusedError
from services.matchmaking import schema
from tests.contract.matchmaking.world import OPEN, SELF, Guest, World, agent, fresh_id, refused


async def match_of(*players: Guest, world: World) -> pb.Table:
    """A running match of these players."""
    host, *friends = players
    table = await host.open(*[SELF], *[OPEN] * len(friends), game="sock_monsters")
    for friend in friends:
        table = await friend.join(table.invitation_code)
    return table


async def test_a_rematch_rotates_the_seats_and_waits_for_the_others(world: World) -> None:
    anna, ben, carl = [await world.guest(name) for name in ("Anna", "Ben", "Carl")]
    first = await match_of(anna, ben, carl, world=world)
    world.rules.end(first.match_id, in_feed=True)
    await world.sweep()

    opened = await ben.rematch(first.match_id)
    assert opened.status == pb.TABLE_STATUS_OPEN
    assert [seat.display_name for seat in opened.seats] == ["Ben", "", ""]
    assert [seat.WhichOneof("occupant") for seat in opened.seats] == ["player_id", None, None]
    joined = await anna.rematch(first.match_id)
    assert joined.table_id == opened.table_id
    # The seat that is kept for Carl is nobody else's.
    dora = await world.guest("Dora")
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_FULL"):
        await dora.join(opened.invitation_code)
    complete = await carl.join(opened.invitation_code)
    assert complete.status == pb.TABLE_STATUS_STARTED
    assert complete.match_id != first.match_id
    assert [seat.display_name for seat in complete.seats] == ["Ben", "Carl", "Anna"]
    assert world.rules.made[complete.table_id].host_player_id == ben.player.player_id
    assert await anna.rematch(first.match_id) == complete


async def test_all_asking_at_once_make_one_rematch(world: World) -> None:
    anna, ben, carl = [await world.guest() for _ in range(3)]
    first = await match_of(anna, ben, carl, world=world)
    world.rules.end(first.match_id, in_feed=True)
    await world.sweep()
    await asyncio.gather(*(guest.rematch(first.match_id) for guest in (anna, ben, carl) * 2))
    answers = [await guest.rematch(first.match_id) for guest in (anna, ben, carl)]
    assert answers[0].status == pb.TABLE_STATUS_STARTED
    assert answers[0] == answers[1] == answers[2]
    assert len(world.rules.made) == 2


async def test_a_rematch_against_an_agent_starts_at_once(world: World) -> None:
    anna = await world.guest("Anna")
    options = play_pb2.Options(values={"goals": play_pb2.OptionValue(number=2)})
    first = await anna.open(SELF, agent(), options=options, pace=play_pb2.PACE_DAYS)
    world.rules.end(first.match_id, in_feed=True)
    await world.sweep()
    again = await anna.rematch(first.match_id, "again")
    assert again.status == pb.TABLE_STATUS_STARTED
    assert [seat.display_name for seat in again.seats] == ["random", "Anna"]
    assert (again.options, again.pace) == (first.options, first.pace)
    assert await anna.rematch(first.match_id, "again") == again
    with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED", request_id="again"):
        await anna.rematch(again.match_id, "again")


async def test_a_rematch_that_its_host_left_makes_room_for_another(world: World) -> None:
    anna, ben = await world.guest(), await world.guest()
    first = await match_of(anna, ben, world=world)
    world.rules.end(first.match_id, in_feed=True)
    await world.sweep()
    given_up = await anna.rematch(first.match_id)
    await anna.leave(given_up.table_id)
    opened = await ben.rematch(first.match_id)
    assert opened.table_id != given_up.table_id
    assert (await anna.rematch(first.match_id)).status == pb.TABLE_STATUS_STARTED


async def test_only_own_finished_matches_can_be_played_again(world: World) -> None:
    anna, ben, eve = [await world.guest() for _ in range(3)]
    table = await match_of(anna, ben, world=world)
    with refused(StatusCode.FAILED_PRECONDITION, "MATCH_RUNNING"):
        await anna.rematch(table.match_id)
    for match_id in (table.match_id, "match-0", "';--"):
        with refused(StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"):
            await eve.rematch(match_id)
    for match_id in ("", "x" * 101, "a\0b"):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="match_id"):
            await anna.rematch(match_id)
    # The feed may be behind: then rules is asked.
    world.rules.end(table.match_id, in_feed=False)
    assert (await anna.rematch(table.match_id)).status == pb.TABLE_STATUS_OPEN


async def test_my_matches_come_newest_first_in_pages_that_hold_still(world: World) -> None:
    anna, ben = await world.guest(), await world.guest()
    opened = []
    for _ in range(5):
        opened.append(await anna.open(SELF, agent()))
        world.clock.advance(1)
    first = await anna.mine(page_size=2)
    newest = await anna.open(SELF, OPEN)
    rest = [first]
    while rest[-1].next_page_token:
        rest.append(await anna.mine(page_size=2, page_token=rest[-1].next_page_token))
    rows = [row for page in rest for row in page.matches]
    assert [len(page.matches) for page in rest] == [2, 2, 1]
    assert [row.table.table_id for row in rows] == [t.table_id for t in reversed(opened)]
    assert {(row.revision, row.status, row.actor) for row in rows} == {
        (3, play_pb2.MATCH_STATUS_RUNNING, 1)
    }
    whole = (await anna.mine()).matches
    assert [row.table.table_id for row in whole][:1] == [newest.table_id]
    assert len(whole) == 6
    assert (whole[0].revision, whole[0].status) == (0, play_pb2.MATCH_STATUS_UNSPECIFIED)
    assert not whole[0].HasField("actor")
    assert len((await ben.mine()).matches) == 0
    # A page token says where, never whose.
    assert len((await ben.mine(page_token=first.next_page_token)).matches) == 0


async def test_pages_that_cannot_be_are_refused(world: World) -> None:
    anna = await world.guest()
    for size in (-1, 201, 2**31 - 1):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="page_size"):
            await anna.mine(page_size=size)
    for token in ("x", "é", "AAAA", "x" * 10_000, "OTk5OTk5OTk5OTk5OTk5OTk5OTk5LjA="):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN"):
            await anna.mine(page_token=token)


async def test_while_rules_is_away_lists_work_and_full_tables_wait_for_it(world: World) -> None:
    anna, ben = await world.guest(), await world.guest()
    over, running = await anna.open(SELF, agent()), await anna.open(SELF, agent())
    world.rules.end(over.match_id, in_feed=True)
    await world.sweep()
    waiting = await anna.open(SELF, OPEN)
    await world.to_rules.go()

    rows = {row.table.table_id: row for row in (await anna.mine()).matches}
    assert rows[over.table_id].status == play_pb2.MATCH_STATUS_FINISHED
    assert rows[over.table_id].outcome.reason == "goals"
    assert rows[running.table_id].status == play_pb2.MATCH_STATUS_UNSPECIFIED
    joined = await ben.join(waiting.invitation_code, "join")
    assert (joined.status, joined.match_id) == (pb.TABLE_STATUS_STARTING, "")
    request_id = fresh_id()
    opened = await anna.open(SELF, agent(), request_id=request_id)
    assert opened.status == pb.TABLE_STATUS_STARTING
    with refused(StatusCode.UNAVAILABLE, "UNAVAILABLE"):
        await anna.rematch(running.match_id)

    await world.to_rules.come()
    await world.patient(lambda: anna.open(SELF, agent(), request_id=request_id))
    await world.sweep()
    for table in (joined, opened):
        now = await anna.get(table.table_id)
        assert now.status == pb.TABLE_STATUS_STARTED
        assert now.match_id == f"match-{table.table_id}"
    assert await ben.join(waiting.invitation_code, "join") == await ben.get(waiting.table_id)
    assert len(world.rules.made) == 4


async def test_games_never_heard_of_are_unavailable_not_missing(world: World) -> None:
    anna = await world.guest()
    await world.to_rules.go()
    with refused(StatusCode.UNAVAILABLE, "UNAVAILABLE"):
        await anna.open(SELF, OPEN)
    await world.to_rules.come()
    await world.to_ai.go()
    await world.patient(lambda: anna.open(SELF, OPEN))
    with refused(StatusCode.UNAVAILABLE, "UNAVAILABLE"):
        await anna.open(SELF, agent())


async def test_a_match_that_rules_refuses_closes_its_table(world: World) -> None:
    anna = await world.guest()
    world.rules.refusal = RefusedError(ErrorReason.ERROR_REASON_INVALID_OPTION, "not together")
    table = await anna.open(SELF, agent())
    assert table.status == pb.TABLE_STATUS_CLOSED
    world.rules.refusal = None
    await world.sweep()
    assert (await anna.get(table.table_id)).status == pb.TABLE_STATUS_CLOSED


async def test_a_table_that_always_fails_does_not_hold_up_others(world: World) -> None:
    anna = await world.guest()
    broken = RefusedError(ErrorReason.ERROR_REASON_INTERNAL, "a fault")
    world.rules.refusal = broken
    tables = []
    for _ in range(2):
        tables.append(await anna.open(SELF, agent()))
        world.clock.advance(1)
    assert {table.status for table in tables} == {pb.TABLE_STATUS_STARTING}
    await world.sweep()  # tries the first, which goes to the end of the queue
    world.rules.failing = {tables[0].table_id}
    world.rules.refusal = None
    world.clock.advance(1)
    await world.sweep()
    assert (await anna.get(tables[1].table_id)).status == pb.TABLE_STATUS_STARTED
    world.rules.failing = set()
    await world.sweep()
    assert (await anna.get(tables[0].table_id)).status == pb.TABLE_STATUS_STARTED


async def test_a_table_that_nobody_can_read_does_not_hold_up_others(world: World) -> None:
    """Written by another version, say: not even the question to rules can be put."""
    anna = await world.guest()
    world.rules.refusal = RefusedError(ErrorReason.ERROR_REASON_INTERNAL, "a fault")
    tables = []
    for _ in range(2):
        tables.append(await anna.open(SELF, agent()))
        world.clock.advance(1)
    world.rules.refusal = None
    engine = connect(world.database_url)
    async with engine.begin() as db:
        unreadable = update(schema.tables).values(rules='{"from_another_version": 1}')
        await db.execute(unreadable.where(schema.tables.c.table_id == tables[0].table_id))
    await engine.dispose()
    (starting,) = (one for one in world.service.sweeps if one.lease.name == "start tables")
    for _ in range(2):
        with contextlib.suppress(ParseError):
            await starting.round()
        world.clock.advance(1)
    assert (await anna.get(tables[1].table_id)).status == pb.TABLE_STATUS_STARTED


async def test_the_feed_is_read_in_pages_and_survives_repeats(world: World) -> None:
    anna = await world.guest()
    tables = [await anna.open(SELF, agent()) for _ in range(5)]
    for table in tables:
        world.rules.end(table.match_id, in_feed=True)
    await world.sweep()
    world.rules.finished.append(world.rules.finished[0])
    await world.sweep()
    world.rules.summaries.clear()
    rows = (await anna.mine()).matches
    assert {row.status for row in rows} == {play_pb2.MATCH_STATUS_FINISHED}
    assert {tuple(row.outcome.scores) for row in rows} == {(0, 1)}
