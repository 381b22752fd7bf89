"""The few words players have for each other."""

from __future__ import annotations

import asyncio

import pytest
from grpc import StatusCode

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from tests.contract.matchmaking.finders import Finder, finder, swept
from tests.contract.matchmaking.test_inbox import watching
from tests.contract.matchmaking.world import OPEN, SELF, World, agent, fresh_id, refused

INVALID = (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
HELLO, NICE = 1, 3


async def three(world: World) -> tuple[Finder, Finder, Finder, pb.Table]:
    """Anna, Ben and Carl in a match."""
    anna, ben, carl = [await finder(world, name) for name in ("Anna", "Ben", "Carl")]
    table = await anna.guest.open(SELF, OPEN, OPEN, game="sock_monsters")
    await ben.guest.join(table.invitation_code)
    return anna, ben, carl, await carl.guest.join(table.invitation_code)


async def say(
    one: Finder, match_id: str, seat: int, number: int = HELLO, request_id: str = ""
) -> None:
    request_id = request_id or fresh_id()
    await one.inbox(
        "SendPhrase", request_id=request_id, match_id=match_id, seat=seat, number=number
    )


async def heard(one: Finder, after: int = 0) -> list[tuple[int, int]]:
    """The phrases kept for somebody: seat and number."""
    async with watching(one, None, after) as stream:
        updates = await stream.caught_up()
    return [(said.seat, said.number) for kind, said in updates if kind == "phrase"]


async def test_phrases_are_known_by_number_in_three_languages(world: World) -> None:
    anna = await finder(world, "Anna")
    texts = {}
    for language in ("en", "de", "ko", "xx"):
        answer = await anna.inbox("ListPhrases", language=language)
        texts[language] = {phrase.number: phrase.text for phrase in answer.phrases}
    assert texts["xx"] == texts["en"]
    assert texts["en"].keys() == texts["de"].keys() == texts["ko"].keys()
    for number in texts["en"]:
        said = {texts[language][number] for language in ("en", "de", "ko")}
        assert len(said) == 3, f"phrase {number} is not translated"
        assert all(0 < len(text) <= 40 for text in said)
    assert texts["de"][HELLO] == "Hallo!"


async def test_a_phrase_reaches_the_people_of_the_match_and_nobody_else(world: World) -> None:
    anna, ben, carl, table = await three(world)
    dora = await finder(world, "Dora")
    async with watching(ben) as his, watching(carl) as theirs:
        for stream in (his, theirs):
            await stream.caught_up()
        await say(anna, table.match_id, 0, NICE)
        for stream in (his, theirs):
            said = await stream.until("phrase")
            assert (said.match_id, said.seat, said.number) == (table.match_id, 0, NICE)
            assert said.said_at_ms == world.clock()
    await say(ben, table.match_id, 1, HELLO)
    assert await heard(carl) == [(0, NICE), (1, HELLO)]
    assert await heard(anna) == [(1, HELLO)]
    assert await heard(dora) == []


async def test_who_comes_back_hears_what_was_missed_and_nothing_twice(world: World) -> None:
    anna, ben, _, table = await three(world)
    await say(anna, table.match_id, 0, HELLO)
    async with watching(ben) as stream:
        first = await stream.until("phrase")
        assert (await stream.caught_up()) == []
    await say(anna, table.match_id, 0, NICE)
    assert await heard(ben, first.sequence) == [(0, NICE)]
    world.clock.advance(14 * 24 * 3_600_000 + 1)
    await swept(world, "tidy phrases")
    ben = Finder(await ben.device.refreshed())
    assert await heard(ben) == []


async def test_blocked_peoples_phrases_are_not_heard(world: World) -> None:
    anna, ben, carl, table = await three(world)
    await say(anna, table.match_id, 0, HELLO)
    await ben.block(anna)
    assert await heard(ben) == []
    await say(anna, table.match_id, 0, NICE)
    await say(ben, table.match_id, 1, NICE)
    assert await heard(ben) == []
    assert await heard(anna) == []
    assert await heard(carl) == [(0, HELLO), (0, NICE), (1, NICE)]


async def test_only_who_holds_a_seat_may_speak(world: World) -> None:
    anna, ben, _, table = await three(world)
    dora = await finder(world, "Dora")
    for match_id in (table.match_id, "match-unknown"):
        with refused(StatusCode.NOT_FOUND, "MATCH_NOT_FOUND"):
            await say(dora, match_id, 0)
    for seat in (1, -1, 7):
        with refused(StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT"):
            await say(anna, table.match_id, seat)
    world.rules.given_up.add((table.match_id, 0))
    with refused(StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT"):
        await say(anna, table.match_id, 0)
    watched = await dora.guest.open(agent(), agent())  # its host watches without a seat
    with refused(StatusCode.PERMISSION_DENIED, "NOT_YOUR_SEAT"):
        await say(dora, watched.match_id, 0)
    assert await heard(ben) == []


async def test_a_repeated_request_is_heard_once(world: World) -> None:
    anna, ben, _, table = await three(world)
    request_id = fresh_id()
    await asyncio.gather(*(say(anna, table.match_id, 0, HELLO, request_id) for _ in range(6)))
    assert await heard(ben) == [(0, HELLO)]
    with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED", request_id=request_id):
        await say(anna, table.match_id, 0, NICE, request_id)


async def test_who_says_too_much_has_to_wait(world: World) -> None:
    anna, ben, _, table = await three(world)
    said = 0
    with refused(StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED"):
        while said < 1_000:
            await say(anna, table.match_id, 0)
            said += 1
    assert 3 <= said <= 20
    assert len(await heard(ben)) == said
    await say(ben, table.match_id, 1)
    world.clock.advance(60_000)
    await say(anna, table.match_id, 0)


@pytest.mark.parametrize("number", [0, -1, 9_999])
async def test_there_is_no_other_phrase(world: World, number: int) -> None:
    anna, _, _, table = await three(world)
    with refused(*INVALID, field="number"):
        await say(anna, table.match_id, 0, number)
