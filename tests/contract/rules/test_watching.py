"""Following a match: everything once and in order, alive, and to a clean end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.engine.core.registry import ruleset
from services.wire.actions import action_from_message
from tests.fixtures.local import fresh_redis_url
from tests.fixtures.rules import Client, Rules, make_settings, refused, serving

SOCKER = ruleset("socker")
__all__ = ["fresh_redis_url"]


async def play_random(client: Client, match_id: str, rng: random.Random, plies: int) -> None:
    """Play at random on one device, at most so many plies."""
    for _ in range(plies):
        match = await client.match(match_id)
        if not match.HasField("actor"):
            return
        legal = next(view.legal_actions for view in match.views if view.seat == match.actor)
        text = SOCKER.format_action(action_from_message(SOCKER, rng.choice(list(legal))))
        await client.submit(match_id, match.actor, str(match.revision), match.revision, text)


async def updates(stream: Any, until: str = "finished") -> list[tuple[str, Any]]:
    """Everything up to and with the first update of a kind."""
    seen = []
    async for answer in stream:
        kind = answer.WhichOneof("update")
        seen.append((kind, getattr(answer, kind)))
        if kind == until:
            break
    return seen


def check_order(seen: list[tuple[str, Any]], start: int) -> None:
    """Each event once and in order, each match after the events that lead to it."""
    revision = start
    for kind, update in seen:
        if kind == "event":
            assert update.revision == revision
            revision += 1
        elif kind == "match":
            assert update.revision == revision


async def test_a_watcher_sees_a_whole_match(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "anna", turn_limit=2, sudden_cap=1)
    anna = rules.player("anna")
    early = asyncio.create_task(updates(anna.watch(match_id)))
    await play_random(anna, match_id, random.Random(3), 10_000)
    seen = await asyncio.wait_for(early, 20)
    check_order(seen, 0)
    match = await anna.match(match_id)
    kinds = [kind for kind, _ in seen]
    assert kinds[-2:] == ["match", "finished"]
    assert seen[-1][1].outcome == match.outcome
    assert seen[-2][1] == match
    assert kinds.count("event") == match.revision
    # Back after the end: the terminal answer, and the stream is over.
    late = anna.watch(match_id, match.revision - 2)
    again = [answer.WhichOneof("update") async for answer in late]
    assert again == ["event", "event", "match", "finished"]


async def test_a_dropped_stream_goes_on_where_it_was(rules: Rules) -> None:
    match_id = await rules.new_match("anna", "anna")
    anna = rules.player("anna")
    stream = anna.watch(match_id, 1)
    assert (await updates(stream, "match"))[-1][1].revision == 1
    stream.cancel()
    await play_random(anna, match_id, random.Random(3), 2)
    seen = await updates(anna.watch(match_id, 1), "match")
    assert [kind for kind, _ in seen] == ["event", "event", "match"]
    check_order(seen, 1)


async def test_a_revision_that_is_not_there_yet_can_not_be_followed(sqlite_rules: Rules) -> None:
    match_id = await sqlite_rules.new_match("anna", "ben")
    anna = sqlite_rules.player("anna")
    for wrong in (2, -1, 2**62):
        with refused("INVALID_FIELD") as details:
            await anna.watch(match_id, wrong).read()
        assert details["field"] == "from_revision"
    with refused("NOT_YOUR_SEAT"):
        await anna.watch(match_id, 0, 1).read()
    with refused("MATCH_NOT_FOUND"):
        await sqlite_rules.player("carla").watch(match_id).read()


async def test_silence_is_broken_by_heartbeats(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rules.db"
    settings = make_settings(tmp_path / "keys", url, heartbeat_seconds=0.05)
    async with serving(settings) as (rules, _):
        anna = rules.player("anna")
        stream = anna.watch(await rules.new_match("anna", "ben"), 1)
        kinds = [(await stream.read()).WhichOneof("update") for _ in range(4)]
        assert kinds == ["match", "heartbeat", "heartbeat", "heartbeat"]
        stream.cancel()


async def test_heartbeats_come_every_20_seconds_by_default(tmp_path: Path) -> None:
    assert make_settings(tmp_path, "sqlite:///x.db").heartbeat_seconds == 20


@pytest.mark.field(26)
async def test_streams_end_cleanly_when_the_server_drains(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/rules.db"
    async with serving(make_settings(tmp_path / "keys", url)) as (rules, server):
        match_id = await rules.new_match("anna", "ben")
        anna = rules.player("anna")
        streams = [anna.watch(match_id, 1) for _ in range(20)]
        for stream in streams:
            assert (await stream.read()).WhichOneof("update") == "match"
        await asyncio.wait_for(server.stop(5), 5)
        for stream in streams:
            assert await stream.read() is grpc.aio.EOF
            assert await stream.code() is grpc.StatusCode.OK


async def test_streams_leave_nothing_behind(tmp_path: Path) -> None:
    """Row 22's server half: whoever goes away is forgotten."""
    url = f"sqlite:///{tmp_path}/rules.db"
    async with serving(make_settings(tmp_path / "keys", url)) as (rules, _):
        match_id = await rules.new_match("anna", "ben")
        anna = rules.player("anna")
        before = len(asyncio.all_tasks())
        for _ in range(50):
            stream = anna.watch(match_id, 1)
            await stream.read()
            stream.cancel()
        # The service's own work has a task more or less, by what it is at just then; fifty streams
        # that left anything would have left fifty.
        async with asyncio.timeout(10):
            while len(asyncio.all_tasks()) > before + 5:  # noqa: ASYNC110 - nobody announces it
                await asyncio.sleep(0.01)


@pytest.fixture(params=["redis", "none"])
async def two_services(
    request: pytest.FixtureRequest, tmp_path: Path, redis_of_this_run: str
) -> AsyncIterator[tuple[Rules, Rules]]:
    """Two services on one database, with and without a Redis to wake each other."""
    redis = redis_of_this_run if request.param == "redis" else ""
    settings = make_settings(tmp_path / "keys", f"sqlite:///{tmp_path}/rules.db", redis_url=redis)
    async with serving(settings) as (one, _), serving(settings) as (two, _):
        yield one, two


@pytest.fixture
def redis_of_this_run(fresh_redis_url: str) -> str:
    """The run's Redis; by a synchronous name, so that no fixture of a loop has to start it."""
    return fresh_redis_url


async def test_a_watcher_of_another_process_sees_it_all(
    two_services: tuple[Rules, Rules],
) -> None:
    one, two = two_services
    match_id = await one.new_match("anna", "anna", turn_limit=1, sudden_cap=1)
    watching = asyncio.create_task(updates(two.player("anna").watch(match_id)))
    await play_random(one.player("anna"), match_id, random.Random(5), 10_000)
    seen = await asyncio.wait_for(watching, 20)
    check_order(seen, 0)
    assert seen[-1][0] == "finished"


async def test_every_page_of_a_history_is_signed_for_its_list(sqlite_rules: Rules) -> None:
    match_id = await sqlite_rules.new_match("anna", "anna")
    other = await sqlite_rules.new_match("anna", "ben")
    anna = sqlite_rules.player("anna")
    await play_random(anna, match_id, random.Random(5), 5)
    request = rules_pb2.ListEventsRequest(match_id=match_id, page_size=2)
    first = await anna.call("ListEvents", request)
    assert [event.revision for event in first.events] == [0, 1]
    assert await anna.events(match_id, 2) == await anna.events(match_id)
    assert len(await anna.events(match_id, 2)) == 6
    for forged in ("x", first.next_page_token[:-4] + "AAAA", "A" * 10_000, "é"):
        request.page_token = forged
        with refused("INVALID_PAGE_TOKEN"):
            await anna.call("ListEvents", request)
    with refused("INVALID_PAGE_TOKEN"):
        await anna.call(
            "ListEvents",
            rules_pb2.ListEventsRequest(match_id=other, page_token=first.next_page_token),
        )


@pytest.mark.field(25)
async def test_a_history_of_2000_plies_comes_in_pages(sqlite_rules: Rules) -> None:
    match_id = await sqlite_rules.new_match("anna", "anna", goals_to_win=9, turn_cap=500)
    anna = sqlite_rules.player("anna")
    rng, match = random.Random(11), await anna.match(match_id)
    state = SOCKER.parse_state(match.views[0].observation.socker.position)
    for revision in range(1, 2_000):  # chance would toss again only for sudden death
        action = rng.choice(SOCKER.legal_actions(state))
        text, seat = SOCKER.format_action(action), SOCKER.actor(state)
        assert seat in (0, 1)
        await anna.submit(match_id, seat, str(revision), revision, text)
        state = SOCKER.apply(state, action)
    match = await anna.match(match_id)
    assert match.revision >= 2_000
    events = await anna.events(match_id, 500)
    assert [event.revision for event in events] == list(range(match.revision))
    seen = await updates(anna.watch(match_id), "match")
    assert [update for kind, update in seen if kind == "event"] == events
    actions = {event.actor: type(event.action) for event in events}
    assert set(actions) == {-1, 0, 1}
    assert set(actions.values()) == {play_pb2.Action}


async def test_nobody_opens_streams_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each costs memory for hours, and calls are counted only when they begin."""
    monkeypatch.setattr("services.common.gate.MOST_STREAMS", 3)
    url = f"sqlite:///{tmp_path}/rules.db"
    async with serving(make_settings(tmp_path / "keys", url)) as (rules, _):
        match_id = await rules.new_match("anna", "ben")
        anna, ben = rules.player("anna"), rules.player("ben")
        streams = [anna.watch(match_id, 1) for _ in range(3)]
        for stream in streams:
            assert (await stream.read()).HasField("match")
        with refused("RATE_LIMITED"):
            await anna.watch(match_id, 1).read()
        await updates(ben.watch(match_id, 1), "match")
        await anna.match(match_id)
        streams.pop().cancel()
        async with asyncio.timeout(60):
            while True:
                try:
                    await updates(anna.watch(match_id, 1), "match")
                except grpc.aio.AioRpcError:
                    await asyncio.sleep(0.05)
                else:
                    break
        for stream in streams:
            stream.cancel()
