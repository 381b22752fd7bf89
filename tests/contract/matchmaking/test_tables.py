"""Tables through the real service: opened, joined, left, started; what is refused and how."""

from __future__ import annotations

import asyncio
import re

import pytest
from grpc import StatusCode

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.play.v1 import play_pb2
from tests.contract.matchmaking.world import OPEN, SELF, World, agent, fresh_id, refused

DAY_MS = 24 * 3_600_000


async def test_a_table_against_an_agent_starts_at_once(world: World) -> None:
    anna = await world.guest("Anna")
    table = await anna.open(SELF, agent("searcher"))
    assert table.status == pb.TABLE_STATUS_STARTED
    assert table.match_id == f"match-{table.table_id}"
    assert table.invitation_code == ""
    assert [seat.WhichOneof("occupant") for seat in table.seats] == ["player_id", "agent"]
    made = world.rules.made[table.table_id]
    assert (made.game, made.host_player_id, made.pace) == (
        "socker",
        anna.player.player_id,
        play_pb2.PACE_LIVE,
    )
    assert [(s.seat, s.player_id, s.agent, s.display_name) for s in made.seats] == [
        (0, anna.player.player_id, "", "Anna"),
        (1, "", "searcher", "searcher"),
    ]
    assert await anna.get(table.table_id) == table
    assert anna.player.display_name == "Anna"


async def test_options_are_completed_and_reach_rules(world: World) -> None:
    anna = await world.guest()
    chosen = play_pb2.Options(
        values={
            "goals": play_pb2.OptionValue(number=3),
            "field": play_pb2.OptionValue(choice="sand"),
        }
    )
    table = await anna.open(SELF, agent(), options=chosen, pace=play_pb2.PACE_DAYS)
    expected = {
        "goals": play_pb2.OptionValue(number=3),
        "rain": play_pb2.OptionValue(flag=False),
        "field": play_pb2.OptionValue(choice="sand"),
    }
    assert dict(table.options.values) == expected
    assert dict(world.rules.made[table.table_id].options.values) == expected
    assert table.pace == world.rules.made[table.table_id].pace == play_pb2.PACE_DAYS


async def test_a_friend_joins_by_code_typed_carelessly(world: World) -> None:
    anna, ben = await world.guest("Anna"), await world.guest("Ben")
    table = await anna.open(SELF, OPEN)
    assert table.status == pb.TABLE_STATUS_OPEN
    assert re.fullmatch("[2-9CDFGHJKMNPQRTVWXY]{6}", table.invitation_code)
    assert table.seats[1].WhichOneof("occupant") is None
    code = table.invitation_code
    joined = await ben.join(f" {code[:3].lower()}-{code[3:].lower()} ")
    assert joined.status == pb.TABLE_STATUS_STARTED
    assert [seat.display_name for seat in joined.seats] == ["Anna", "Ben"]
    assert await anna.get(table.table_id) == joined


@pytest.mark.field(44)
async def test_of_many_who_join_for_the_last_seat_one_wins_and_the_match_starts(
    world: World,
) -> None:
    anna = await world.guest("Anna")
    rivals = [await world.guest(f"Rival {n}") for n in range(8)]
    for _ in range(3):
        before = len(world.rules.made)
        table = await anna.open(SELF, OPEN)
        answers = await asyncio.gather(
            *(rival.join(table.invitation_code) for rival in rivals), return_exceptions=True
        )
        joined = [(r, a) for r, a in zip(rivals, answers, strict=True) if isinstance(a, pb.Table)]
        assert len(joined) == 1, answers
        winner, answer = joined[0]
        for other in answers:
            if other is not answer:
                with refused(StatusCode.FAILED_PRECONDITION, "TABLE_FULL"):
                    assert isinstance(other, BaseException)
                    raise other
        now = await anna.get(table.table_id)
        assert now.status == pb.TABLE_STATUS_STARTED
        assert [s.player_id for s in now.seats] == [
            anna.player.player_id,
            winner.player.player_id,
        ]
        assert len(world.rules.made) == before + 1


@pytest.mark.field(44)
async def test_two_free_seats_and_many_rivals_fill_exactly_both(world: World) -> None:
    anna = await world.guest()
    rivals = [await world.guest() for _ in range(6)]
    table = await anna.open(SELF, OPEN, OPEN, game="sock_monsters")
    answers = await asyncio.gather(
        *(rival.join(table.invitation_code) for rival in rivals), return_exceptions=True
    )
    assert sum(isinstance(answer, pb.Table) for answer in answers) == 2
    now = await anna.get(table.table_id)
    assert now.status == pb.TABLE_STATUS_STARTED
    assert len({seat.player_id for seat in now.seats}) == 3
    assert len(world.rules.made) == 1


async def test_a_double_tap_never_takes_two_seats(world: World) -> None:
    anna, ben = await world.guest(), await world.guest()
    table = await anna.open(SELF, OPEN, OPEN, game="sock_monsters")
    await asyncio.gather(*(ben.join(table.invitation_code) for _ in range(4)))
    mine = [s for s in (await anna.get(table.table_id)).seats if s.WhichOneof("occupant")]
    assert [s.player_id for s in mine] == [anna.player.player_id, ben.player.player_id]
    assert (await anna.join(table.invitation_code)).status == pb.TABLE_STATUS_OPEN


async def test_a_family_on_one_device_holds_several_seats(world: World) -> None:
    anna = await world.guest("Anna")
    emil = pb.SeatRequest(self=pb.Self(display_name="Emil"))
    table = await anna.open(SELF, emil)
    assert table.status == pb.TABLE_STATUS_STARTED
    assert [(s.player_id, s.display_name) for s in table.seats] == [
        (anna.player.player_id, "Anna"),
        (anna.player.player_id, "Emil"),
    ]
    assert list((await anna.mine()).matches[0].my_seats) == [0, 1]


async def test_whoever_opens_a_table_of_agents_watches(world: World) -> None:
    anna = await world.guest()
    table = await anna.open(agent("random"), agent("searcher"))
    assert world.rules.made[table.table_id].host_player_id == anna.player.player_id
    assert (await anna.get(table.table_id)).status == pb.TABLE_STATUS_STARTED
    assert list((await anna.mine()).matches[0].my_seats) == []


async def test_repeats_change_nothing_and_other_uses_of_the_id_are_refused(world: World) -> None:
    anna, ben = await world.guest(), await world.guest()
    request_id = fresh_id()
    tables = await asyncio.gather(*(anna.open(SELF, OPEN, request_id=request_id) for _ in range(4)))
    assert {table.table_id for table in tables} == {tables[0].table_id}
    assert len((await anna.mine()).matches) == 1
    reused = (StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED")
    with refused(*reused, request_id=request_id):
        await anna.open(OPEN, SELF, request_id=request_id)
    with refused(*reused):
        await anna.join(tables[0].invitation_code, request_id)
    # Ids are per account: the same one from somebody else is another request.
    other = await ben.open(SELF, OPEN, request_id=request_id)
    assert other.table_id != tables[0].table_id
    joined = await ben.join(tables[0].invitation_code, "b")
    assert await ben.join(tables[0].invitation_code, "b") == joined
    assert await anna.open(SELF, OPEN, request_id=request_id) == joined


async def test_leaving_frees_the_seat_and_the_host_leaving_closes(world: World) -> None:
    anna, ben, carl = [await world.guest() for _ in range(3)]
    table = await anna.open(SELF, OPEN, OPEN, game="sock_monsters")
    await ben.join(table.invitation_code)
    await ben.leave(table.table_id)
    gone = (StatusCode.NOT_FOUND, "TABLE_NOT_FOUND")
    with refused(*gone):
        await ben.get(table.table_id)
    await carl.join(table.invitation_code)
    assert (await anna.get(table.table_id)).seats[1].player_id == carl.player.player_id
    await anna.leave(table.table_id)
    await anna.leave(table.table_id)
    assert (await carl.get(table.table_id)).status == pb.TABLE_STATUS_CLOSED
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_CLOSED"):
        await ben.join(table.invitation_code)
    assert len((await carl.mine()).matches) == 0
    full = await anna.open(SELF, agent())
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_FULL"):
        await anna.leave(full.table_id)
    assert (await anna.get(full.table_id)) == full


async def test_a_strange_table_looks_like_one_that_never_was(world: World) -> None:
    anna, eve = await world.guest(), await world.guest()
    table = await anna.open(SELF, OPEN)
    for table_id in (table.table_id, "0" * 32, "';--"):
        for attempt in (eve.get, eve.leave):
            with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"):
                await attempt(table_id)
    assert (await anna.get(table.table_id)) == table
    with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"):
        await eve.join("222222" if table.invitation_code != "222222" else "333333")


async def test_malformed_tables_are_refused_naming_the_field(world: World) -> None:
    anna = await world.guest()
    long_name = pb.SeatRequest(self=pb.Self(display_name="x" * 10_000))
    cases: list[tuple[list[pb.SeatRequest], dict[str, object], str]] = [
        ([SELF], {}, "seats"),
        ([SELF] * 3, {}, "seats"),
        ([], {}, "seats"),
        ([SELF, pb.SeatRequest()], {}, "seats[1]"),
        ([SELF, long_name], {}, "seats[1].self.display_name"),
        ([SELF, OPEN], {"request_id": ""}, "request_id"),
        ([SELF, OPEN], {"request_id": "x" * 101}, "request_id"),
        ([SELF, OPEN], {"request_id": "a\0b"}, "request_id"),
        ([SELF, OPEN], {"pace": 9}, "pace"),
    ]
    for seats, fields, field in cases:
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field=field):
            await anna.open(*seats, **fields)
    assert len((await anna.mine()).matches) == 0
    assert world.rules.made == {}


async def test_options_out_of_range_are_refused_naming_the_option(world: World) -> None:
    anna = await world.guest()
    for name, value in (
        ("goals", play_pb2.OptionValue(number=6)),
        ("goals", play_pb2.OptionValue(flag=True)),
        ("goals", play_pb2.OptionValue()),
        ("rain", play_pb2.OptionValue(number=1)),
        ("field", play_pb2.OptionValue(choice="mud")),
        ("snow", play_pb2.OptionValue(flag=True)),
    ):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_OPTION", option=name):
            await anna.open(SELF, OPEN, options=play_pb2.Options(values={name: value}))
    assert len((await anna.mine()).matches) == 0


async def test_unknown_games_and_agents_are_refused(world: World) -> None:
    anna = await world.guest()
    with refused(StatusCode.NOT_FOUND, "GAME_NOT_FOUND", game="chess"):
        await anna.open(SELF, OPEN, game="chess")
    with refused(StatusCode.NOT_FOUND, "AGENT_NOT_FOUND", agent="stockfish", game="socker"):
        await anna.open(SELF, agent("stockfish"))
    with refused(StatusCode.NOT_FOUND, "AGENT_NOT_FOUND", game="sock_monsters"):
        await anna.open(SELF, agent("random"), game="sock_monsters")


async def test_what_can_be_no_code_is_refused_naming_the_field(world: World) -> None:
    anna = await world.guest()
    for code in ("", "22222", "2222222", "OOOOOO", "22222!", "2" * 10_000):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="invitation_code"):
            await anna.join(code)


async def test_codes_cannot_be_found_by_trying(world: World) -> None:
    anna, eve = await world.guest(), await world.guest()
    table = await anna.open(SELF, OPEN)
    wrong = "222222" if table.invitation_code != "222222" else "333333"
    for _ in range(10):
        with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"):
            await eve.join(wrong)
    for code in (wrong, table.invitation_code):
        with refused(StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED"):
            await eve.join(code)
    # Nobody else waits because of that, and nobody waits for ever.
    ben = await world.guest()
    with refused(StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"):
        await ben.join(wrong)
    world.clock.advance(10 * 60_000)
    assert (await eve.join(table.invitation_code)).status == pb.TABLE_STATUS_STARTED


async def test_tables_nobody_came_to_close_after_two_weeks(world: World) -> None:
    anna = await world.guest()
    forgotten, started = await anna.open(SELF, OPEN), await anna.open(SELF, agent())
    world.clock.advance(13 * DAY_MS)
    anna = await world.renewed(anna)
    fresh = await anna.open(SELF, OPEN)
    await world.sweep()
    assert (await anna.get(forgotten.table_id)).status == pb.TABLE_STATUS_OPEN
    world.clock.advance(DAY_MS + 1)
    anna, ben = await world.renewed(anna), await world.guest()
    await world.sweep()
    statuses = [(await anna.get(t.table_id)).status for t in (forgotten, started, fresh)]
    assert statuses == [pb.TABLE_STATUS_CLOSED, pb.TABLE_STATUS_STARTED, pb.TABLE_STATUS_OPEN]
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_CLOSED"):
        await ben.join(forgotten.invitation_code)
