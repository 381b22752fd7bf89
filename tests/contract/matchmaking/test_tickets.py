"""Quick match: who meets whom, who does not, and what becomes of those who go silent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from grpc import StatusCode

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets_pb
from oddsocks.play.v1 import play_pb2
from tests.contract.matchmaking.finders import Finder, finder, second_device, swept
from tests.contract.matchmaking.world import World, fresh_id, refused

WAITING = tickets_pb.TICKET_STATUS_WAITING
SEATED = tickets_pb.TICKET_STATUS_SEATED
LAPSED = tickets_pb.TICKET_STATUS_LAPSED
CLOSED = tickets_pb.TICKET_STATUS_CLOSED
DAYS = play_pb2.TableRules(pace=play_pb2.PACE_DAYS)
INVALID = (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")


async def pair(world: World) -> None:
    await swept(world, "pair")


async def finders(world: World, *names: str) -> list[Finder]:
    return [await finder(world, name) for name in names]


def people(table: pb.Table) -> set[str]:
    return {seat.display_name for seat in table.seats if seat.player_id}


async def test_two_who_want_the_same_find_each_other_and_their_match(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    opened = await anna.open_ticket()
    assert opened.status == WAITING
    assert opened.waiting_since_ms == world.clock()
    assert opened.rules.pace == play_pb2.PACE_LIVE
    assert opened.options.values["goals"].number == 1
    await pair(world)
    assert (await anna.ticket(opened.ticket_id)).status == WAITING
    other = await ben.open_ticket()
    await pair(world)
    mine, yours = await anna.ticket(opened.ticket_id), await ben.ticket(other.ticket_id)
    assert mine.status == yours.status == SEATED
    assert mine.table == yours.table
    assert mine.table.status == pb.TABLE_STATUS_STARTED
    assert people(mine.table) == {"Anna", "Ben"}
    made = world.rules.made[mine.table.table_id]
    assert {seat.player_id for seat in made.seats} == {anna.id, ben.id}
    assert (await anna.guest.mine()).matches[0].table == mine.table


async def test_who_wants_something_else_waits(world: World) -> None:
    goals = play_pb2.Options(values={"goals": play_pb2.OptionValue(number=3)})
    slow = play_pb2.TableRules(turn_seconds=300)
    wishes: list[dict[str, Any]] = [
        {},
        {"options": goals},
        {"rules": slow},
        {"rules": DAYS},
        {"game": "sock_monsters"},
        {"game": "sock_monsters", "seats": 3},
    ]
    everybody = await finders(world, *(f"P{n}" for n in range(len(wishes))))
    opened = [await one.open_ticket(**wish) for one, wish in zip(everybody, wishes, strict=True)]
    await pair(world)
    now = [await one.ticket(t.ticket_id) for one, t in zip(everybody, opened, strict=True)]
    assert [ticket.status for ticket in now] == [WAITING] * len(wishes)
    # The same said differently is the same.
    last = await finder(world, "Last")
    chosen = {"goals": play_pb2.OptionValue(number=1), "rain": play_pb2.OptionValue(flag=False)}
    ticket = await last.open_ticket(options=play_pb2.Options(values=chosen))
    await pair(world)
    assert (await last.ticket(ticket.ticket_id)).status == SEATED
    assert (await everybody[0].ticket(opened[0].ticket_id)).status == SEATED


@pytest.mark.field(4)
async def test_two_devices_of_one_player_hold_one_ticket_and_never_meet(world: World) -> None:
    phone = await finder(world, "Anna")
    tablet = await second_device(world, phone)
    tickets = await asyncio.gather(
        *(device.open_ticket() for device in (phone, tablet) for _ in range(4))
    )
    assert len({ticket.ticket_id for ticket in tickets}) == 1
    for _ in range(3):
        await pair(world)
    assert [ticket.status for ticket in await tablet.tickets()] == [WAITING]
    assert world.rules.made == {}
    ben = await finder(world, "Ben")
    await ben.open_ticket()
    await pair(world)
    on_phone, on_tablet = [await d.ticket(tickets[0].ticket_id) for d in (phone, tablet)]
    assert on_phone == on_tablet
    assert people(on_phone.table) == {"Anna", "Ben"}
    assert len(world.rules.made) == 1


@pytest.mark.field(5)
async def test_a_live_ticket_of_a_silent_client_lapses_and_nobody_meets_it(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    ghost = await anna.open_ticket()
    for _ in range(3):
        world.clock.advance(20_000)
        assert (await anna.ticket(ghost.ticket_id)).status == WAITING
    world.clock.advance(30_000)
    eager = await ben.open_ticket()
    await pair(world)
    assert (await ben.ticket(eager.ticket_id)).status == WAITING
    assert (await anna.ticket(ghost.ticket_id)).status == LAPSED
    assert await anna.tickets() == []
    assert world.rules.made == {}
    # Whoever comes back takes a new one.
    again = await anna.open_ticket()
    assert again.ticket_id != ghost.ticket_id
    await pair(world)
    assert (await anna.ticket(again.ticket_id)).status == SEATED


async def test_looking_at_ones_tickets_is_no_sign_of_life(world: World) -> None:
    anna = await finder(world, "Anna")
    ticket = await anna.open_ticket()
    world.clock.advance(29_999)
    assert len(await anna.tickets()) == 1
    world.clock.advance(1)
    assert await anna.tickets() == []
    assert (await anna.ticket(ticket.ticket_id)).status == LAPSED


async def test_a_ticket_over_days_waits_while_the_app_is_closed(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    ticket = await anna.open_ticket(rules=DAYS)
    world.clock.advance(9 * 24 * 3_600_000)
    await pair(world)
    anna, ben = [Finder(await one.device.refreshed()) for one in (anna, ben)]
    await ben.open_ticket(rules=DAYS)
    await pair(world)
    seated = await anna.ticket(ticket.ticket_id)
    assert seated.status == SEATED
    assert world.rules.made[seated.table.table_id].rules.pace == play_pb2.PACE_DAYS


async def test_who_is_there_is_seated_however_many_are_away(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.matchmaking.finding.tickets.MOST_WAITING", 2)
    for days, one in enumerate(await finders(world, "Anna", "Ben", "Carla"), start=4):
        # Nobody else wants it that slow.
        slow = play_pb2.TableRules(pace=play_pb2.PACE_DAYS, turn_days=days)
        await one.open_ticket(rules=slow)
    world.clock.advance(60_000)
    there = await finders(world, "Dora", "Emil")
    opened = [await one.open_ticket() for one in there]
    await pair(world)
    for one, ticket in zip(there, opened, strict=True):
        assert (await one.ticket(ticket.ticket_id)).status == SEATED


async def test_agents_take_the_seats_for_which_nobody_came(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    fill = tickets_pb.FillWithAgents(agent="searcher", after_s=10)
    ticket = await anna.open_ticket(fill=fill)
    assert ticket.agents_at_ms == world.clock() + 10_000
    world.clock.advance(9_999)
    await pair(world)
    assert (await anna.ticket(ticket.ticket_id)).status == WAITING
    world.clock.advance(1)
    await pair(world)
    table = (await anna.ticket(ticket.ticket_id)).table
    assert {seat.WhichOneof("occupant") for seat in table.seats} == {"agent", "player_id"}
    assert {seat.agent for seat in table.seats} == {"", "searcher"}
    # Who never wants agents is not seated with one.
    patient = await ben.open_ticket()
    late = await anna.open_ticket(fill=tickets_pb.FillWithAgents(agent="random"))
    await pair(world)
    table = (await anna.ticket(late.ticket_id)).table
    assert table == (await ben.ticket(patient.ticket_id)).table
    assert people(table) == {"Anna", "Ben"}


async def test_blocked_players_are_never_seated_together(world: World) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    await ben.block(anna)
    mine, yours = await anna.open_ticket(), await ben.open_ticket()
    for _ in range(20):  # until anybody would do
        world.clock.advance(20_000)
        await anna.ticket(mine.ticket_id)
        await ben.ticket(yours.ticket_id)
        await pair(world)
    assert world.rules.made == {}
    assert not (await anna.ticket(mine.ticket_id)).HasField("rating_window")
    other = await carl.open_ticket()
    await pair(world)
    table = (await carl.ticket(other.ticket_id)).table
    assert people(table) in ({"Anna", "Carl"}, {"Ben", "Carl"})


async def test_the_window_widens_while_one_waits(world: World) -> None:
    anna = await finder(world, "Anna")
    ticket = await anna.open_ticket()
    widths = [ticket.rating_window]
    for _ in range(3):
        world.clock.advance(10_000)
        widths.append((await anna.ticket(ticket.ticket_id)).rating_window)
    assert widths == sorted(set(widths))
    assert ticket.poll_after_ms < 30_000


async def test_another_wish_changes_the_ticket(world: World) -> None:
    anna = await finder(world, "Anna")
    first = await anna.open_ticket()
    world.clock.advance(5_000)
    same = await anna.open_ticket(fill=tickets_pb.FillWithAgents(agent="random", after_s=60))
    assert same.ticket_id == first.ticket_id
    assert same.waiting_since_ms == first.waiting_since_ms
    other = await anna.open_ticket(rules=play_pb2.TableRules(turn_seconds=60))
    assert other.ticket_id == first.ticket_id
    assert other.waiting_since_ms == world.clock()
    ben, carl = await finders(world, "Ben", "Carl")
    await ben.open_ticket()
    await pair(world)
    assert (await anna.ticket(first.ticket_id)).status == WAITING
    await carl.open_ticket(rules=play_pb2.TableRules(turn_seconds=60))
    await pair(world)
    assert (await anna.ticket(first.ticket_id)).status == SEATED
    monsters = await anna.open_ticket(game="sock_monsters")
    assert [ticket.ticket_id for ticket in await anna.tickets()] == [monsters.ticket_id]


async def test_repeating_a_request_takes_one_ticket(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    request_id = fresh_id()
    tickets = await asyncio.gather(*(anna.open_ticket(request_id) for _ in range(6)))
    assert len({ticket.ticket_id for ticket in tickets}) == 1
    await ben.open_ticket()
    await pair(world)
    again = await anna.open_ticket(request_id)
    assert (again.ticket_id, again.status) == (tickets[0].ticket_id, SEATED)
    with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED", request_id=request_id):
        await anna.open_ticket(request_id, rules=DAYS)


async def test_an_old_repeat_gets_its_first_answer_and_changes_nothing(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    old, last = fresh_id(), fresh_id()
    first = await anna.open_ticket(old)
    world.clock.advance(5_000)
    wish = await anna.open_ticket(last, rules=DAYS)
    assert (wish.ticket_id, wish.rules.pace) == (first.ticket_id, play_pb2.PACE_DAYS)
    for _ in range(2):
        assert await anna.open_ticket(old) == first
        assert await anna.tickets() == [wish], "her last wish"
    await ben.open_ticket(rules=DAYS)
    await pair(world)
    assert await anna.open_ticket(old) == first
    assert (await anna.open_ticket(last, rules=DAYS)).status == SEATED
    # Not even once there is another ticket, nor weeks later, nor with the neighbours away.
    third = await anna.open_ticket(rules=DAYS)
    world.clock.advance(29 * 24 * 3_600_000)
    await world.sweep()
    anna = Finder(await anna.device.refreshed())
    await world.to_rules.go()
    assert await anna.open_ticket(old) == first
    assert (await anna.open_ticket(last, rules=DAYS)).ticket_id == first.ticket_id
    assert [ticket.ticket_id for ticket in await anna.tickets()] == [third.ticket_id]
    for request_id in (old, last):
        with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED", request_id=request_id):
            await anna.open_ticket(request_id, game="sock_monsters")


async def test_a_ticket_given_back_meets_nobody(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    ticket = await anna.open_ticket()
    for _ in range(2):
        assert (await anna.close_ticket(ticket.ticket_id)).status == CLOSED
    other = await ben.open_ticket()
    await pair(world)
    assert (await ben.ticket(other.ticket_id)).status == WAITING
    assert (await anna.ticket(ticket.ticket_id)).status == CLOSED
    await anna.open_ticket()
    await pair(world)
    assert (await ben.close_ticket(other.ticket_id)).status == SEATED


async def test_tickets_are_their_players_own(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    ticket = await anna.open_ticket()
    for method in ("ticket", "close_ticket"):
        for ticket_id in (ticket.ticket_id, "0" * 32):
            with refused(StatusCode.NOT_FOUND, "TICKET_NOT_FOUND"):
                await getattr(ben, method)(ticket_id)
    assert (await anna.ticket(ticket.ticket_id)).status == WAITING


async def test_wishes_that_cannot_be_are_refused(world: World) -> None:
    anna = await finder(world, "Anna")
    no_agent = tickets_pb.FillWithAgents(agent="nobody")
    with refused(StatusCode.NOT_FOUND, "GAME_NOT_FOUND"):
        await anna.open_ticket(game="chess")
    for seats in (-1, 0, 1, 3):
        with refused(*INVALID, field="seats"):
            await anna.open_ticket(seats=seats)
    with refused(StatusCode.NOT_FOUND, "AGENT_NOT_FOUND"):
        await anna.open_ticket(fill=no_agent)
    with refused(StatusCode.NOT_FOUND, "AGENT_NOT_FOUND"):
        await anna.open_ticket(rules=play_pb2.TableRules(sitter="nobody"))
    for after_s in (-1, 3_601):
        with refused(*INVALID, field="fill.after_s"):
            await anna.open_ticket(fill=tickets_pb.FillWithAgents(agent="random", after_s=after_s))
    with refused(*INVALID, field="rules.turn_seconds"):
        await anna.open_ticket(rules=play_pb2.TableRules(turn_seconds=9))
    unknown = play_pb2.Options(values={"wind": play_pb2.OptionValue(flag=True)})
    with refused(StatusCode.INVALID_ARGUMENT, "INVALID_OPTION", option="wind"):
        await anna.open_ticket(options=unknown)
    for request_id in ("x" * 101, "a\0b"):
        with refused(*INVALID, field="request_id"):
            await anna.open_ticket(request_id)
    assert await anna.tickets() == []


async def test_while_rules_is_away_those_seated_wait_for_their_match(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    mine, yours = await anna.open_ticket(), await ben.open_ticket()
    await world.to_rules.go()
    await pair(world)
    seated = await anna.ticket(mine.ticket_id)
    assert seated.status == SEATED
    assert seated.table.status == pb.TABLE_STATUS_STARTING
    await world.to_rules.come()

    async def look() -> pb.Table:
        await swept(world, "start tables")
        return (await ben.ticket(yours.ticket_id)).table

    started = await world.patient(look)
    assert started.status == pb.TABLE_STATUS_STARTED
    assert len(world.rules.made) == 1
