"""What both databases owe the service beyond playing: order, and honest failure."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import asyncpg
import pytest

from oddsocks.rules.v1 import rules_internal_service_pb2 as internal_pb2
from services.common.errors import RefusedError
from services.engine.core import registry
from services.rules.match import MatchInfo, Move, Occupant, Step, begin, play
from services.rules.store import Answer, Commit, Committed, Request
from services.rules.store.submit_sqlite import SqliteSubmit
from tests.contract.rules.test_once import first_move, reason_of
from tests.fixtures.peek import ANIMALS, RULESET
from tests.fixtures.rules import Rules, make_settings, refused, serving
from tests.fixtures.shelf import also_on_the_shelf


@pytest.fixture(autouse=True)
def peek_on_the_shelf() -> Iterator[None]:
    """A game that ends after a move or two."""
    with also_on_the_shelf("peek", "tests.fixtures.peek"):
        yield


async def test_matches_that_end_at_once_are_fed_without_gaps(rules: Rules) -> None:
    """A reader who goes on from each cursor misses none, however they race."""
    service, anna = rules.service("matchmaking"), rules.player("anna")
    matches = []
    for number in range(24):
        request = internal_pb2.CreateMatchRequest(request_id=f"peek-{number}", game="peek")
        for seat in (0, 1):
            request.seats.add(seat=seat, player_id="anna")
        matches.append((await service.call("CreateMatch", request)).match_id)
    seen: list[str] = []
    reading = asyncio.Event()

    async def read_feed() -> None:
        cursor = 0
        while len(seen) < len(matches):
            request = internal_pb2.ListFinishedMatchesRequest(cursor=cursor, page_size=3)
            page = await service.call("ListFinishedMatches", request)
            seen.extend(match.match_id for match in page.matches)
            assert page.cursor == cursor + len(page.matches), "numbered without gaps"
            cursor = page.cursor
            reading.set()

    async def end(match_id: str) -> None:
        for revision in (2, 3):
            result = await reason_of(
                anna.submit(match_id, 0, str(revision), revision, f"name:{ANIMALS[revision]}")
            )
            assert result in ("OK", "MATCH_FINISHED", "STALE_REVISION"), result

    feed = asyncio.create_task(read_feed())
    await reading.wait()
    await asyncio.gather(*map(end, matches))
    await asyncio.wait_for(feed, 30)
    assert Counter(seen) == Counter(matches)


async def test_a_look_sees_what_any_service_has_acknowledged(
    database_url: str, tmp_path: Path
) -> None:
    """Also what another service wrote a moment ago, and never another position than it says."""
    settings = make_settings(tmp_path / "keys", database_url)
    async with serving(settings) as (one, _), serving(settings) as (two, _):
        match_id = await one.new_match("anna", "anna")
        players = [one.player("anna"), two.player("anna")]
        for ply in range(12):
            writer, others = players[ply % 2], players[::-1] if ply % 2 else players
            seat, revision, text, _ = await first_move(writer, match_id)
            answer = await writer.submit(match_id, seat, str(ply), revision, text)
            seen = [await player.match(match_id) for player in others]
            assert [match.revision for match in seen] == [answer.revision] * 2
            assert seen[0].views == seen[1].views


async def locked(database: Path) -> sqlite3.Connection:
    """A connection that holds the write lock; the services may go on while it waits for it."""
    lock = sqlite3.connect(database, timeout=60, isolation_level=None, check_same_thread=False)
    await asyncio.to_thread(lock.execute, "BEGIN IMMEDIATE")
    return lock


async def test_a_locked_sqlite_is_unavailable_and_then_well_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.rules.store.submit_sqlite.BUSY_TIMEOUT_MS", 50)
    database = tmp_path / "rules.db"
    async with serving(make_settings(tmp_path / "keys", f"sqlite:///{database}")) as (rules, _):
        match_id = await rules.new_match("anna", "anna")
        anna = rules.player("anna")
        seat, revision, text, _ = await first_move(anna, match_id)
        lock = await locked(database)
        with refused("UNAVAILABLE"):
            await anna.submit(match_id, seat, "1", revision, text)
        assert (await anna.match(match_id)).revision == revision, "reading goes on"
        lock.execute("COMMIT")
        lock.close()
        assert (await anna.submit(match_id, seat, "1", revision, text)).revision == revision + 1


async def test_one_bad_item_does_not_spoil_its_batch(tmp_path: Path) -> None:
    """Items that wait together are written together, each behind a savepoint."""
    database = tmp_path / "rules.db"
    settings = make_settings(tmp_path / "keys", f"sqlite:///{database}")
    async with serving(settings) as (rules, _):
        ids = [await rules.new_match("anna", "anna") for _ in range(3)]
        anna = rules.player("anna")
        moves = [await first_move(anna, match_id) for match_id in ids]
        with sqlite3.connect(database) as connection:  # the middle one will collide with this
            connection.execute(
                "INSERT INTO events (match_id, revision, actor, action, committed_at_ms, origin)"
                " VALUES (?, ?, 0, '@e3', 0, '')",
                (ids[1], moves[1][1]),
            )
        connection.close()
        lock = await locked(database)  # so that they queue up behind it
        calls = [
            asyncio.create_task(reason_of(anna.submit(i, m[0], "1", m[1], m[2])))
            for i, m in zip(ids, moves, strict=True)
        ]
        await anna.match(ids[0])
        lock.execute("COMMIT")
        lock.close()
        assert await asyncio.gather(*calls) == ["OK", "UNAVAILABLE", "OK"]
        revisions = [(await rules.player("anna").match(i)).revision for i in (ids[0], ids[2])]
        assert revisions == [2, 2]


async def test_closing_finishes_what_is_on_its_way(tmp_path: Path) -> None:
    database = tmp_path / "rules.db"
    settings = make_settings(tmp_path / "keys", f"sqlite:///{database}")
    async with serving(settings) as (rules, _):
        request = internal_pb2.CreateMatchRequest(request_id="1", game="peek")
        for seat in (0, 1):
            request.seats.add(seat=seat, player_id="anna")
        made = await rules.service("matchmaking").call("CreateMatch", request)
    info = MatchInfo(
        made.match_id, RULESET, {}, (Occupant("A", "anna"), Occupant("A", "anna")), 1, "", b""
    )
    position = begin(info, lambda _, outcomes: outcomes[0].action, 0).after
    step = play(info, position, Move(0, 2, RULESET.parse_action("name:iguana")), _no_draw, 0)
    path = SqliteSubmit(str(database))
    commit = Commit(info, 2, step, Request("player:anna", "1"), Answer(b"p", b"r"), None)
    submitting = asyncio.create_task(path.submit(commit))
    await asyncio.sleep(0)  # it is queued
    await path.close()
    assert await submitting == Committed()
    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT revision FROM matches").fetchall() == [(3,)]
    connection.close()


async def test_an_item_that_cant_be_written_at_all_ends_nothing_but_itself(tmp_path: Path) -> None:
    """Whatever is wrong with it: the one thread that writes for everybody goes on."""
    database = tmp_path / "rules.db"
    settings = make_settings(tmp_path / "keys", f"sqlite:///{database}")
    async with serving(settings) as (rules, _):
        match_id = await rules.new_match("anna", "anna")
        anna, path = rules.player("anna"), SqliteSubmit(str(database))
        seats = (Occupant("A", "anna"), Occupant("A", "anna"))
        info = MatchInfo(match_id, RULESET, {}, seats, 1, "", b"")
        position = begin(info, lambda _, outcomes: outcomes[0].action, 0).after
        step = Step((), replace(position, acting_since_ms=2**64))  # no integer of SQLite's
        commit = Commit(info, 1, step, Request("player:anna", "1"), Answer(b"p", b"r"), None)
        for _ in range(2):
            with pytest.raises(RefusedError, match="try again"):
                await asyncio.wait_for(path.submit(commit), 10)
        await path.close()
        seat, revision, text, _ = await first_move(anna, match_id)
        assert (await anna.submit(match_id, seat, "1", revision, text)).revision == revision + 1


async def test_a_match_by_other_rules_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules change with a version; a stored history must not be replayed by the wrong ones."""
    settings = make_settings(tmp_path / "keys", f"sqlite:///{tmp_path}/rules.db")
    async with serving(settings) as (rules, _):
        match_id = await rules.new_match("anna", "ben")
    monkeypatch.setattr(type(registry.ruleset("socker")), "version", 99)
    async with serving(settings) as (rules, _):
        with refused("GAME_NOT_FOUND") as details:
            await rules.player("anna").match(match_id)
        assert "socker/1" in details["message"]


def _no_draw(number: int, outcomes: object) -> NoReturn:
    raise AssertionError(f"draw {number} of {outcomes}")


async def test_a_postgres_that_drops_its_connections_is_unavailable_then_well_again(
    fresh_postgres_url: str, tmp_path: Path
) -> None:
    async with serving(make_settings(tmp_path / "keys", fresh_postgres_url)) as (rules, _):
        match_id = await rules.new_match("anna", "anna")
        anna = rules.player("anna")
        connection = await asyncpg.connect(fresh_postgres_url)
        try:
            for ply in range(6):
                seat, revision, text, _ = await first_move(anna, match_id)
                await connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
                results: list[str] = []
                while not results or results[-1] != "OK":
                    call = anna.submit(match_id, seat, str(ply), revision, text)
                    results.append(await reason_of(call))
                    assert results[-1] in ("OK", "UNAVAILABLE"), results
                    assert len(results) < 12
        finally:
            await connection.close()
        assert (await anna.match(match_id)).revision == 7


@pytest.mark.field(43)
async def test_four_services_share_a_postgres_without_an_error(
    fresh_postgres_url: str, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path / "keys", fresh_postgres_url)
    async with (
        serving(settings) as (one, _),
        serving(settings) as (two, _),
        serving(settings) as (three, _),
        serving(settings) as (four, _),
    ):
        # Each service plays 5 matches of its own and 5 that another plays at the same time.
        shared = [await one.new_match("anna", "anna") for _ in range(5)]

        async def play(rules: Rules, match_id: str, plies: int) -> Counter[str]:
            anna, results = rules.player("anna"), Counter[str]()
            for _ in range(plies):
                seat, revision, text, _ = await first_move(anna, match_id)
                call = anna.submit(match_id, seat, f"{id(anna)}-{revision}", revision, text)
                results[await reason_of(call)] += 1
            return results

        work = []
        for rules in (one, two, three, four):
            own = [await rules.new_match("anna", "anna") for _ in range(5)]
            work += [play(rules, match_id, 20) for match_id in own + shared]
        total = sum(await asyncio.gather(*work), Counter[str]())
        assert set(total) <= {"OK", "STALE_REVISION"}, total
        assert sum(total.values()) == 800
        anna = one.player("anna")
        plies = [(await anna.match(match_id)).revision - 1 for match_id in shared]
        assert total["OK"] == 400 + sum(plies)
