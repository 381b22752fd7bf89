"""A move counts once: whatever is repeated, raced or lost on the way."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import grpc
import pytest

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.common.errors import error_info
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message
from tests.fixtures.rules import Client, Rules, make_settings, refused, serving
from tests.fixtures.rules_faults import Faults

SOCKER = ruleset("socker")


async def first_move(client: Client, match_id: str) -> tuple[int, int, str, str]:
    """Of a match on one device: who acts, at which revision, and two things they may do."""
    match = await client.match(match_id)
    legal = next(view.legal_actions for view in match.views if view.seat == match.actor)
    texts = [SOCKER.format_action(action_from_message(SOCKER, action)) for action in legal]
    return match.actor, match.revision, texts[0], texts[-1]


def submit_request(
    match_id: str, seat: int, request_id: str, revision: int, text: str
) -> rules_pb2.SubmitActionRequest:
    return rules_pb2.SubmitActionRequest(
        match_id=match_id,
        seat=seat,
        request_id=request_id,
        expected_revision=revision,
        action=play_pb2.Action(text=text),
    )


async def raw_submit(client: Client, request: rules_pb2.SubmitActionRequest) -> bytes:
    """SubmitAction without reading the reply: its bytes as they came."""
    method: Any = client.channel.unary_unary("/oddsocks.rules.v1.RulesService/SubmitAction")
    reply: bytes = await method(request.SerializeToString(), metadata=client.metadata)
    return reply


async def reason_of(call: Any) -> str:
    """OK, or the reason of the refusal."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        info = error_info(error)
        return error.code().name if info is None else info.reason
    return "OK"


@pytest.mark.field(1)
async def test_an_action_sent_twice_at_once_is_played_once(rules: Rules) -> None:
    for _ in range(10):
        match_id = await rules.new_match("anna", "anna")
        phones = [rules.player("anna") for _ in range(3)]
        seat, revision, text, _ = await first_move(phones[0], match_id)
        request = submit_request(match_id, seat, "tap", revision, text)
        replies = await asyncio.gather(*(raw_submit(phone, request) for phone in phones))
        assert len(set(replies)) == 1, "both callers get the same reply, byte for byte"
        assert (await phones[0].match(match_id)).revision == revision + 1
        assert await raw_submit(phones[1], request) == replies[0]


@pytest.mark.field(1)
async def test_two_different_actions_at_once_are_one_action(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "anna")
    phones = [rules.player("anna") for _ in range(8)]
    seat, revision, one, other = await first_move(phones[0], match_id)
    results = await asyncio.gather(
        *(
            reason_of(phone.submit(match_id, seat, f"tap-{i}", revision, (one, other)[i % 2]))
            for i, phone in enumerate(phones)
        )
    )
    assert Counter(results) == {"OK": 1, "STALE_REVISION": 7}
    assert len(await phones[0].events(match_id)) == revision + 1


@pytest.mark.field(2)
async def test_a_stale_action_is_refused_with_the_current_revision(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "anna")
    anna = rules.player("anna")
    seat, revision, one, other = await first_move(anna, match_id)
    await anna.submit(match_id, seat, "first", revision, one)
    before = await anna.match(match_id)
    for wrong in (revision, 0, revision + 5):
        with refused("STALE_REVISION") as details:
            await anna.submit(match_id, seat, f"stale-{wrong}", wrong, other)
        assert details["revision"] == str(revision + 1)
    assert await anna.match(match_id) == before
    # What was refused does not use up its request id.
    await anna.submit(match_id, seat, f"stale-{revision}", revision + 1, other)


async def test_a_request_id_means_one_thing(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "anna")
    other_match = await rules.new_match("anna", "ben")
    anna = rules.player("anna")
    seat, revision, one, other = await first_move(anna, match_id)
    await anna.submit(match_id, seat, "same", revision, one)
    with refused("REQUEST_ID_REUSED"):
        await anna.submit(match_id, seat, "same", revision, other)
    with refused("REQUEST_ID_REUSED"):
        await anna.submit(match_id, seat, "same", revision + 1, other)
    assert (await anna.match(match_id)).revision == revision + 1
    # In another match it is another id.
    actor = (await anna.match(other_match)).actor
    who = (anna, rules.player("ben"))[actor]
    assert await who.submit(other_match, actor, "same", revision, "@e3" if actor == 0 else "@e9")


async def test_of_two_players_each_has_ids_of_their_own(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "ben")
    clients = rules.player("anna"), rules.player("ben")
    for _ in range(10):  # all sockers are placed
        match = await clients[0].match(match_id)
        seat, revision, text, _ = await first_move(clients[match.actor], match_id)
        # Each player counts 0, 1, 2, … so both use the same ids.
        request_id = str((revision - 1) % 5)
        await clients[seat].submit(match_id, seat, request_id, revision, text)
    assert (await clients[0].match(match_id)).revision == 11


@pytest.mark.field(7)
async def test_of_an_agents_answers_the_first_counts(rules: Rules) -> None:
    match_id = await rules.new_match("ai:random", "ai:random")
    workers = [rules.service("ai") for _ in range(2)]
    seat, revision, one, other = await first_move(workers[0], match_id)
    requests = [submit_request(match_id, seat, "1", revision, text) for text in (one, other)]
    replies = await asyncio.gather(*map(raw_submit, workers, requests))
    assert replies[0] == replies[1]
    assert len(await workers[0].events(match_id)) == revision + 1
    assert await raw_submit(workers[1], requests[1]) == replies[0]


@pytest.mark.field(7)
async def test_an_agent_is_asked_only_once_the_move_before_is_durable(
    database_url: str, tmp_path: Path
) -> None:
    faults = Faults()
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings, wrap=faults.wrap) as (rules, _):
        match_id = await rules.new_match("anna", "ai:random")
        anna, ai = rules.player("anna"), rules.service("ai")
        waiting = internal_pb2.ListWaitingSeatsRequest()
        match = await anna.match(match_id)
        first = (anna, ai)[match.actor]
        for _ in range(4):
            seat, revision, text, _ = await first_move(first, match_id)
            await first.submit(match_id, seat, str(revision), revision, text)
        # The fifth socker ends the first side's setup: the other side is to act.
        seat, revision, text, _ = await first_move(first, match_id)
        before = [s.revision for s in (await ai.call("ListWaitingSeats", waiting)).seats]
        faults.open.clear()
        faults.arrived.clear()
        submitting = asyncio.create_task(
            first.submit(match_id, seat, str(revision), revision, text)
        )
        await faults.arrived.wait()
        assert [s.revision for s in (await ai.call("ListWaitingSeats", waiting)).seats] == before
        assert (await anna.match(match_id)).revision == revision
        faults.open.set()
        await submitting
        after = [s.revision for s in (await ai.call("ListWaitingSeats", waiting)).seats]
        assert after == ([revision + 1] if first is anna else [])


@pytest.mark.field(7)
async def test_a_lost_answer_is_asked_for_again(database_url: str, tmp_path: Path) -> None:
    faults = Faults()
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings, wrap=faults.wrap) as (rules, _):
        match_id = await rules.new_match("ai:random", "ai:random")
        ai = rules.service("ai")
        seat, revision, one, other = await first_move(ai, match_id)
        faults.lose_answers = 1
        with refused("UNAVAILABLE"):
            await ai.submit(match_id, seat, "1", revision, one)
        # The worker thinks again and finds something else; what was played stays.
        reply = await ai.submit(match_id, seat, "1", revision, other)
        assert (reply.applied_revision, reply.revision) == (revision, revision + 1)
        events = await ai.events(match_id)
        assert len(events) == revision + 1
        played = SOCKER.format_action(action_from_message(SOCKER, events[-1].action))
        assert played == one


async def test_a_commit_outlives_the_caller_who_gives_up(database_url: str, tmp_path: Path) -> None:
    faults = Faults()
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings, wrap=faults.wrap) as (rules, _):
        match_id = await rules.new_match("anna", "anna")
        anna = rules.player("anna")
        seat, revision, text, _ = await first_move(anna, match_id)
        watching = anna.watch(match_id, revision)
        assert (await watching.read()).match.revision == revision
        faults.open.clear()
        request = submit_request(match_id, seat, "tap", revision, text)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await anna.call("SubmitAction", request, timeout=0.3)
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        faults.open.set()
        # Watchers of this very process learn of it all the same.
        assert (await watching.read()).event.revision == revision
        reply = await anna.call("SubmitAction", request)
        assert reply.applied_revision == revision
        watching.cancel()


@pytest.mark.field(42)
async def test_fifty_at_once_on_sqlite_all_get_through(sqlite_rules: Rules) -> None:
    anna = sqlite_rules.player("anna")
    matches = [await sqlite_rules.new_match("anna", "anna") for _ in range(50)]
    moves = [await first_move(anna, match_id) for match_id in matches]

    async def play(match_id: str, move: tuple[int, int, str, str]) -> str:
        seat, revision, text, _ = move
        return await reason_of(anna.submit(match_id, seat, "1", revision, text))

    async def create() -> str:
        return await reason_of(sqlite_rules.new_match("anna", "ben"))

    results = await asyncio.gather(
        *map(play, matches, moves), *(create() for _ in range(20)), *(create() for _ in range(20))
    )
    assert Counter(results) == {"OK": 90}
    assert {(await anna.match(match_id)).revision for match_id in matches} == {2}


async def test_two_services_on_one_database_are_one(database_url: str, tmp_path: Path) -> None:
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings) as (one, _), serving(settings) as (two, _):
        match_id = await one.new_match("anna", "anna")
        phones = one.player("anna"), two.player("anna")
        for ply in range(12):
            seat, revision, text, other = await first_move(phones[ply % 2], match_id)
            request_id = str(ply)
            results = await asyncio.gather(
                *(
                    reason_of(phone.submit(match_id, seat, request_id, revision, text))
                    for phone in phones
                ),
                reason_of(
                    phones[ply % 2].submit(match_id, seat, "?" + request_id, revision, other)
                ),
            )
            assert set(results) <= {"OK", "STALE_REVISION"}, results
            assert results[0] == results[1], "the same request has the same fate"
            assert Counter(results)["OK"] in (1, 2)
            assert (await phones[0].match(match_id)).revision == revision + 1
            assert (await phones[1].match(match_id)).revision == revision + 1
