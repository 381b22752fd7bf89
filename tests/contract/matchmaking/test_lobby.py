"""Tables strangers find, matches they may watch, and friends who are invited."""

from __future__ import annotations

import asyncio
from typing import Any

from grpc import StatusCode

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.play.v1 import play_pb2
from tests.contract.matchmaking.finders import Finder, finder
from tests.contract.matchmaking.test_inbox import watching
from tests.contract.matchmaking.world import OPEN, SELF, World, agent, fresh_id, refused

INVALID = (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
NO_TABLE = (StatusCode.NOT_FOUND, "TABLE_NOT_FOUND")
GERMAN = play_pb2.Options(values={"edition": play_pb2.OptionValue(choice="german")})
DAYS = play_pb2.TableRules(pace=play_pb2.PACE_DAYS)
WATCHED = play_pb2.TableRules(spectators=True)


async def finders(world: World, *names: str) -> list[Finder]:
    return [await finder(world, name) for name in names]


async def listed(one: Finder, **wanted: Any) -> list[pb.Table]:
    return list((await one.lobby("ListOpenTables", **wanted)).tables)


async def join_by_id(one: Finder, table_id: str, *names: str) -> pb.Table:
    request = pb.JoinTableRequest(
        request_id=fresh_id(),
        table_id=table_id,
        persons=[pb.Self(display_name=name) for name in names],
    )
    answer: pb.JoinTableResponse = await one.guest.call("JoinTable", request)
    return answer.table


async def invited(one: Finder) -> list[pb.Invitation]:
    return list((await one.guest.mine()).invitations)


async def test_strangers_find_a_listed_table_and_join_it(world: World) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    private = await anna.guest.open(SELF, OPEN)
    public = await anna.guest.open(SELF, OPEN, listed=True)
    (found,) = await listed(ben)
    assert found.table_id == public.table_id
    assert (found.invitation_code, found.link) == ("", "")
    assert await ben.guest.get(public.table_id) == found
    for call in (ben.guest.get(private.table_id), join_by_id(ben, private.table_id)):
        with refused(*NO_TABLE):
            await call
    table = await join_by_id(ben, public.table_id)
    assert table.status == pb.TABLE_STATUS_STARTED
    assert await listed(carl) == []
    for call in (carl.guest.get(public.table_id), join_by_id(carl, public.table_id)):
        with refused(*NO_TABLE):
            await call


async def test_the_open_list_has_filters_and_pages(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    wishes: list[dict[str, Any]] = [
        {},
        {"rules": DAYS},
        {"game": "sock_monsters"},
        {"game": "sock_monsters", "options": GERMAN},
    ]
    made = []
    for wish in wishes:
        made.append(await anna.guest.open(SELF, OPEN, listed=True, **wish))
        world.clock.advance(1)
    made.append(await anna.guest.open(SELF, OPEN, OPEN, listed=True, game="sock_monsters"))
    newest_first = [table.table_id for table in reversed(made)]

    async def ids(**wanted: Any) -> list[str]:
        return [table.table_id for table in await listed(ben, **wanted)]

    assert await ids() == newest_first
    socker, slow, monsters, german, three = (table.table_id for table in made)
    assert await ids(game="socker") == [slow, socker]
    assert await ids(game="sock_monsters", edition="german") == [german]
    assert await ids(edition="international") == [three, monsters]
    assert await ids(pace=play_pb2.PACE_DAYS) == [slow]
    assert await ids(seats=3) == [three]
    assert await ids(game="chess") == []
    found, token = [], ""
    while True:
        page = await ben.lobby("ListOpenTables", page_size=2, page_token=token)
        assert len(page.tables) <= 2
        found += [table.table_id for table in page.tables]
        token = page.next_page_token
        if not token:
            break
    assert found == newest_first


async def test_who_blocked_whom_never_sits_at_one_table(world: World) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    await ben.block(anna)
    hers = await anna.guest.open(SELF, OPEN, OPEN, listed=True, game="sock_monsters")
    his = await ben.guest.open(SELF, OPEN, listed=True)
    assert [table.table_id for table in await listed(anna)] == [hers.table_id]
    assert [table.table_id for table in await listed(ben)] == [his.table_id]
    assert len(await listed(carl)) == 2
    for one, table in ((anna, his), (ben, hers)):
        for call in (
            join_by_id(one, table.table_id),
            one.guest.join(table.invitation_code),
            one.guest.get(table.table_id),
        ):
            with refused(*NO_TABLE):
                await call
    assert (await join_by_id(carl, hers.table_id)).seats[1].player_id == carl.id
    with refused(*NO_TABLE):  # also where the host is somebody else
        await ben.guest.join(hers.invitation_code)


async def test_a_family_joins_together_or_not_at_all(world: World) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    table = await anna.guest.open(SELF, OPEN, OPEN, OPEN, listed=True, game="sock_monsters")
    too_many = pb.JoinTableRequest(
        request_id=fresh_id(),
        invitation_code=table.link,
        persons=[pb.Self()] * 4,
    )
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_FULL"):
        await ben.guest.call("JoinTable", too_many)
    assert await anna.guest.get(table.table_id) == table
    after = await join_by_id(ben, table.table_id, "Mum", "")
    assert [seat.display_name for seat in after.seats] == ["Anna", "Mum", "Ben", ""]
    assert [seat.player_id for seat in after.seats[:3]] == [anna.id, ben.id, ben.id]
    again = await join_by_id(ben, table.table_id, "Mum", "")
    assert again == after
    started = await carl.guest.join(table.invitation_code)
    assert started.status == pb.TABLE_STATUS_STARTED
    made = world.rules.made[table.table_id]
    assert [seat.display_name for seat in made.seats] == ["Anna", "Mum", "Ben", "Carl"]
    with refused(*INVALID, field="persons[1].display_name"):
        await join_by_id(ben, table.table_id, "Mum", "x" * 25)
    with refused(*INVALID, field="persons"):
        await join_by_id(ben, table.table_id, *["Mum"] * 17)


async def test_a_link_leads_to_the_table_however_it_is_written(world: World) -> None:
    anna, *others = await finders(world, "Anna", "Ben", "Carl", "Dora")
    table = await anna.guest.open(SELF, OPEN, OPEN, OPEN, game="sock_monsters")
    assert table.link == f"oddsocks://join/{table.invitation_code}"
    code = table.invitation_code.lower()
    written = (table.link, f" OddSocks://JOIN/{code}/ ", f"oddsocks://join/{code[:3]}-{code[3:]}")
    for one, link in zip(others, written, strict=True):
        assert (await one.guest.join(link)).table_id == table.table_id
    for wrong in ("oddsocks://join/", f"https://join/{code}", f"oddsocks://watch/{code}"):
        with refused(*INVALID, field="invitation_code"):
            await anna.guest.join(wrong)
    both = pb.JoinTableRequest(request_id=fresh_id(), table_id="t", invitation_code=code)
    with refused(*INVALID, field="table_id"):
        await anna.guest.call("JoinTable", both)


async def test_what_is_agreed_at_a_table_reaches_its_match_and_its_rematch(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    rules = play_pb2.TableRules(
        pace=play_pb2.PACE_DAYS,
        turn_days=5,
        absence=play_pb2.ABSENCE_RULE_FORFEIT,
        sitter="searcher",
        vacation_days=0,
        undo=False,
    )
    table = await anna.guest.open(SELF, OPEN, rules=rules)
    assert table.rules == rules
    assert table.pace == play_pb2.PACE_DAYS
    table = await ben.guest.join(table.invitation_code)
    assert world.rules.made[table.table_id].rules == rules
    world.rules.end(table.match_id, in_feed=True)
    assert (await ben.guest.rematch(table.match_id)).rules == rules
    with refused(StatusCode.NOT_FOUND, "AGENT_NOT_FOUND"):
        await anna.guest.open(SELF, OPEN, rules=play_pb2.TableRules(sitter="nobody"))
    for field, bad in (
        ("turn_days", play_pb2.TableRules(turn_days=15)),
        ("reserve_seconds", play_pb2.TableRules(reserve_seconds=-1)),
        ("vacation_days", play_pb2.TableRules(vacation_days=29)),
    ):
        with refused(*INVALID, field=f"rules.{field}"):
            await anna.guest.open(SELF, OPEN, rules=bad)
    with refused(*INVALID, field="rules.absence"):
        await anna.guest.open(SELF, OPEN, rules=play_pb2.TableRules(absence=99))  # type: ignore[arg-type] # newer


async def test_strangers_find_the_matches_they_may_watch(world: World) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    hidden = await anna.guest.open(SELF, agent(), listed=True)
    unlisted = await anna.guest.open(SELF, agent(), rules=WATCHED)
    shown = await anna.guest.open(SELF, agent(), rules=WATCHED, listed=True)
    await anna.guest.open(SELF, OPEN, rules=WATCHED, listed=True)  # not begun

    async def watchable(one: Finder, **wanted: Any) -> list[str]:
        page = await one.lobby("ListWatchableMatches", **wanted)
        assert all(not table.invitation_code for table in page.tables)
        return [table.match_id for table in page.tables]

    assert await watchable(ben) == [shown.match_id]
    assert await watchable(ben, game="sock_monsters") == []
    assert (await ben.guest.get(shown.table_id)).match_id == shown.match_id
    assert world.rules.made[shown.table_id].rules.spectators
    for table in (hidden, unlisted):
        with refused(*NO_TABLE):
            await ben.guest.get(table.table_id)
    await anna.block(carl)
    assert await watchable(carl) == []
    world.rules.end(shown.match_id, in_feed=True)
    await world.sweep()
    assert await watchable(ben) == []


async def test_a_friend_is_invited_and_comes(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    await anna.befriend(ben)
    table = await anna.guest.open(SELF, OPEN)
    async with watching(ben) as stream:
        assert await stream.caught_up() == []
        for _ in range(2):
            await anna.lobby("InviteFriend", table_id=table.table_id, player_id=ben.id)
        (invitation,) = await invited(ben)
        assert invitation == await stream.until("invitation")
        assert invitation.inviter.display_name == "Anna"
        assert invitation.invited_at_ms == world.clock()
        assert not invitation.seen
        assert not invitation.table.invitation_code
        await ben.lobby("MarkInvitationsSeen", table_ids=[table.table_id, "unknown"])
        assert (await invited(ben))[0].seen
        assert (await stream.until("invitation")).seen
        joined = await join_by_id(ben, table.table_id)
        assert joined.status == pb.TABLE_STATUS_STARTED
        assert await invited(ben) == []
        assert (await stream.until("match")).table.table_id == table.table_id


async def test_an_invitation_ends_with_a_no_or_with_its_table(world: World) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    await anna.befriend(ben)
    first, second, third = [await anna.guest.open(SELF, OPEN) for _ in range(3)]
    for table in (first, second, third):
        await anna.lobby("InviteFriend", table_id=table.table_id, player_id=ben.id)
    async with watching(ben) as stream:
        assert len(await stream.caught_up()) == 3
        for _ in range(2):
            await ben.lobby("DeclineInvitation", table_id=first.table_id)
        assert await stream.until("gone_table_id") == first.table_id
        with refused(*NO_TABLE):
            await join_by_id(ben, first.table_id)
        await carl.guest.join(second.invitation_code)
        assert await stream.until("gone_table_id") == second.table_id
        await anna.guest.leave(third.table_id)
        assert await stream.until("gone_table_id") == third.table_id
    assert await invited(ben) == []
    await anna.lobby("InviteFriend", table_id=first.table_id, player_id=ben.id)
    assert await invited(ben) == [], "nobody is asked again after a no"


async def test_only_friends_are_invited_and_only_by_those_at_the_table(world: World) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    table = await anna.guest.open(SELF, OPEN)
    for who in (ben.id, "nobody"):
        with refused(StatusCode.NOT_FOUND, "PLAYER_NOT_FOUND"):
            await anna.lobby("InviteFriend", table_id=table.table_id, player_id=who)
    await anna.befriend(ben)
    await carl.befriend(ben)
    with refused(*NO_TABLE):
        await carl.lobby("InviteFriend", table_id=table.table_id, player_id=ben.id)
    await anna.lobby("InviteFriend", table_id=table.table_id, player_id=ben.id)
    await ben.block(anna)
    assert await invited(ben) == []
    with refused(*NO_TABLE):
        await join_by_id(ben, table.table_id)
    full = await carl.guest.open(SELF, agent())
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_FULL"):
        await carl.lobby("InviteFriend", table_id=full.table_id, player_id=ben.id)
    with refused(*INVALID, field="table_ids"):
        await ben.lobby("MarkInvitationsSeen", table_ids=["t"] * 51)


async def test_a_block_holds_for_rematches_and_for_who_else_sits_at_a_friends_table(
    world: World,
) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    table = await anna.guest.open(SELF, OPEN)
    table = await ben.guest.join(table.invitation_code)
    world.rules.end(table.match_id, in_feed=True)
    await ben.block(anna)
    again = await anna.guest.rematch(table.match_id)
    with refused(*NO_TABLE):
        await ben.guest.rematch(table.match_id)
    with refused(*NO_TABLE):
        await ben.guest.join(again.invitation_code)
    assert (await anna.guest.get(again.table_id)).status == pb.TABLE_STATUS_OPEN
    await carl.befriend(ben)
    other = await carl.guest.open(SELF, OPEN, OPEN, game="sock_monsters")
    await carl.lobby("InviteFriend", table_id=other.table_id, player_id=ben.id)
    assert len(await invited(ben)) == 1
    await anna.guest.join(other.invitation_code)
    assert await invited(ben) == []


async def test_a_block_holds_for_a_host_without_a_seat(world: World) -> None:
    """Who opens a table and only watches is met there all the same."""
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    await carl.befriend(ben)
    mine = await anna.guest.open(OPEN, OPEN, OPEN, listed=True, game="sock_monsters")
    await carl.guest.join(mine.invitation_code)
    await carl.lobby("InviteFriend", table_id=mine.table_id, player_id=ben.id)
    assert len(await invited(ben)) == 1
    await anna.block(ben)
    assert await invited(ben) == []
    assert await listed(ben) == []
    for call in (
        ben.guest.join(mine.invitation_code),
        join_by_id(ben, mine.table_id),
        ben.guest.get(mine.table_id),
    ):
        with refused(*NO_TABLE):
            await call
    his = await ben.guest.open(OPEN, OPEN)
    with refused(*NO_TABLE):  # the one who blocks is kept apart as well
        await anna.guest.join(his.invitation_code)
    assert (await carl.guest.join(his.invitation_code)).seats[0].player_id == carl.id


async def test_a_block_holds_for_the_rematch_of_a_host_without_a_seat(world: World) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    table = await anna.guest.open(OPEN, OPEN)
    for one in (ben, carl):
        table = await one.guest.join(table.invitation_code)
    world.rules.end(table.match_id, in_feed=True)
    await ben.block(anna)
    again = await anna.guest.rematch(table.match_id)
    assert await invited(ben) == []
    assert len(await invited(carl)) == 1
    for call in (ben.guest.rematch(table.match_id), join_by_id(ben, again.table_id)):
        with refused(*NO_TABLE):
            await call


async def test_who_blocked_whom_does_not_find_the_others_matches_to_watch(world: World) -> None:
    anna, ben, carl = await finders(world, "Anna", "Ben", "Carl")
    played = await anna.guest.open(SELF, OPEN, rules=WATCHED, listed=True)
    hosted = await anna.guest.open(OPEN, agent(), rules=WATCHED, listed=True)
    await carl.guest.join(played.invitation_code)
    await carl.guest.join(hosted.invitation_code)

    async def watchable(one: Finder) -> set[str]:
        page = await one.lobby("ListWatchableMatches")
        return {table.table_id for table in page.tables}

    both = {played.table_id, hosted.table_id}
    assert await watchable(ben) == both
    for blocks, blocked in ((anna, ben), (ben, anna)):
        await blocks.block(blocked)
        assert await watchable(ben) == set()
        for table in (played, hosted):
            by_code = pb.GetTableRequest(invitation_code=table.invitation_code)
            for call in (ben.guest.get(table.table_id), ben.guest.call("GetTable", by_code)):
                with refused(*NO_TABLE):
                    await call
        await blocks.device.friends("UnblockPlayer", player_id=blocked.id)
        assert await watchable(ben) == both


async def test_inviting_twice_at_once_invites_once(world: World) -> None:
    anna, ben = await finders(world, "Anna", "Ben")
    await anna.befriend(ben)
    table = await anna.guest.open(SELF, OPEN)
    await asyncio.gather(
        *(anna.lobby("InviteFriend", table_id=table.table_id, player_id=ben.id) for _ in range(6))
    )
    assert len(await invited(ben)) == 1
