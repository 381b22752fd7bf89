"""How many watch: people, not sockets; and what becomes of streams that broke."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from oddsocks.play.v1 import play_pb2
from services.common.database import connect, migrate
from services.rules.service import MIGRATIONS
from services.rules.store.watchers import WatchersSql
from services.rules.watchers import LAPSE_MS, Watchers
from tests.contract.rules.test_beside import move
from tests.fixtures.rules import Client, Rules, make_settings, new_match_request, serving
from tests.fixtures.sql import ManualClock

PATIENCE_S = 60.0


class Wire:
    """A connection that can fall silent without being closed, as when a phone leaves its Wi-Fi."""

    def __init__(self) -> None:
        self._on = asyncio.Event()
        self._on.set()
        self._tasks: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def to(self, address: str) -> AsyncIterator[str]:
        """An address that leads to another one."""
        host, _, port = address.rpartition(":")
        writers: list[asyncio.StreamWriter] = []

        async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError):
                while data := await source.read(65_536):
                    await self._on.wait()
                    sink.write(data)
                    await sink.drain()
            # An end is news as well, and does not get through either.
            await self._on.wait()
            with contextlib.suppress(OSError):
                sink.write_eof()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, back = await asyncio.open_connection(host, int(port))
            writers.extend((writer, back))
            for pair in ((reader, back), (there, writer)):
                task = asyncio.create_task(carry(*pair))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        try:
            yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for writer in writers:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
            await server.wait_closed()

    def fall_silent(self) -> None:
        """Carry nothing any more, and close nothing."""
        self._on.clear()


async def new_match(rules: Rules, *seats: str, host: str = "", spectators: bool = False) -> str:
    request = new_match_request(uuid.uuid4().hex, *seats, host=host)
    request.rules.CopyFrom(play_pb2.TableRules(spectators=spectators))
    return str((await rules.service("matchmaking").call("CreateMatch", request)).match_id)


async def told(stream: Any, watchers: int) -> int:
    """Read a stream until it tells this number; how many updates it took."""
    async with asyncio.timeout(PATIENCE_S):
        for count in range(1_000):
            update = await stream.read()
            assert update is not grpc.aio.EOF
            kind = update.WhichOneof("update")
            if kind in ("match", "heartbeat") and getattr(update, kind).watchers == watchers:
                return count
    raise AssertionError(f"never told of {watchers} watchers")


async def settled(client: Client, match_id: str, watchers: int) -> None:
    """GetMatch tells this number, sooner or later."""
    async with asyncio.timeout(PATIENCE_S):
        while (await client.match(match_id)).watchers != watchers:  # noqa: ASYNC110  # ask to know
            await asyncio.sleep(0.05)


@pytest.mark.field(9)
async def test_a_spectator_who_reconnects_uncleanly_is_one_and_then_none(
    database_url: str, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path / "keys", database_url, keepalive_seconds=1.0)
    async with serving(settings) as (rules, _), contextlib.AsyncExitStack() as wires:
        match_id = await new_match(rules, "anna", "ben", host="carla")
        anna, token = rules.player("anna"), rules.player("carla").token
        stream = anna.watch(match_id)
        await told(stream, 0)
        for attempt in range(4):
            wire = Wire()
            address = await wires.enter_async_context(wire.to(rules.public))
            options = (("grpc.use_local_subchannel_pool", 1),)
            carla = Client(grpc.aio.insecure_channel(address, options), token)
            wires.push_async_callback(carla.channel.close)
            following = carla.watch(match_id)
            assert await told(following, 1) >= 0
            assert (await anna.match(match_id)).watchers == 1, f"attempt {attempt}"
            wire.fall_silent()
        await told(stream, 1)
        await told(stream, 0)
        assert (await anna.match(match_id)).watchers == 0
        stream.cancel()


async def test_people_are_counted_once_through_whatever_process(
    database_url: str, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings) as (one, _), serving(settings) as (two, _):
        match_id = await new_match(one, "anna", "ben", spectators=True)
        streams = {
            (name, place): (one, two)[place].player(name).watch(match_id)
            for name in ("dora", "emil")
            for place in (0, 1)
        }
        for stream in streams.values():
            await stream.read()
        for rules in (one, two):
            await settled(rules.player("anna"), match_id, 2)
        # Who plays is no watcher.
        playing = two.player("anna").watch(match_id)
        await told(playing, 2)
        streams["dora", 0].cancel()
        streams["emil", 0].cancel()
        streams["emil", 1].cancel()
        await told(playing, 1)
        await settled(one.player("ben"), match_id, 1)
        streams["dora", 1].cancel()
        await told(playing, 0)
        playing.cancel()


async def test_who_gives_a_seat_up_and_stays_is_a_watcher(rules: Rules) -> None:
    request = new_match_request(uuid.uuid4().hex, "anna", "ben", "carla")
    request.game = "hide_and_seek"
    match_id = (await rules.service("matchmaking").call("CreateMatch", request)).match_id
    ben, anna = rules.player("ben"), rules.player("anna")
    stream = ben.watch(match_id)
    await told(stream, 0)
    await ben.wish("Resign", match_id, 1, "go")
    await told(stream, 1)
    await settled(anna, match_id, 1)
    stream.cancel()
    await settled(anna, match_id, 0)


async def test_watchers_of_a_process_that_is_gone_lapse(database_url: str) -> None:
    engine, clock = connect(database_url), ManualClock()
    await migrate(engine, MIGRATIONS)
    changed = asyncio.Event()
    try:
        async with serving_match(engine) as match_id:
            dead, other = WatchersSql(engine, "dead"), WatchersSql(engine, "other")
            await dead.put((match_id, "dora"), clock(), here=True)
            await other.put((match_id, "dora"), clock(), here=True)
            await dead.put((match_id, "emil"), clock(), here=True)
            assert await other.counts() == {match_id: 2}
            clock.advance(LAPSE_MS + 1)
            watchers = Watchers(other, clock, lambda _: changed.set())
            async with watchers.watching(match_id, "fred"), watchers.running():
                async with asyncio.timeout(PATIENCE_S):
                    while watchers.count(match_id) != 1:
                        await changed.wait()
                        changed.clear()
                assert await other.counts(match_id) == {match_id: 1}
                # A process that was only asleep finds its rows gone, and writes them again.
                await dead.beat([(match_id, "dora"), (match_id, "emil")], clock(), 0)
                assert await other.counts(match_id) == {match_id: 3}
            # Nothing is left behind that would still be writing when the database is let go.
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert await dead.counts(match_id) == {match_id: 2}
            await dead.put((match_id, "emil"), clock(), here=False)
            await dead.beat([], clock(), 0)
            assert await dead.counts() == {}
    finally:
        await engine.dispose()


@contextlib.asynccontextmanager
async def serving_match(engine: Any) -> AsyncIterator[str]:
    """The id of a row in `matches`, which is all that watchers need of one."""
    match_id = uuid.uuid4().hex
    async with engine.begin() as db:
        await db.exec_driver_sql(
            "INSERT INTO matches (match_id, game, ruleset_version, options, pace, host_player_id,"
            f" seed, created_at_ms, revision, draws, acting_since_ms) VALUES ('{match_id}',"
            " 'socker', 1, '{}', 1, '', '', 0, 0, 0, 0)"
        )
    yield match_id


@pytest.mark.field(6)
async def test_coming_back_to_a_finished_match_ends_in_one_answer(rules: Rules) -> None:
    match_id = await new_match(rules, "anna", "ben", host="carla")
    clients = {name: rules.player(name) for name in ("anna", "ben", "carla")}
    seat = (await clients["anna"].match(match_id)).actor
    # The one to act leaves: everybody's stream ends, and says how the match did.
    streams = {name: client.watch(match_id) for name, client in clients.items()}
    readers = {name: stream.__aiter__() for name, stream in streams.items()}
    for reader in readers.values():
        assert (await anext(reader)).HasField("event")
    leaver = ("anna", "ben")[seat]
    await clients[leaver].wish("Resign", match_id, seat, "go")
    for name, stream in streams.items():
        seen = [update async for update in readers[name]]
        assert [update.WhichOneof("update") for update in seen[-3:]] == [
            "event",
            "match",
            "finished",
        ]
        assert list(seen[-1].finished.outcome.winners) == [1 - seat]
        assert await stream.code() is grpc.StatusCode.OK
    for client in clients.values():
        for start in range(3):
            seen = [update async for update in client.watch(match_id, start)]
            kinds = [update.WhichOneof("update") for update in seen]
            assert kinds == ["event"] * (2 - start) + ["match", "finished"]
            assert seen[-2].match.status == play_pb2.MATCH_STATUS_FINISHED


@pytest.mark.field(6)
async def test_a_stream_that_dropped_over_two_events_tells_both_once(rules: Rules) -> None:
    match_id = await new_match(rules, "anna", "anna")
    anna = rules.player("anna")
    for lost in (("move", "undo"), ("undo", "move"), ("move", "move")):
        before = await move(anna, match_id)
        match = await anna.match(match_id)
        stream = anna.watch(match_id, match.revision)
        assert (await stream.read()).match.revision == match.revision
        stream.cancel()
        for step in lost:
            now = await anna.match(match_id)
            if step == "move":
                await move(anna, match_id)
                continue
            await anna.wish(
                "UndoAction",
                match_id,
                before[0],
                uuid.uuid4().hex,
                expected_revision=now.revision,
            )
        stream = anna.watch(match_id, match.revision)
        told_of = [await stream.read() for _ in range(3)]
        assert [update.WhichOneof("update") for update in told_of] == ["event", "event", "match"]
        assert [u.event.revision for u in told_of[:2]] == [match.revision, match.revision + 1]
        assert [u.event.HasField("control") for u in told_of[:2]] == [
            step == "undo" for step in lost
        ]
        stream.cancel()
