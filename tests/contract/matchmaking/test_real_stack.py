"""Matchmaking with the real rules and ai services: from signing in to the rematch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.contract.matchmaking.world import OPEN, SELF, Guest, agent, fresh_id, refused
from tests.fixtures.stack import Stack, running_stack

SHORT = play_pb2.Options(
    values={
        name: play_pb2.OptionValue(number=1) for name in ("turn_limit", "turn_cap", "sudden_cap")
    }
)


@pytest.fixture
async def stack(tmp_path: Path) -> AsyncIterator[Stack]:
    async with running_stack(tmp_path) as stack:
        yield stack


@pytest.fixture
async def guests(stack: Stack) -> AsyncIterator[list[Guest]]:
    async with grpc.aio.insecure_channel(stack.addresses["matchmaking"]) as channel:
        stub = MatchmakingServiceStub(channel)
        found = []
        for name in ("Anna", "Ben"):
            request = pb.SignInGuestRequest(request_id=fresh_id(), display_name=name)
            answer = await stub.SignInGuest(request, timeout=20)
            found.append(Guest(stub, answer.player, answer.tokens))
        yield found


@pytest.fixture
async def rules(stack: Stack) -> AsyncIterator[Any]:
    async with grpc.aio.insecure_channel(stack.addresses["rules"]) as channel:
        yield RulesServiceStub(channel)


def token(guest: Guest) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {guest.tokens.access_token}"),)


async def submit(rules: Any, guest: Guest, match: play_pb2.Match) -> None:
    """Do the last legal thing, if the guest is to act."""
    for view in match.views:
        if view.legal_actions:
            request = rules_pb2.SubmitActionRequest(
                match_id=match.match_id,
                seat=view.seat,
                request_id=fresh_id(),
                expected_revision=match.revision,
                action=view.legal_actions[-1],
            )
            await rules.SubmitAction(request, metadata=token(guest), timeout=20)


async def play_on(rules: Any, match_id: str, guests: list[Guest]) -> play_pb2.Match:
    """Let whoever is to act do something, until the match is over."""
    request = rules_pb2.GetMatchRequest(match_id=match_id)
    while True:
        for guest in guests:
            answer = await rules.GetMatch(request, metadata=token(guest), timeout=20)
            match: play_pb2.Match = answer.match
            if match.status == play_pb2.MATCH_STATUS_FINISHED:
                return match
            await submit(rules, guest, match)


async def test_two_friends_meet_play_and_play_again(guests: list[Guest], rules: Any) -> None:
    anna, ben = guests
    opened = await anna.open(SELF, OPEN, options=SHORT)
    table = await ben.join(opened.invitation_code)
    assert table.status == pb.TABLE_STATUS_STARTED
    with refused(grpc.StatusCode.FAILED_PRECONDITION, "MATCH_RUNNING"):
        await ben.rematch(table.match_id)

    over = await play_on(rules, table.match_id, guests)
    assert [s.display_name for s in over.seats] == ["Anna", "Ben"]
    assert dict(over.options.values) == dict(table.options.values)
    (row,) = (await ben.mine()).matches
    assert (row.status, row.revision, row.outcome) == (
        play_pb2.MATCH_STATUS_FINISHED,
        over.revision,
        over.outcome,
    )
    again = await ben.rematch(table.match_id)
    assert again.status == pb.TABLE_STATUS_OPEN
    again = await anna.rematch(table.match_id)
    assert again.status == pb.TABLE_STATUS_STARTED
    assert [s.display_name for s in again.seats] == ["Ben", "Anna"]
    assert (await play_on(rules, again.match_id, guests)).match_id == again.match_id


async def test_an_agent_answers_without_queue_or_worker(guests: list[Guest], rules: Any) -> None:
    anna = guests[0]
    table = await anna.open(agent("random"), SELF, options=SHORT)
    request = rules_pb2.WatchMatchRequest(match_id=table.match_id)
    by_agent = None
    async with asyncio.timeout(120):
        async for step in rules.WatchMatch(request, metadata=token(anna)):
            if step.WhichOneof("update") == "match":
                await submit(rules, anna, step.match)
            elif step.WhichOneof("update") == "event" and step.event.origin:
                by_agent = step.event
                break
    assert by_agent is not None
    assert by_agent.actor == 0
