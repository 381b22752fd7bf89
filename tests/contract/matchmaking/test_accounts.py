"""Guest accounts and their tokens through the real service."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from grpc import StatusCode

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from services.common.auth import KeyRing, ServiceTokens, read_secret
from tests.contract.matchmaking.world import OPEN, SELF, Guest, World, fresh_id, refused

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


async def sign_in(stub: Any, request_id: str, name: str = "") -> pb.SignInGuestResponse:
    request = pb.SignInGuestRequest(request_id=request_id, display_name=name)
    answer: pb.SignInGuestResponse = await stub.SignInGuest(request, timeout=20)
    return answer


async def refresh(stub: Any, token: str) -> pb.Tokens:
    request = pb.RefreshTokenRequest(refresh_token=token)
    answer: pb.RefreshTokenResponse = await stub.RefreshToken(request, timeout=20)
    return answer.tokens


async def test_a_repeated_sign_in_is_the_same_account(world: World) -> None:
    stub, request_id = await world.stub(), fresh_id()
    answers = await asyncio.gather(*(sign_in(stub, request_id, "Zoë") for _ in range(6)))
    assert len({answer.player.player_id for answer in answers}) == 1
    assert {answer.player.display_name for answer in answers} == {"Zoë"}
    assert len({answer.tokens.refresh_token for answer in answers}) == 6
    with refused(StatusCode.INVALID_ARGUMENT, "REQUEST_ID_REUSED", request_id=request_id):
        await sign_in(stub, request_id, "Eve")
    other = await sign_in(stub, fresh_id(), "Zoë")
    assert other.player.player_id != answers[0].player.player_id


async def test_names_are_tidied_or_refused_naming_the_field(world: World) -> None:
    stub = await world.stub()
    for given, expected in (
        ("", "Guest"),
        ("   ", "Guest"),
        ("  Anna   Lena ", "Anna Lena"),
        ("Zoe\u0308", "Zoë"),
        ("[b]Bold[/b]", "[b]Bold[/b]"),
        ("🦄", "🦄"),
        ("x" * 24, "x" * 24),
    ):
        assert (await sign_in(stub, fresh_id(), given)).player.display_name == expected
    for name in ("x" * 25, "x" * 10_000, "a\nb", "a\0b", "a\u202eb", "\u200b", "\u0301"):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="display_name"):
            await sign_in(stub, fresh_id(), name)
    for request_id in ("", "x" * 15, "x" * 101, "\n" * 20):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="request_id"):
            await sign_in(stub, request_id)


async def test_an_access_token_ends_when_it_says_and_a_refresh_token_gets_another(
    world: World,
) -> None:
    anna = await world.guest()
    world.clock.now = anna.tokens.access_expires_at_ms - 1
    await anna.mine()
    world.clock.advance(1)
    with refused(StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED"):
        await anna.mine()
    tokens = await refresh(anna.stub, anna.tokens.refresh_token)
    renewed = Guest(anna.stub, anna.player, tokens)
    await renewed.mine()
    assert tokens.access_expires_at_ms > world.clock()
    assert tokens.refresh_expires_at_ms > anna.tokens.refresh_expires_at_ms


async def test_a_lost_answer_may_be_asked_for_again_within_a_minute(world: World) -> None:
    anna = await world.guest()
    first = await refresh(anna.stub, anna.tokens.refresh_token)
    world.clock.advance(60_000)
    again = await refresh(anna.stub, anna.tokens.refresh_token)
    assert again.refresh_token != first.refresh_token
    for tokens in (first, again):
        assert (await refresh(anna.stub, tokens.refresh_token)).access_token


async def test_refreshing_at_the_same_time_signs_nobody_out(world: World) -> None:
    anna = await world.guest()
    answers = await asyncio.gather(
        *(refresh(anna.stub, anna.tokens.refresh_token) for _ in range(6))
    )
    for tokens in answers:
        await refresh(anna.stub, tokens.refresh_token)


async def test_a_copied_refresh_token_ends_all_that_descend_from_its_sign_in(
    world: World,
) -> None:
    stub, request_id = await world.stub(), fresh_id()
    old = (await sign_in(stub, request_id)).tokens.refresh_token
    other_device = (await sign_in(stub, request_id)).tokens.refresh_token
    new = (await refresh(stub, old)).refresh_token
    world.clock.advance(60_001)
    invalid = (StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
    with refused(*invalid):
        await refresh(stub, old)
    with refused(*invalid):
        await refresh(stub, new)
    assert await refresh(stub, other_device)


async def test_refresh_tokens_end_and_are_forgotten(world: World) -> None:
    anna = await world.guest()
    world.clock.now = anna.tokens.refresh_expires_at_ms
    with refused(StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED"):
        await refresh(anna.stub, anna.tokens.refresh_token)
    await world.sweep()
    with refused(StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED"):
        await refresh(anna.stub, anna.tokens.refresh_token)
    world.clock.advance(8 * DAY_MS)
    ben = await world.guest()
    await world.sweep()
    with refused(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"):
        await refresh(anna.stub, anna.tokens.refresh_token)
    await refresh(ben.stub, ben.tokens.refresh_token)


async def test_what_is_no_refresh_token_is_refused(world: World) -> None:
    anna = await world.guest()
    for token in ("", "x" * 43, "x" * 10_000, anna.tokens.access_token, "ünïcödé\0"):
        with refused(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"):
            await refresh(anna.stub, token)


async def test_calls_need_a_player_who_exists_here(world: World) -> None:
    anna = await world.guest()
    with refused(StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"):
        await anna.stub.GetTable(pb.GetTableRequest(table_id="0" * 32), timeout=20)
    foreign = KeyRing.generate().sign(
        anna.player.player_id, now_ms=world.clock(), expires_at_ms=world.clock() + HOUR_MS
    )
    ours = KeyRing.load(world.keys / "signing.json").sign(
        "nobody", now_ms=world.clock(), expires_at_ms=world.clock() + HOUR_MS
    )
    for token, status, reason in (
        (foreign, StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"),
        (anna.tokens.refresh_token, StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"),
        (ours, StatusCode.NOT_FOUND, "PLAYER_NOT_FOUND"),
    ):
        impostor = Guest(anna.stub, anna.player, pb.Tokens(access_token=token))
        with refused(status, reason):
            await impostor.mine()
        with refused(status, reason):
            await impostor.open(SELF, OPEN)


async def test_nothing_secret_is_stored_readable(world: World) -> None:
    stub, request_id = await world.stub(), fresh_id()
    answer = await sign_in(stub, request_id)
    stored = await world.dump()
    assert answer.player.player_id in stored
    assert request_id not in stored
    assert answer.tokens.refresh_token not in stored


async def test_a_message_over_the_limit_is_refused(world: World) -> None:
    stub = await world.stub()
    with refused(StatusCode.RESOURCE_EXHAUSTED, "TOO_LARGE"):
        await sign_in(stub, fresh_id(), "x" * 300_000)
    assert (await sign_in(stub, fresh_id())).player.player_id


async def test_services_have_no_tables(world: World) -> None:
    secret = read_secret(world.keys / "service.secret")
    token = ServiceTokens("ai", secret, world.clock).current()
    address = f"127.0.0.1:{world.service.server.internal_port}"
    async with grpc.aio.insecure_channel(address) as channel:
        nobody = Guest(MatchmakingServiceStub(channel), pb.Player(), pb.Tokens(access_token=token))
        with refused(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"):
            await nobody.mine()
