"""Quick match, inbox, ratings and phrases with the real rules service behind them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets_pb
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.contract.matchmaking.finders import Finder
from tests.contract.matchmaking.people import Device
from tests.contract.matchmaking.test_inbox import watching
from tests.contract.matchmaking.test_nonces import A, B, give, join, look
from tests.contract.matchmaking.test_real_stack import SHORT, play_on, submit
from tests.contract.matchmaking.world import OPEN, SELF, fresh_id
from tests.fixtures.stack import Stack, running_stack

PATIENCE_S = 120


@pytest.fixture(params=["with Redis", "without Redis"])
async def stack(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stack]:
    url = request.getfixturevalue("fresh_redis_url") if request.param == "with Redis" else ""
    async with running_stack(tmp_path, redis_url=url) as stack:
        yield stack


@pytest.fixture
async def people(stack: Stack) -> AsyncIterator[tuple[Finder, Finder]]:
    async with grpc.aio.insecure_channel(stack.addresses["matchmaking"]) as channel:
        stub: Any = MatchmakingServiceStub(channel)
        found = []
        for name in ("Anna", "Ben"):
            request = pb.SignInGuestRequest(request_id=fresh_id(), display_name=name)
            answer = await stub.SignInGuest(request, timeout=20)
            found.append(Finder(Device(channel, answer.player, answer.tokens)))
        yield found[0], found[1]


@pytest.fixture
async def rules(stack: Stack) -> AsyncIterator[Any]:
    async with grpc.aio.insecure_channel(stack.addresses["rules"]) as channel:
        yield RulesServiceStub(channel)


async def match_of(rules: Any, one: Finder, match_id: str) -> play_pb2.Match:
    request = rules_pb2.GetMatchRequest(match_id=match_id)
    answer = await rules.GetMatch(request, metadata=one.metadata, timeout=20)
    match: play_pb2.Match = answer.match
    return match


async def seated(one: Finder, ticket_id: str) -> pb.Table:
    """The table a ticket leads to, once its match is there: what an app does."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            ticket = await one.ticket(ticket_id)
            assert ticket.status in (
                tickets_pb.TICKET_STATUS_WAITING,
                tickets_pb.TICKET_STATUS_SEATED,
            )
            if ticket.table.match_id:
                return ticket.table
            await asyncio.sleep(min(ticket.poll_after_ms, 200) / 1_000)


async def leaderboard(one: Finder) -> Any:
    """The leaderboard of Socker, once somebody is on it."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            page = await one.ratings("ListLeaderboard", game="socker")
            if page.standings:
                return page
            await asyncio.sleep(0.2)


async def test_strangers_meet_by_ticket_play_and_are_rated(
    people: tuple[Finder, Finder], rules: Any
) -> None:
    anna, ben = people
    mine, yours = [await one.open_ticket(options=SHORT) for one in people]
    table = await seated(anna, mine.ticket_id)
    assert table == await seated(ben, yours.ticket_id)
    async with watching(anna) as stream:
        known = [row for kind, row in await stream.caught_up() if kind == "match"]
        assert [row.table.match_id for row in known] == [table.match_id]
        seat = known[0].my_seats[0]
        await anna.inbox(
            "SendPhrase", request_id=fresh_id(), match_id=table.match_id, seat=seat, number=1
        )
        over = await play_on(rules, table.match_id, [anna.guest, ben.guest])
        row = await stream.until("match")
        while row.status != play_pb2.MATCH_STATUS_FINISHED:
            assert [event.revision for event in row.news] == sorted(
                event.revision for event in row.news
            )
            row = await stream.until("match")
        assert (row.revision, row.outcome) == (over.revision, over.outcome)
    async with watching(ben, {table.match_id: over.revision}) as stream:
        said = [phrase for kind, phrase in await stream.caught_up() if kind == "phrase"]
        assert [(phrase.seat, phrase.number) for phrase in said] == [(seat, 1)]
    found = await leaderboard(anna)
    assert {row.player.player_id for row in found.standings} == {anna.id, ben.id}
    assert found.mine.rating.matches == 1


async def test_an_inbox_shows_what_the_other_did_as_the_events_tell_it(
    people: tuple[Finder, Finder], rules: Any
) -> None:
    anna, ben = people
    opened = await anna.guest.open(SELF, OPEN, game="sock_monsters")
    table = await ben.guest.join(opened.invitation_code)
    before = await match_of(rules, anna, table.match_id)
    known = {table.match_id: before.revision}
    async with watching(anna, known) as hers:
        assert await hers.caught_up() == []
        actor = (anna, ben)[before.actor]
        await submit(rules, actor.guest, await match_of(rules, actor, table.match_id))
        row = await hers.until("match")
    request = rules_pb2.ListEventsRequest(match_id=table.match_id, page_size=500)
    history = (await rules.ListEvents(request, metadata=anna.metadata, timeout=20)).events
    assert list(row.news) == list(history)[before.revision : row.revision]
    (listed,) = (
        await anna.guest.mine(
            seen=[pb.SeenMatch(match_id=table.match_id, revision=before.revision)]
        )
    ).matches
    assert list(listed.news) == list(history)[before.revision :]
    assert listed.HasField("deadline_ms")


async def test_a_stranger_watches_a_listed_match_and_cannot_speak(
    people: tuple[Finder, Finder], rules: Any
) -> None:
    anna, ben = people
    agreed = play_pb2.TableRules(spectators=True)
    await anna.guest.open(SELF, SELF, rules=agreed, listed=True)
    (table,) = (await ben.lobby("ListWatchableMatches")).tables
    match = await match_of(rules, ben, table.match_id)
    assert [view.seat for view in match.views] == [-2]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await ben.inbox(
            "SendPhrase", request_id=fresh_id(), match_id=table.match_id, seat=0, number=1
        )
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


async def test_what_people_added_to_the_promised_seed_is_in_their_match(
    people: tuple[Finder, Finder], rules: Any
) -> None:
    anna, ben = people
    opened = await anna.guest.open(SELF, OPEN, options=SHORT)
    assert (await look(ben, opened.invitation_code)).seed_sha256 == opened.seed_sha256
    await give(anna, opened.table_id, A)
    table = await join(ben, opened.invitation_code, B)
    over = await play_on(rules, table.match_id, [anna.guest, ben.guest])
    assert over.fairness.scheme == "oddsocks-draw/2"
    assert list(over.fairness.nonces) == [A, B]
    assert over.fairness.seed_sha256 == opened.seed_sha256
    assert hashlib.sha256(over.fairness.seed).digest() == opened.seed_sha256
