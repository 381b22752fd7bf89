"""Calling people whose app is closed: what a phone gets, when, and what it never gets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from grpc import StatusCode

from oddsocks.matchmaking.v1 import accounts_service_pb2 as accounts_pb
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb_tables
from oddsocks.matchmaking.v1 import push_service_pb2 as pb
from oddsocks.matchmaking.v1.accounts_service_pb2_grpc import AccountsServiceStub
from oddsocks.matchmaking.v1.push_service_pb2_grpc import PushServiceStub
from oddsocks.rules.v1 import calls_internal_service_pb2 as calls_pb
from services.common.errors import RefusedError
from tests.contract.matchmaking.finders import Finder, finder, swept
from tests.contract.matchmaking.firebase import SCOPE, Firebase, Trouble, firebase
from tests.contract.matchmaking.world import (
    OPEN,
    SELF,
    World,
    fresh_id,
    refused,
    running_world,
)

TIMEOUT_S = 20
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
MATCH = "a" * 32


@pytest.fixture
def fcm(tmp_path: Path) -> Any:
    with firebase(tmp_path) as service:
        yield service


@pytest.fixture
async def world(database_url: str, tmp_path: Path, fcm: Firebase) -> AsyncIterator[World]:
    settings = {"fcm_credentials_file": fcm.credentials(), "fcm_url": fcm.url}
    async with running_world(database_url, tmp_path, **settings) as world:
        yield world


async def push(one: Finder, method: str, **fields: Any) -> Any:
    stub: Any = PushServiceStub(one.device.channel)
    request = getattr(pb, f"{method}Request")(**fields)
    return await getattr(stub, method)(request, metadata=one.metadata, timeout=TIMEOUT_S)


async def register(one: Finder, token: str = "phone", **fields: Any) -> None:
    await push(one, "RegisterDevice", push_token=token, **{"time_zone": "Europe/Berlin", **fields})


async def with_phone(world: World, name: str = "anna") -> Finder:
    one = await finder(world, name)
    await register(one, f"{name}s phone")
    return one


def turn(world: World, one: Finder, revision: int, match_id: str = MATCH, short: int = 0) -> None:
    """Let rules want somebody called."""
    world.rules.calls.append(
        calls_pb.Call(
            match_id=match_id,
            player_id=one.id,
            kind=calls_pb.CALL_KIND_SHORT if short else calls_pb.CALL_KIND_TURN,
            turn_revision=revision,
            short_ms=short,
        )
    )


def got(fcm: Firebase) -> list[tuple[str, str]]:
    """What phones got since this was asked last: tokens and kinds."""
    messages = [(message["token"], message["data"]["kind"]) for message in fcm.messages]
    fcm.messages.clear()
    return messages


async def test_a_turn_calls_each_device_of_its_player_once(world: World, fcm: Firebase) -> None:
    anna, ben = await with_phone(world, "anna"), await with_phone(world, "ben")
    await register(anna, "annas tablet")
    turn(world, anna, 7)
    await swept(world, "push")
    assert sorted(got(fcm)) == [("annas phone", "turn"), ("annas tablet", "turn")]
    assert world.rules.calls == [], "acknowledged"
    turn(world, anna, 7)  # the acknowledgement got lost
    await swept(world, "push")
    assert got(fcm) == []
    turn(world, ben, 8)
    turn(world, anna, 9)
    await swept(world, "push")
    assert sorted(got(fcm)) == [
        ("annas phone", "turn"),
        ("annas tablet", "turn"),
        ("bens phone", "turn"),
    ]


async def test_a_call_holds_ids_and_a_kind_and_keys_of_texts_only(
    world: World, fcm: Firebase
) -> None:
    anna = await with_phone(world)
    turn(world, anna, 7)
    await swept(world, "push")
    (message,) = fcm.messages
    assert message == {
        "token": "annas phone",
        "data": {"kind": "turn", "match_id": MATCH},
        "android": {
            "collapse_key": MATCH,
            "priority": "HIGH",
            "ttl": "86400s",
            "notification": {
                "tag": MATCH,
                "title_loc_key": "push_turn_title",
                "body_loc_key": "push_turn_body",
            },
        },
        "apns": {
            "headers": {"apns-collapse-id": MATCH},
            "payload": {
                "aps": {
                    "alert": {"title-loc-key": "push_turn_title", "loc-key": "push_turn_body"},
                    "thread-id": MATCH,
                }
            },
        },
    }
    (claims,) = fcm.assertions
    assert claims["scope"] == SCOPE
    assert claims["exp"] - claims["iat"] == 3_600


async def test_a_newer_call_of_a_match_replaces_one_that_waits(world: World, fcm: Firebase) -> None:
    anna = await with_phone(world)
    fcm.troubles.append(Trouble(503))
    turn(world, anna, 7)
    await swept(world, "push")
    turn(world, anna, 9)
    turn(world, anna, 9, short=1)
    turn(world, anna, 4, "b" * 32)
    world.clock.advance(MINUTE_MS)
    await swept(world, "push")
    found = {(m["data"]["match_id"], m["data"]["kind"]) for m in fcm.messages}
    assert found == {(MATCH, "short"), ("b" * 32, "turn")}
    assert len(fcm.messages) == 2
    fcm.messages.clear()
    turn(world, anna, 9)  # late: what came after it has been sent
    await swept(world, "push")
    assert got(fcm) == []


async def test_a_turn_already_made_is_never_announced(world: World, fcm: Firebase) -> None:
    anna = await with_phone(world)
    world.rules.lapsed.add((MATCH, 7))
    turn(world, anna, 7)
    await swept(world, "push")
    fcm.troubles.append(Trouble(503))
    turn(world, anna, 9)
    await swept(world, "push")
    world.rules.lapsed.add((MATCH, 9))
    world.clock.advance(HOUR_MS)
    await swept(world, "push")
    assert got(fcm) == []


async def test_who_looks_at_the_match_is_not_called(world: World, fcm: Firebase) -> None:
    anna = await with_phone(world)
    for looks_on in (True, False):
        world.rules.looking.add((MATCH, anna.id))
        turn(world, anna, 7 if looks_on else 9)
        await swept(world, "push")
        assert got(fcm) == []
        if not looks_on:  # the phone had lost its network, or the app was closed without an action
            world.rules.looking.clear()
        world.clock.advance(MINUTE_MS)
        await swept(world, "push")
        assert got(fcm) == ([] if looks_on else [("annas phone", "turn")])
        world.rules.looking.clear()
        world.clock.advance(HOUR_MS)
        await swept(world, "push")
        assert got(fcm) == []


@pytest.mark.parametrize(("zone", "hour", "waits_h"), [("Asia/Seoul", 23, 8), ("Asia/Seoul", 6, 1)])
async def test_nobody_is_woken_up_and_the_morning_brings_what_still_holds(
    world: World, fcm: Firebase, zone: str, hour: int, waits_h: int
) -> None:
    anna = await finder(world, "anna")
    await register(anna, "phone", time_zone=zone, quiet_from=21 * 60, quiet_until=7 * 60)
    tomorrow = datetime.fromtimestamp(world.clock() / 1_000, ZoneInfo(zone)) + timedelta(days=1)
    night = tomorrow.replace(hour=hour, minute=0, second=0, microsecond=0)
    world.clock.now = int(night.timestamp() * 1_000)
    turn(world, anna, 7)
    turn(world, anna, 8, "b" * 32)
    await swept(world, "push")
    world.clock.advance(waits_h * HOUR_MS - 1)
    await swept(world, "push")
    assert got(fcm) == []
    world.rules.lapsed.add(("b" * 32, 8))
    world.clock.advance(1)
    await swept(world, "push")
    assert got(fcm) == [("phone", "turn")]


async def test_a_friends_invitation_calls_until_it_is_seen(world: World, fcm: Firebase) -> None:
    anna, ben = await with_phone(world, "anna"), await with_phone(world, "ben")
    await anna.befriend(ben)
    tables = [await anna.guest.open(SELF, OPEN) for _ in range(3)]
    await anna.lobby("InviteFriend", table_id=tables[0].table_id, player_id=ben.id)
    await swept(world, "push")
    (message,) = fcm.messages
    assert message["data"] == {"kind": "invited", "table_id": tables[0].table_id}
    assert got(fcm) == [("bens phone", "invited")]
    for table in tables[1:]:
        await anna.lobby("InviteFriend", table_id=table.table_id, player_id=ben.id)
    await ben.lobby("MarkInvitationsSeen", table_ids=[tables[1].table_id])
    await anna.guest.leave(tables[2].table_id)
    await swept(world, "push")
    assert got(fcm) == []


async def test_an_invitation_that_fails_calls_nobody(world: World, fcm: Firebase) -> None:
    anna, ben = await with_phone(world, "anna"), await with_phone(world, "ben")
    table = await anna.guest.open(SELF, OPEN)
    with refused(StatusCode.NOT_FOUND, "PLAYER_NOT_FOUND"):  # no friends
        await anna.lobby("InviteFriend", table_id=table.table_id, player_id=ben.id)
    await swept(world, "push")
    assert got(fcm) == []


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_busy_service_is_asked_again_when_it_said(
    world: World, fcm: Firebase, status: int
) -> None:
    anna = await with_phone(world)
    in_ten_minutes = datetime.fromtimestamp(world.clock() / 1_000 + 600, UTC)
    fcm.troubles += [
        Trouble(status, headers={"retry-after": "300"}),
        Trouble(status, headers={"retry-after": format_datetime(in_ten_minutes, usegmt=True)}),
    ]
    turn(world, anna, 7)
    for _ in range(2):
        await swept(world, "push")
        world.clock.advance(299_000)
        await swept(world, "push")
        assert got(fcm) == []
        world.clock.advance(1_001)
    await swept(world, "push")
    assert got(fcm) == [("annas phone", "turn")]


async def test_one_that_never_answers_is_asked_ever_more_rarely_and_then_no_more(
    world: World, fcm: Firebase
) -> None:
    anna = await with_phone(world)
    fcm.troubles += [Trouble(503)] * 100
    turn(world, anna, 7)
    pauses, tried_at = [], world.clock()
    await swept(world, "push")
    while 100 - len(fcm.troubles) < 12:
        asked = len(fcm.troubles)
        while len(fcm.troubles) == asked:
            world.clock.advance(max(1_000, (world.clock() - tried_at) // 10))
            await swept(world, "push")
        pauses.append(world.clock() - tried_at)
        tried_at = world.clock()
    assert pauses == sorted(pauses)
    assert pauses[0] <= 6_000
    world.clock.advance(48 * HOUR_MS)
    await swept(world, "push")
    assert len(fcm.troubles) == 88


async def test_a_device_that_is_gone_is_forgotten(world: World, fcm: Firebase) -> None:
    anna = await with_phone(world)
    fcm.troubles.append(Trouble(404, "UNREGISTERED"))
    turn(world, anna, 7)
    await swept(world, "push")
    turn(world, anna, 9)
    await swept(world, "push")
    assert got(fcm) == []
    assert "annas phone" not in await world.dump()


async def test_an_access_token_is_renewed_when_it_ends_and_when_it_was_ended(
    world: World, fcm: Firebase
) -> None:
    anna = await with_phone(world)
    for revision, assertions in ((7, 1), (9, 1)):
        turn(world, anna, revision)
        await swept(world, "push")
        assert len(fcm.assertions) == assertions
    fcm.sign_out()
    turn(world, anna, 11)
    await swept(world, "push")
    assert len(fcm.assertions) == 2
    world.clock.advance(HOUR_MS)
    turn(world, anna, 13)
    await swept(world, "push")
    assert len(fcm.assertions) == 3
    assert got(fcm) == [("annas phone", "turn")] * 4


async def test_what_can_never_be_sent_is_not_tried_again(world: World, fcm: Firebase) -> None:
    anna = await with_phone(world)
    fcm.troubles.append(Trouble(400, "INVALID_ARGUMENT"))
    turn(world, anna, 7)
    await swept(world, "push")
    world.clock.advance(24 * HOUR_MS)
    await swept(world, "push")
    assert (got(fcm), len(fcm.troubles)) == ([], 0)


async def test_a_phone_belongs_to_who_signed_in_last_and_to_nobody_who_left(
    world: World, fcm: Firebase
) -> None:
    anna, ben, carl = [await finder(world, name) for name in ("anna", "ben", "carl")]
    await register(anna, "shared")
    fcm.troubles.append(Trouble(503))
    turn(world, anna, 7)
    await swept(world, "push")
    await register(ben, "shared")
    world.clock.advance(MINUTE_MS)
    turn(world, anna, 9)
    await swept(world, "push")
    assert got(fcm) == [], "anna's turn is not ben's business"
    turn(world, ben, 10)
    await swept(world, "push")
    assert got(fcm) == [("shared", "turn")]
    await push(carl, "ForgetDevice", push_token="shared")  # is not his
    await register(carl, "carls")
    await push(carl, "ForgetDevice", push_token="carls")
    stub: Any = AccountsServiceStub(ben.device.channel)
    turn(world, carl, 3, "c" * 32)
    turn(world, ben, 12)
    await swept(world, "push")
    assert got(fcm) == [("shared", "turn")]
    request = accounts_pb.SignOutEverywhereRequest()
    await stub.SignOutEverywhere(request, metadata=ben.metadata, timeout=TIMEOUT_S)
    turn(world, ben, 14)
    await swept(world, "push")
    assert got(fcm) == []
    assert "shared" not in await world.dump()


async def test_of_many_devices_the_latest_are_called(world: World, fcm: Firebase) -> None:
    anna = await finder(world, "anna")
    for number in range(12):
        world.clock.advance(1)
        await register(anna, f"phone {number:02}")
    turn(world, anna, 7)
    await swept(world, "push")
    assert sorted(got(fcm)) == [(f"phone {number:02}", "turn") for number in range(2, 12)]


async def test_calls_survive_a_rules_service_that_is_away(world: World, fcm: Firebase) -> None:
    anna, ben = await with_phone(world, "anna"), await with_phone(world, "ben")
    await anna.befriend(ben)
    table = await anna.guest.open(SELF, OPEN)
    turn(world, anna, 7)
    await world.to_rules.go()
    await anna.lobby("InviteFriend", table_id=table.table_id, player_id=ben.id)
    with pytest.raises(RefusedError):
        await swept(world, "push")
    assert got(fcm) == [("bens phone", "invited")], "for which rules need not be asked"


async def ended_match(world: World, *people: Finder) -> pb_tables.Table:
    host, *others = people
    table = await host.guest.open(SELF, *[OPEN] * len(others), game="sock_monsters")
    for one in others:
        table = await one.guest.join(table.invitation_code)
    world.rules.end(table.match_id, in_feed=True)
    return table


async def test_a_rematch_calls_those_for_whom_its_seats_are_kept(
    world: World, fcm: Firebase
) -> None:
    anna, ben, carl = [await with_phone(world, name) for name in ("anna", "ben", "carl")]
    table = await ended_match(world, anna, ben, carl)
    again = await anna.guest.rematch(table.match_id)
    await swept(world, "push")
    assert {message["data"]["table_id"] for message in fcm.messages} == {again.table_id}
    assert sorted(got(fcm)) == [("bens phone", "invited"), ("carls phone", "invited")]
    # What the call speaks of is there: to be looked at, to be taken up, and then gone.
    (invitation,) = (await ben.guest.mine()).invitations
    assert invitation.inviter.player_id == anna.id
    assert invitation.table == await ben.guest.get(again.table_id)
    request = pb_tables.JoinTableRequest(request_id=fresh_id(), table_id=again.table_id)
    joined = (await ben.guest.call("JoinTable", request)).table
    assert [seat.player_id for seat in joined.seats] == [ben.id, "", anna.id]
    assert (await ben.guest.mine()).invitations == []
    await ben.guest.rematch(table.match_id)
    await swept(world, "push")
    assert got(fcm) == []
    complete = await carl.guest.rematch(table.match_id)
    assert complete.status == pb_tables.TABLE_STATUS_STARTED


async def test_nobody_is_called_to_a_rematch_twice_or_by_whom_they_blocked(
    world: World, fcm: Firebase
) -> None:
    anna, ben, carl = [await with_phone(world, name) for name in ("anna", "ben", "carl")]
    table = await ended_match(world, anna, ben, carl)
    await carl.block(anna)
    for _ in range(3):  # a nuisance
        again = await anna.guest.rematch(table.match_id)
        await swept(world, "push")
        await anna.guest.leave(again.table_id)
    assert got(fcm) == [("bens phone", "invited")]
    await ben.guest.rematch(table.match_id)
    await swept(world, "push")
    assert sorted(got(fcm)) == [("annas phone", "invited"), ("carls phone", "invited")]


async def test_a_call_to_a_rematch_lapses_once_it_is_answered_or_the_table_is_gone(
    world: World, fcm: Firebase
) -> None:
    anna, ben, carl = [await with_phone(world, name) for name in ("anna", "ben", "carl")]
    for answer in ("come", "decline", "see", "close"):
        table = await ended_match(world, anna, ben)
        again = await anna.guest.rematch(table.match_id)
        match answer:
            case "come":
                await ben.guest.rematch(table.match_id)
            case "decline":
                await ben.lobby("DeclineInvitation", table_id=again.table_id)
            case "see":
                await ben.lobby("MarkInvitationsSeen", table_ids=[again.table_id])
            case "close":
                await anna.guest.leave(again.table_id)
        await swept(world, "push")
        assert got(fcm) == [], answer
    assert (await carl.guest.mine()).invitations == []


async def test_what_is_no_device_is_refused(world: World) -> None:
    anna = await finder(world, "anna")
    for fields in (
        {"token": ""},
        {"token": "x" * 1_025},
        {"token": "new\nline"},
        {"time_zone": ""},
        {"time_zone": "../../etc/passwd"},
        {"quiet_from": -1},
        {"quiet_until": 1_440},
    ):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"):
            await register(anna, **fields)
