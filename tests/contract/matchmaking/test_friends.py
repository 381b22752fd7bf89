"""Friends by code, and blocks, through the real service."""

from __future__ import annotations

import asyncio
import re

import pytest
from grpc import StatusCode

from services.matchmaking.people import friends
from tests.contract.matchmaking.people import Device, device
from tests.contract.matchmaking.world import World, refused

NO_CODE = (StatusCode.NOT_FOUND, "CODE_NOT_FOUND")


async def add(me: Device, code: str) -> str:
    answer = await me.friends("AddFriend", friend_code=code)
    return str(answer.friend.player_id)


async def test_a_friend_code_makes_both_friends_at_once_and_only_once(world: World) -> None:
    anna, ben = await device(world, "Anna"), await device(world, "Ben")
    code = await anna.friend_code()
    assert re.fullmatch(r"[2-9CDFGHJKMNPQRTVWXY]{8}", code)
    assert await anna.friend_code() == code
    for typed in (code, f" {code[:4].lower()}-{code[4:]} "):
        assert await add(ben, typed) == anna.id
    assert await anna.friend_ids() == [ben.id]
    (known,) = (await ben.friends("ListFriends")).friends
    assert (known.player, known.since_ms) == (anna.player, world.clock())
    bens = await ben.friend_code()
    await asyncio.gather(add(anna, bens), add(ben, code), add(anna, bens))
    assert await ben.friend_ids() == [anna.id]


async def test_who_asks_twice_at_once_gets_codes_that_work(world: World) -> None:
    """The first time a code is made for each of two devices of one account, or a double tap."""
    anna, ben = await device(world, "Anna"), await device(world, "Ben")
    first = await asyncio.gather(*(anna.friend_code() for _ in range(6)))
    assert set(first) == {await anna.friend_code()}
    renewed = await asyncio.gather(*(anna.friends("RenewFriendCode") for _ in range(6)))
    assert await anna.friend_code() in {answer.friend_code for answer in renewed}
    assert await add(ben, await anna.friend_code()) == anna.id


async def test_the_list_shows_what_a_friend_is_called_now(world: World) -> None:
    anna, ben = await device(world, "Anna"), await device(world, "Ben")
    await add(ben, await anna.friend_code())
    await anna.accounts("UpdateProfile", display_name="Queen", picture="moon")
    (known,) = (await ben.friends("ListFriends")).friends
    assert (known.player.display_name, known.player.picture) == ("Queen", "moon")


async def test_the_list_has_pages_newest_first(world: World) -> None:
    anna = await device(world)
    others = []
    for number in range(5):
        others.append(await device(world))
        await add(anna, await others[-1].friend_code())
        if number != 2:  # two at the same moment
            world.clock.advance(1)
    everybody = await anna.friend_ids()
    assert set(everybody) == {other.id for other in others}
    assert everybody[0] == others[-1].id
    assert everybody[-1] == others[0].id
    pages, token = [], ""
    while True:
        page = await anna.friends("ListFriends", page_size=2, page_token=token)
        pages.append([known.player.player_id for known in page.friends])
        token = page.next_page_token
        if not token:
            break
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [one for page in pages for one in page] == everybody
    with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="page_size"):
        await anna.friends("ListFriends", page_size=101)
    with refused(StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN"):
        await anna.friends("ListFriends", page_token="nonsense")


async def test_a_renewed_code_makes_the_old_one_useless(world: World) -> None:
    anna, ben, eve = await device(world), await device(world), await device(world)
    old = await anna.friend_code()
    await add(ben, old)
    new = (await anna.friends("RenewFriendCode")).friend_code
    assert new != old
    with refused(*NO_CODE):
        await add(eve, old)
    assert await anna.friend_ids() == [ben.id]
    assert await add(eve, new) == anna.id


async def test_ones_own_code_and_what_is_none_are_named(world: World) -> None:
    anna = await device(world)
    own = await anna.friend_code()
    for code in (own, "", "2222222", "2" * 9, "2" * 10_000, "2222222!", "ß2222222"):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="friend_code"):
            await add(anna, code)


async def test_friend_codes_are_not_found_by_trying(world: World) -> None:
    anna, eve = await device(world), await device(world)
    code = await anna.friend_code()
    for number in range(10):
        with refused(*NO_CODE):
            await add(eve, f"2222222{'23456789CD'[number]}")
    with refused(StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED"):
        await add(eve, code)


async def test_friends_part_on_both_sides(world: World) -> None:
    anna, ben, cem = await device(world), await device(world), await device(world)
    for other in (ben, cem):
        await add(other, await anna.friend_code())
        world.clock.advance(1)
    for _ in range(2):
        await ben.friends("RemoveFriend", player_id=anna.id)
    assert await ben.friend_ids() == []
    assert await anna.friend_ids() == [cem.id]
    with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="player_id"):
        await ben.friends("RemoveFriend")


async def test_a_block_ends_and_prevents_a_friendship_and_is_not_told(world: World) -> None:
    anna, eve = await device(world, "Anna"), await device(world, "Eve")
    await add(eve, await anna.friend_code())
    for _ in range(2):
        await anna.friends("BlockPlayer", player_id=eve.id)
    assert await anna.friend_ids() == await eve.friend_ids() == []
    (known,) = (await anna.friends("ListBlockedPlayers")).players
    assert known.player == eve.player
    assert not (await eve.friends("ListBlockedPlayers")).players
    # The blocked one hears what somebody hears who mistyped; the blocker what is in the way.
    with refused(*NO_CODE):
        await add(eve, await anna.friend_code())
    with refused(StatusCode.FAILED_PRECONDITION, "PLAYER_BLOCKED"):
        await add(anna, await eve.friend_code())
    await eve.friends("UnblockPlayer", player_id=anna.id)  # not hers to take back
    with refused(*NO_CODE):
        await add(eve, await anna.friend_code())
    for _ in range(2):
        await anna.friends("UnblockPlayer", player_id=eve.id)
    assert not (await anna.friends("ListBlockedPlayers")).players
    assert await add(eve, await anna.friend_code()) == anna.id


async def test_when_both_block_one_taking_it_back_is_not_enough(world: World) -> None:
    anna, eve = await device(world), await device(world)
    await anna.friends("BlockPlayer", player_id=eve.id)
    await eve.friends("BlockPlayer", player_id=anna.id)
    await anna.friends("UnblockPlayer", player_id=eve.id)
    with refused(*NO_CODE):
        await add(anna, await eve.friend_code())
    with refused(StatusCode.FAILED_PRECONDITION, "PLAYER_BLOCKED"):
        await add(eve, await anna.friend_code())


async def test_blocking_at_the_moment_of_befriending_leaves_no_blocked_friend(
    world: World,
) -> None:
    for _ in range(5):
        anna, eve = await device(world), await device(world)
        code = await anna.friend_code()
        await asyncio.gather(
            add(eve, code),
            anna.friends("BlockPlayer", player_id=eve.id),
            return_exceptions=True,
        )
        assert await anna.friend_ids() == await eve.friend_ids() == []


async def test_who_can_not_be_blocked_is_named(world: World) -> None:
    anna = await device(world)
    with refused(StatusCode.NOT_FOUND, "PLAYER_NOT_FOUND"):
        await anna.friends("BlockPlayer", player_id="nobody")
    for player_id in ("", "x" * 101, anna.id):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="player_id"):
            await anna.friends("BlockPlayer", player_id=player_id)


async def test_lists_have_an_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friends, "MOST_FRIENDS", 2)
    monkeypatch.setattr(friends, "MOST_BLOCKED", 1)
    anna = await device(world)
    others = [await device(world) for _ in range(3)]
    for other in others[:2]:
        await add(anna, await other.friend_code())
    for one, other in ((anna, others[2]), (others[2], anna)):  # full for both sides
        with refused(StatusCode.FAILED_PRECONDITION, "LIST_FULL", limit="2"):
            await add(one, await other.friend_code())
    await add(anna, await others[0].friend_code())  # a repeat needs no room
    await anna.friends("BlockPlayer", player_id=others[0].id)
    with refused(StatusCode.FAILED_PRECONDITION, "LIST_FULL", limit="1"):
        await anna.friends("BlockPlayer", player_id=others[1].id)
    assert await anna.friend_ids() == [others[1].id]
