"""What a phone asks on waking: the news of all matches of a player in one answer."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from grpc import StatusCode
from grpc.aio import AioRpcError

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import news_internal_service_pb2 as news_pb
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from oddsocks.rules.v1.news_internal_service_pb2_grpc import NewsInternalServiceStub
from tests.contract.rules.test_beside import move, new_match
from tests.fixtures.rules import Client, Rules, refused

MOST_EVENTS = 20


async def news(rules: Rules, player_id: str, seen: dict[str, int | None]) -> Any:
    """The news of matches, by id, as matchmaking is told."""
    matchmaking = rules.service("matchmaking")
    asked = [news_pb.AskedMatch(match_id=m, seen_revision=r) for m, r in seen.items()]
    request = news_pb.ListNewsRequest(player_id=player_id, matches=asked)
    stub: Any = NewsInternalServiceStub(matchmaking.channel)
    answer = await stub.ListNews(request, metadata=matchmaking.metadata, timeout=20)
    return {one.summary.match_id: one for one in answer.matches}


async def play(clients: dict[str, Client], match_id: str, actions: int) -> None:
    """Let those whose turn it is do something, by seat."""
    seats = list(clients.values())
    for number in range(actions):
        match = await seats[0].match(match_id)
        if match.status == play_pb2.MATCH_STATUS_FINISHED:
            return
        await move(seats[match.actor], match_id, pick=number)


def three(rules: Rules) -> dict[str, Client]:
    return {name: rules.player(name) for name in ("anna", "ben", "carl")}


@pytest.mark.field(3)
async def test_news_are_the_latest_events_as_the_players_seats_see_them(rules: Rules) -> None:
    clients = three(rules)
    monsters = await new_match(rules, *clients, game="sock_monsters")
    dealt = (await news(rules, "anna", {monsters: 0}))[monsters].events
    assert any(not event.HasField("action") for event in dealt), "tiles lie face down"
    await play(clients, monsters, 60)
    for name, client in clients.items():
        history = await client.events(monsters)
        end = len(history)
        for seen in (0, 1, end - 21, end - 20, end - 3, end, end + 1):
            told = (await news(rules, name, {monsters: seen}))[monsters]
            assert told.summary.revision == end
            assert list(told.events) == history[max(seen, end - MOST_EVENTS) :]
        assert list(told.seats) == [list(clients).index(name)]


async def test_one_answer_tells_of_many_matches_where_they_stand(rules: Rules) -> None:
    clients = three(rules)
    matches = [await new_match(rules, *list(clients)[:2]) for _ in range(3)]
    for number, match_id in enumerate(matches):
        await play({n: clients[n] for n in ("anna", "ben")}, match_id, 2 * number)
    seen: dict[str, int | None] = {matches[2]: None, matches[0]: 0, matches[1]: 1}
    told = await news(rules, "anna", seen)
    assert list(told) == list(seen)
    for match_id in matches:
        match = await clients["anna"].match(match_id)
        summary = told[match_id].summary
        assert summary.revision == match.revision
        assert summary.actor == match.actor
        assert summary.acting_since_ms == match.clock.acting_since_ms
        assert summary.deadline_ms == match.clock.deadline_ms
    assert not told[matches[2]].events
    assert told[matches[0]].events
    for name in ("carl", "nobody"):
        assert await news(rules, name, seen) == {}
    request = internal_pb2.ListMatchSummariesRequest(match_ids=list(seen))
    summaries = await rules.service("matchmaking").call("ListMatchSummaries", request)
    assert list(summaries.matches) == [one.summary for one in told.values()]


async def test_who_gave_a_seat_up_sees_what_a_spectator_sees(rules: Rules) -> None:
    clients = three(rules)
    monsters = await new_match(rules, *clients, game="sock_monsters")
    await play(clients, monsters, 20)
    await clients["ben"].wish("Resign", monsters, 1, uuid.uuid4().hex)
    end = (await clients["anna"].match(monsters)).revision
    told = (await news(rules, "ben", {monsters: end - MOST_EVENTS}))[monsters]
    assert list(told.seats) == []
    assert list(told.events) == (await clients["ben"].events(monsters))[-MOST_EVENTS:]
    assert list((await news(rules, "anna", {monsters: 0}))[monsters].seats) == [0]


@pytest.mark.parametrize(
    ("holders", "resigned", "left"),
    [
        (("anna", "ben"), 0, [0]),  # of two seats: the end, and both still saw what they saw
        (("anna", "anna"), 1, [0, 1]),
        (("anna", "anna", "ben"), 0, [1]),
        (("anna", "ben", "anna"), 2, [0]),
    ],
)
async def test_the_same_seats_are_ones_own_in_the_news_and_in_the_match(
    rules: Rules, holders: tuple[str, ...], resigned: int, left: list[int]
) -> None:
    anna = rules.player("anna")
    match_id = await new_match(rules, *holders, game="sock_monsters")
    for _ in range(12):
        match = await anna.match(match_id)
        await move(rules.player(holders[match.actor]), match_id)
    await anna.wish("Resign", match_id, resigned, uuid.uuid4().hex)
    told = (await news(rules, "anna", {match_id: 0}))[match_id]
    match = await anna.match(match_id)
    assert list(told.seats) == [view.seat for view in match.views] == left
    assert list(told.events) == (await anna.events(match_id))[-MOST_EVENTS:]


async def test_who_opened_a_table_without_sitting_there_is_told_too(rules: Rules) -> None:
    match_id = await rules.new_match("ai:random", "ai:random", host="anna")
    told = (await news(rules, "anna", {match_id: 0}))[match_id]
    assert list(told.seats) == []
    assert list(told.events) == await rules.player("anna").events(match_id)


async def test_a_finished_match_tells_whether_an_agent_acted(rules: Rules) -> None:
    one, two = await rules.new_match("anna", "ben"), await rules.new_match("anna", "ai:random")
    ai = rules.service()
    while (match := await rules.player("anna").match(two)).actor == 0:
        await move(rules.player("anna"), two)
    request = internal_pb2.GetInformationStateRequest(match_id=two, seat=1, revision=match.revision)
    known = await ai.call("GetInformationState", request)
    legal = await ai.legal(two, 1)
    action = rules_pb2.SubmitActionRequest(
        match_id=two,
        seat=1,
        request_id=uuid.uuid4().hex,
        expected_revision=match.revision,
        action=legal.actions[0],
        information_sha256=known.information_sha256,
    )
    await ai.call("SubmitAction", action)
    for match_id in (one, two):
        await rules.player("anna").wish("Resign", match_id, 0, uuid.uuid4().hex)
    feed = internal_pb2.ListFinishedMatchesRequest()
    finished = (await rules.service("matchmaking").call("ListFinishedMatches", feed)).matches
    assert {f.match_id: f.agents_acted for f in finished} == {one: False, two: True}


async def test_questions_that_cannot_be_are_refused(sqlite_rules: Rules) -> None:
    with refused("INVALID_FIELD"):
        await news(sqlite_rules, "", {})
    with refused("INVALID_FIELD"):
        await news(sqlite_rules, "anna", {"0" * 32: -1})
    with refused("INVALID_FIELD"):
        await news(sqlite_rules, "anna", {f"{n:032x}": 0 for n in range(201)})
    assert await news(sqlite_rules, "anna", {"no match": 0, "0" * 32: 0}) == {}
    anna = sqlite_rules.player("anna")
    stub: Any = NewsInternalServiceStub(anna.channel)
    with pytest.raises(AioRpcError) as caught:
        await stub.ListNews(news_pb.ListNewsRequest(player_id="anna"), metadata=anna.metadata)
    assert caught.value.code() is StatusCode.UNIMPLEMENTED  # not on the public listener
