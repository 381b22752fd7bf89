"""Whom rules wants called: those whose turn began or whose time is short, until it is noted."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import calls_internal_service_pb2 as pb
from oddsocks.rules.v1.calls_internal_service_pb2_grpc import CallsInternalServiceStub
from services.common.clock import system_clock
from tests.contract.rules.test_beside import move
from tests.fixtures.rules import Client, Rules, make_settings, new_match_request, refused, serving
from tests.fixtures.sql import ManualClock

HOUR_MS = 3_600_000
DAYS = play_pb2.TableRules(pace=play_pb2.PACE_DAYS, turn_days=2)


@pytest.fixture
async def timed(database_url: str, tmp_path: Path) -> AsyncIterator[tuple[Rules, ManualClock]]:
    clock = ManualClock(system_clock())
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings, clock=clock) as (rules, _):
        yield rules, clock


async def ask(rules: Rules, method: str, request: Any) -> Any:
    """A call as matchmaking makes it."""
    matchmaking = rules.service("matchmaking")
    stub: Any = CallsInternalServiceStub(matchmaking.channel)
    return await getattr(stub, method)(request, metadata=matchmaking.metadata, timeout=20)


async def untold(rules: Rules, page_size: int = 0) -> list[pb.Call]:
    return list((await ask(rules, "ListCalls", pb.ListCallsRequest(page_size=page_size))).calls)


async def ack(rules: Rules, *calls: pb.Call) -> None:
    await ask(rules, "AckCalls", pb.AckCallsRequest(calls=calls))


async def states(rules: Rules, *calls: pb.Call) -> list[int]:
    return list((await ask(rules, "CheckCalls", pb.CheckCallsRequest(calls=calls))).states)


async def acting(rules: Rules, match_id: str, names: list[str]) -> Client:
    match = await rules.player(names[0]).match(match_id)
    return rules.player(names[match.actor])


async def end_turn(rules: Rules, match_id: str, names: list[str]) -> None:
    """Let whoever is to act do so until it is somebody else's turn."""
    before = (await rules.player(names[0]).match(match_id)).actor
    while (await rules.player(names[0]).match(match_id)).actor == before:
        await move(rules.player(names[before]), match_id)


async def test_each_turn_is_told_until_it_is_noted_and_then_no_more(rules: Rules) -> None:
    names = ["anna", "ben"]
    match_id = await rules.new_match(*names)
    (first,) = await untold(rules)
    match = await rules.player("anna").match(match_id)
    assert (first.match_id, first.kind) == (match_id, pb.CALL_KIND_TURN)
    assert first.player_id == names[match.actor]
    assert await untold(rules) == [first], "nobody has noted it"
    await ack(rules, first)
    await ack(rules, first)
    assert await untold(rules) == []
    assert await states(rules, first) == [pb.CALL_STATE_STANDS]
    await end_turn(rules, match_id, names)
    (second,) = await untold(rules)
    assert second.player_id == names[1 - match.actor]
    assert second.turn_revision > first.turn_revision
    await ack(rules, first)  # late, of a process that was slow
    assert await untold(rules) == [second]
    assert await states(rules, first, second) == [pb.CALL_STATE_LAPSED, pb.CALL_STATE_STANDS]


async def test_a_turn_made_before_anybody_asked_is_never_told(rules: Rules) -> None:
    names = ["anna", "ben"]
    match_id = await rules.new_match(*names)
    (first,) = await untold(rules)
    for _ in range(4):
        await end_turn(rules, match_id, names)
    (latest,) = await untold(rules)
    assert latest.turn_revision > first.turn_revision
    await rules.player("anna").wish("Resign", match_id, 0, uuid.uuid4().hex)
    assert await untold(rules) == []
    assert await states(rules, latest) == [pb.CALL_STATE_LAPSED]


async def test_acting_within_a_turn_does_not_begin_another(rules: Rules) -> None:
    names = ["anna", "ben", "carl"]
    request = new_match_request(uuid.uuid4().hex, *names)
    request.game = "sock_monsters"
    match_id = (await rules.service("matchmaking").call("CreateMatch", request)).match_id
    within = 0
    for number in range(60):
        match = await rules.player("anna").match(match_id)
        if match.status == play_pb2.MATCH_STATUS_FINISHED:
            break
        await ack(rules, *await untold(rules))
        await move(rules.player(names[match.actor]), match_id, pick=number)
        after = await rules.player("anna").match(match_id)
        told = await untold(rules)
        if after.status == play_pb2.MATCH_STATUS_FINISHED or after.actor == match.actor:
            within += 1
            assert told == []
        else:
            assert [call.player_id for call in told] == [names[after.actor]]
    assert within > 5


async def test_nobody_is_told_of_an_agents_turn(rules: Rules) -> None:
    await rules.new_match("ai:random", "ai:random", host="anna")
    assert await untold(rules) == []


async def test_short_time_is_told_once_a_turn_when_it_is_so(
    timed: tuple[Rules, ManualClock],
) -> None:
    rules, clock = timed
    request = new_match_request(uuid.uuid4().hex, "anna", "ben")
    request.pace = play_pb2.PACE_DAYS
    request.rules.CopyFrom(DAYS)
    match_id = (await rules.service("matchmaking").call("CreateMatch", request)).match_id
    (turn,) = await untold(rules)
    await ack(rules, turn)
    clock.advance(35 * HOUR_MS)
    assert await untold(rules) == [], "13 hours are left, and 12 are few"
    clock.advance(2 * HOUR_MS)
    (short,) = await untold(rules)
    assert (short.kind, short.player_id) == (pb.CALL_KIND_SHORT, turn.player_id)
    assert short.turn_revision == turn.turn_revision
    await ack(rules, short)
    assert await untold(rules) == []
    await end_turn(rules, match_id, ["anna", "ben"])
    (after,) = await untold(rules)
    assert after.kind == pb.CALL_KIND_TURN
    assert await states(rules, short) == [pb.CALL_STATE_LAPSED]


async def test_who_looks_at_the_match_has_seen_it(rules: Rules) -> None:
    names = ["anna", "ben"]
    match_id = await rules.new_match(*names)
    (turn,) = await untold(rules)
    other = "ben" if turn.player_id == "anna" else "anna"
    stream = rules.player(other).watch(match_id)
    await stream.read()
    assert await states(rules, turn) == [pb.CALL_STATE_STANDS], "only the other one looks"
    mine = rules.player(turn.player_id).watch(match_id)
    await mine.read()
    assert await states(rules, turn) == [pb.CALL_STATE_SEEN]
    mine.cancel()
    async with asyncio.timeout(60):
        while (await states(rules, turn))[0] == pb.CALL_STATE_SEEN:  # noqa: ASYNC110 (in a server)
            await asyncio.sleep(0.05)
    assert await states(rules, turn) == [pb.CALL_STATE_STANDS]
    stream.cancel()


async def test_many_calls_come_in_parts_those_that_wait_longest_first(rules: Rules) -> None:
    matches = [await rules.new_match("anna", "ben") for _ in range(5)]
    found = []
    while calls := await untold(rules, 2):
        assert len(calls) <= 2
        await ack(rules, *calls)
        found += [call.match_id for call in calls]
    assert found == matches


async def test_questions_that_cannot_be_are_refused(sqlite_rules: Rules) -> None:
    with refused("INVALID_FIELD"):
        await ack(sqlite_rules, pb.Call(match_id="0" * 32))
    with refused("INVALID_FIELD"):
        await states(sqlite_rules, *[pb.Call(match_id="0" * 32, player_id="anna")] * 501)
    unknown = pb.Call(match_id="0" * 32, player_id="anna", turn_revision=1)
    await ack(sqlite_rules, unknown)
    assert await states(sqlite_rules, unknown) == [pb.CALL_STATE_LAPSED]
