"""What people at a table add to the seed of their match, once its hash is known."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from grpc import StatusCode

from oddsocks.matchmaking.v1 import lobby_service_pb2 as lobby_pb
from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from tests.contract.matchmaking.finders import Finder, finder
from tests.contract.matchmaking.world import OPEN, SELF, World, agent, fresh_id, refused

INVALID = (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
NO_TABLE = (StatusCode.NOT_FOUND, "TABLE_NOT_FOUND")
A, B = b"a" * 16, b"b" * 32


async def look(one: Finder, code: str) -> pb.Table:
    """A table by its code, before sitting down."""
    request = pb.GetTableRequest(invitation_code=code)
    answer: pb.GetTableResponse = await one.guest.call("GetTable", request)
    return answer.table


async def join(one: Finder, code: str, nonce: bytes, persons: Sequence[str] = ()) -> pb.Table:
    request = pb.JoinTableRequest(
        request_id=fresh_id(),
        invitation_code=code,
        nonce=nonce,
        persons=[pb.Self(display_name=name) for name in persons],
    )
    answer: pb.JoinTableResponse = await one.guest.call("JoinTable", request)
    return answer.table


async def give(one: Finder, table_id: str, nonce: bytes) -> pb.Table:
    answer: lobby_pb.GiveNonceResponse = await one.lobby(
        "GiveNonce", table_id=table_id, nonce=nonce
    )
    return answer.table


def given(table: pb.Table) -> list[bool]:
    return [seat.nonce_given for seat in table.seats]


async def test_each_adds_to_a_seed_whose_hash_they_have_seen(world: World) -> None:
    anna, ben, carl = [await finder(world, name) for name in ("Anna", "Ben", "Carl")]
    opened = await anna.guest.open(SELF, OPEN, OPEN, OPEN, game="sock_monsters")
    promise = hashlib.sha256(opened.table_id.encode()).digest()  # what the stand-in promises
    assert opened.seed_sha256 == promise
    for code in (opened.invitation_code, opened.link):
        seen = await look(ben, code)
        assert (seen.table_id, seen.seed_sha256) == (opened.table_id, promise)
        assert (seen.invitation_code, given(seen)) == ("", [False] * 4)
    assert given(await give(anna, opened.table_id, A)) == [True, False, False, False]
    table = await join(ben, opened.invitation_code, B, ["Ben", "Emil"])
    assert given(table) == [True, True, False, False]
    table = await give(ben, opened.table_id, A)  # for the other seat of the device
    assert given(table) == [True, True, True, False]
    assert (await join(carl, opened.invitation_code, b"")).status == pb.TABLE_STATUS_STARTED
    assert list(world.rules.made[opened.table_id].nonces) == [A, B, A, b""]
    assert promise.hex() not in str(world.rules.made[opened.table_id])


async def test_without_anything_added_the_match_has_no_nonces(world: World) -> None:
    anna, ben = await finder(world, "Anna"), await finder(world, "Ben")
    table = await anna.guest.open(SELF, OPEN)
    table = await join(ben, table.invitation_code, b"")
    assert list(world.rules.made[table.table_id].nonces) == []
    at_once = await anna.guest.open(SELF, agent())
    assert at_once.seed_sha256 == b"", "nobody could add anything"


async def test_what_a_leaver_added_leaves_with_them(world: World) -> None:
    anna, ben = await finder(world, "Anna"), await finder(world, "Ben")
    table = await anna.guest.open(SELF, OPEN, OPEN, game="sock_monsters")
    await give(anna, table.table_id, A)
    await join(ben, table.invitation_code, B)
    await ben.guest.leave(table.table_id)
    assert given(await anna.guest.get(table.table_id)) == [True, False, False]
    assert given(await join(ben, table.invitation_code, b"")) == [True, False, False]


async def test_a_nonce_is_given_once_and_in_time(world: World) -> None:
    anna, ben = await finder(world, "Anna"), await finder(world, "Ben")
    table = await anna.guest.open(SELF, OPEN)
    for _ in range(2):
        assert given(await give(anna, table.table_id, A)) == [True, False]
    with refused(*INVALID, field="nonce"):
        await give(anna, table.table_id, B)
    with refused(*NO_TABLE):
        await give(ben, table.table_id, B)
    for wrong in (b"", b"x" * 15, b"x" * 33):
        with refused(*INVALID, field="nonce"):
            await give(anna, table.table_id, wrong)
    with refused(*INVALID, field="nonce"):
        await join(ben, table.invitation_code, b"x" * 33)
    table = await join(ben, table.invitation_code, b"")
    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_FULL"):
        await give(ben, table.table_id, B)
    assert list(world.rules.made[table.table_id].nonces) == [A, b""]


async def test_while_rules_is_away_tables_open_without_a_promise(world: World) -> None:
    anna, ben = await finder(world, "Anna"), await finder(world, "Ben")
    await anna.guest.open(SELF, agent())  # so that the games are known
    await world.to_rules.go()
    table = await anna.guest.open(SELF, OPEN)
    assert table.seed_sha256 == b""
    with refused(*INVALID, field="nonce"):
        await give(anna, table.table_id, A)
    with refused(*INVALID, field="nonce"):
        await join(ben, table.invitation_code, B)
    assert (await ben.guest.join(table.invitation_code)).status == pb.TABLE_STATUS_STARTING


async def test_looking_by_code_is_limited_like_joining(world: World) -> None:
    anna, ben = await finder(world, "Anna"), await finder(world, "Ben")
    table = await anna.guest.open(SELF, OPEN)
    for _ in range(10):
        with refused(*NO_TABLE):
            await look(ben, "CCCCCC")
    with refused(StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED"):
        await look(ben, table.invitation_code)
    both = pb.GetTableRequest(table_id=table.table_id, invitation_code=table.invitation_code)
    with refused(*INVALID, field="table_id"):
        await anna.guest.call("GetTable", both)
    await anna.block(ben)
    world.clock.advance(600_000)
    with refused(*NO_TABLE):
        await look(ben, table.invitation_code)
