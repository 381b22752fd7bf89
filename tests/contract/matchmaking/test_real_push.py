"""Calling people with the real rules behind it: from an action in a match to the other's phone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.contract.matchmaking.finders import Finder
from tests.contract.matchmaking.firebase import Firebase, firebase
from tests.contract.matchmaking.people import Device
from tests.contract.matchmaking.test_push import register
from tests.contract.matchmaking.test_real_stack import submit
from tests.contract.matchmaking.world import OPEN, SELF, fresh_id
from tests.fixtures.stack import Stack, running_stack

PATIENCE_S = 60


@pytest.fixture
def fcm(tmp_path: Path) -> Iterator[Firebase]:
    with firebase(tmp_path) as service:
        yield service


@pytest.fixture
async def stack(
    tmp_path: Path, fcm: Firebase, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Stack]:
    monkeypatch.setenv("ODDSOCKS_FCM_CREDENTIALS_FILE", str(fcm.credentials()))
    monkeypatch.setenv("ODDSOCKS_FCM_URL", fcm.url)
    monkeypatch.setenv("ODDSOCKS_PUSH_SECONDS", "0.1")
    async with running_stack(tmp_path) as stack:
        yield stack


async def test_from_an_action_to_the_others_phone(stack: Stack, fcm: Firebase) -> None:
    async with (
        grpc.aio.insecure_channel(stack.addresses["matchmaking"]) as channel,
        grpc.aio.insecure_channel(stack.addresses["rules"]) as to_rules,
    ):
        rules: Any = RulesServiceStub(to_rules)
        stub: Any = MatchmakingServiceStub(channel)
        people = []
        for name in ("Anna", "Ben"):
            request = pb.SignInGuestRequest(request_id=fresh_id(), display_name=name)
            answer = await stub.SignInGuest(request, timeout=20)
            people.append(Finder(Device(channel, answer.player, answer.tokens)))
            await register(people[-1], name)
        anna, ben = people
        opened = await anna.guest.open(SELF, OPEN)
        table = await ben.guest.join(opened.invitation_code)
        look = rules_pb2.GetMatchRequest(match_id=table.match_id)
        expected = []
        for _ in range(4):
            match = (await rules.GetMatch(look, metadata=anna.metadata, timeout=20)).match
            actor = match.actor
            expected.append(("Anna", "Ben")[actor])
            async with asyncio.timeout(PATIENCE_S):
                while len(fcm.messages) < len(expected):  # noqa: ASYNC110 (in a server)
                    await asyncio.sleep(0.05)
            while match.actor == actor:
                one = people[actor]
                match = (await rules.GetMatch(look, metadata=one.metadata, timeout=20)).match
                if match.actor == actor:
                    await submit(rules, one.guest, match)
        assert [message["token"] for message in fcm.messages[: len(expected)]] == expected
        assert {message["data"]["match_id"] for message in fcm.messages} == {table.match_id}
        assert {message["data"]["kind"] for message in fcm.messages} == {"turn"}
