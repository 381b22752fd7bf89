"""What rules is told of players: ended sessions at once, in every process; deleted accounts."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any

import grpc
import pytest
from sqlalchemy import update

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import players_internal_service_pb2 as pb
from oddsocks.rules.v1.players_internal_service_pb2_grpc import PlayersInternalServiceStub
from services.common.auth import KeyRing
from services.common.database import connect
from services.rules.match import MatchInfo
from services.rules.matches import Matches
from services.rules.store.sql import SqlStore
from services.rules.store.tables import MATCHES
from tests.fixtures.rules import (
    DAY_MS,
    Client,
    Rules,
    make_settings,
    new_match_request,
    refused,
    serving,
)


def signed(rules: Rules, player_id: str, generation: int = 0) -> Client:
    """A person whose token is of a generation."""
    now = rules.clock()
    ring = KeyRing.load(rules.keys / "signing.json")
    token = ring.sign(player_id, now_ms=now, expires_at_ms=now + DAY_MS // 2, generation=generation)
    return rules.caller(token)


async def tell(rules: Rules, request: Any, service: str = "matchmaking") -> None:
    """Tell rules something of a player."""
    client = rules.service(service)
    stub = PlayersInternalServiceStub(client.channel)
    method: Any = getattr(stub, type(request).__name__.removesuffix("Request"))
    await method(request, metadata=client.metadata, timeout=20)


async def sign_out(rules: Rules, player_id: str, generation: int) -> None:
    await tell(rules, pb.EndSessionsRequest(player_id=player_id, generation=generation))


async def forget(rules: Rules, player_id: str, generation: int = 1) -> None:
    request = pb.ForgetPlayerRequest(
        player_id=player_id, generation=generation, display_name="Guest"
    )
    await tell(rules, request)


async def test_tokens_from_before_a_sign_out_end_at_once(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "ben")
    old, ben = signed(rules, "anna"), signed(rules, "ben")
    await old.match(match_id)
    await sign_out(rules, "anna", 1)
    for _ in range(2):
        with refused("TOKEN_INVALID"):
            await old.match(match_id)
        await sign_out(rules, "anna", 1)  # told again
    await ben.match(match_id)
    new = signed(rules, "anna", 1)
    await new.match(match_id)
    await sign_out(rules, "anna", 2)
    await sign_out(rules, "anna", 1)  # an old message that comes late takes nothing back
    with refused("TOKEN_INVALID"):
        await new.match(match_id)
    await signed(rules, "anna", 2).match(match_id)


async def test_an_open_stream_tells_a_signed_out_device_nothing_more(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "ben")
    anna, ben = signed(rules, "anna"), signed(rules, "ben")
    stream = anna.watch(match_id)
    first = await asyncio.wait_for(stream.read(), 20)
    assert first.WhichOneof("update") in ("event", "match")
    await sign_out(rules, "anna", 1)
    await ben.wish("Resign", match_id, 1, "1")
    with refused("TOKEN_INVALID"):
        while True:
            update = await asyncio.wait_for(stream.read(), 60)
            # The match as it was may still be on its way, nothing that came after.
            assert not update.HasField("finished")
            assert not update.match.outcome.reason


async def test_the_other_processes_on_the_database_learn_it_within_seconds(
    database_url: str, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings) as (one, _), serving(settings) as (other, _):
        match_id = await one.new_match("anna", "ben")
        anna = signed(other, "anna")
        assert names(await signed(other, "ben").match(match_id)) == ["anna", "ben"]
        await sign_out(one, "anna", 1)
        async with asyncio.timeout(60):
            while True:
                try:
                    await anna.match(match_id)
                except grpc.aio.AioRpcError:
                    break
                await asyncio.sleep(0.1)
        with refused("TOKEN_INVALID"):
            await anna.match(match_id)
        await forget(one, "anna", 2)
        ben = signed(other, "ben")
        async with asyncio.timeout(60):
            while names(await ben.match(match_id)) != ["Guest", "ben"]:  # noqa: ASYNC110  # no event here
                await asyncio.sleep(0.1)
    async with serving(settings) as (again, _):  # and those that start later
        with refused("TOKEN_INVALID"):
            await signed(again, "anna").match(match_id)


def names(match: play_pb2.Match) -> list[str]:
    return [seat.display_name for seat in match.seats]


async def test_an_open_stream_forgets_a_name_as_well(rules: Rules) -> None:
    """It may stay open for a day."""
    match_id = await rules.new_match("anna", "ben")
    stream = rules.player("ben").watch(match_id)
    seen: list[list[str]] = []
    while len(seen) < 2:
        update = await asyncio.wait_for(stream.read(), 20)
        if update.HasField("match"):
            seen.append(names(update.match))
            if len(seen) == 1:
                await forget(rules, "anna")
    assert seen == [["anna", "ben"], ["Guest", "ben"]]


async def test_a_deleted_account_leaves_a_nameless_seat_and_stalls_no_match(rules: Rules) -> None:
    ben = rules.player("ben")
    running = await rules.new_match("anna", "ben")
    family = await rules.new_match("anna", "anna")
    over = await rules.new_match("ben", "anna")
    await ben.wish("Resign", over, 0, "1")
    others = await rules.new_match("ben", "ben")
    before = [await ben.match(match_id) for match_id in (over, others)]
    for _ in range(2):
        await forget(rules, "anna")
        match = await ben.match(running)
        assert names(match) == ["Guest", "ben"]
        assert match.seats[0].player_id == "anna", "an id says nothing of anybody"
        assert match.status == play_pb2.MATCH_STATUS_FINISHED
        assert list(match.outcome.winners) == [1]
    assert names(await ben.match(over)) == ["ben", "Guest"]
    assert (await ben.match(over)).outcome == before[0].outcome
    assert await ben.match(others) == before[1]
    anna = signed(rules, "anna", 1)
    alone = await anna.match(family)
    assert names(alone) == ["Guest", "Guest"]
    assert alone.status == play_pb2.MATCH_STATUS_FINISHED
    assert "anna" not in [seat.display_name for seat in (await anna.match(running)).seats]


async def test_no_request_of_a_player_keeps_their_deleted_account_at_a_table(rules: Rules) -> None:
    """Whatever request ids they used before."""
    match_id = await rules.new_match("anna", "ben")
    anna = rules.player("anna")
    for number, request_id in enumerate(("account deleted, seat 0", "account deleted:anna:0")):
        match = await anna.match(match_id)
        if number == 0:
            await anna.wish("OfferEnd", match_id, 0, request_id)
        else:
            await anna.wish(
                "AnswerAsk", match_id, 0, request_id, ask_revision=match.revision - 1, agree=False
            )
    await forget(rules, "anna")
    match = await rules.player("ben").match(match_id)
    assert match.status == play_pb2.MATCH_STATUS_FINISHED


async def test_a_match_by_rules_of_another_version_keeps_nobody_from_being_forgotten(
    database_url: str, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings) as (rules, _):
        made = [await rules.new_match("anna", "ben") for _ in range(3)]
    engine = connect(database_url)
    async with engine.begin() as db:
        of_old_rules = MATCHES.c.match_id == min(made)
        await db.execute(update(MATCHES).where(of_old_rules).values(ruleset_version=9_999))
    await engine.dispose()
    async with serving(settings) as (rules, _):
        await forget(rules, "anna")
        for match_id in sorted(made)[1:]:
            match = await rules.player("ben").match(match_id)
            assert names(match) == ["Guest", "ben"]
            assert match.status == play_pb2.MATCH_STATUS_FINISHED


async def test_a_match_that_was_being_made_during_the_deletion_has_no_name_either(
    rules: Rules,
) -> None:
    await forget(rules, "anna")
    request = new_match_request("1", "anna", "ben")
    matchmaking = rules.service("matchmaking")
    made = await matchmaking.call("CreateMatch", request)
    match = await rules.player("ben").match(made.match_id)
    assert names(match) == ["Guest", "ben"]
    assert match.status == play_pb2.MATCH_STATUS_FINISHED
    # Matchmaking has forgotten the name by the time it asks again.
    request.seats[0].display_name = "Guest"
    assert (await matchmaking.call("CreateMatch", request)).match_id == made.match_id


async def test_another_process_makes_no_match_with_the_name_of_a_deleted_account(
    database_url: str, tmp_path: Path
) -> None:
    """Also before it has heard of it."""
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings) as (one, _), serving(settings) as (two, _):
        await forget(one, "anna")
        match_id = await two.new_match("anna", "ben")
        match = await two.player("ben").match(match_id)
        assert names(match) == ["Guest", "ben"]
        assert match.status == play_pb2.MATCH_STATUS_FINISHED


async def test_a_match_that_is_read_during_the_deletion_shows_no_name_later(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await rules.new_match("anna", "ben")
    read, reading, go_on = SqlStore.info, asyncio.Event(), asyncio.Event()

    async def slowly(store: SqlStore, match_id: str) -> MatchInfo | None:
        info = await read(store, match_id)
        reading.set()
        await go_on.wait()
        return info

    for matches in (one for one in gc.get_objects() if type(one) is Matches):
        matches.forget_names("anna")  # nothing is in memory now
    ben = rules.player("ben")
    with monkeypatch.context() as patched:
        patched.setattr(SqlStore, "info", slowly)
        looking = asyncio.create_task(ben.match(match_id))
        await reading.wait()
    await forget(rules, "anna")
    go_on.set()
    await looking
    assert names(await ben.match(match_id)) == ["Guest", "ben"]


async def test_only_matchmaking_speaks_of_players(rules: Rules) -> None:
    for request in (
        pb.EndSessionsRequest(player_id="anna", generation=1),
        pb.ForgetPlayerRequest(player_id="anna", generation=1, display_name="Guest"),
    ):
        with refused("TOKEN_INVALID"):
            await tell(rules, request, "ai")
    with refused("INVALID_FIELD") as details:
        await sign_out(rules, "", 1)
    assert details["field"] == "player_id"
    with refused("INVALID_FIELD") as details:
        await sign_out(rules, "anna", -1)
    assert details["field"] == "generation"
    with refused("INVALID_FIELD") as details:
        await tell(rules, pb.ForgetPlayerRequest(player_id="anna", generation=1))
    assert details["field"] == "display_name"
