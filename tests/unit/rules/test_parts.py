"""Page tokens, bells and cached copies: the small parts."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.database import connect, migrate
from services.common.errors import RefusedError
from services.common.transactions import kind_of
from services.rules import cache
from services.rules.paging import Pages
from services.rules.service import MIGRATIONS
from services.rules.store import Head, Snapshot
from services.rules.store.tables import METADATA
from services.rules.wakes import Wakes
from tests.fixtures.local import fresh_postgres_url
from tests.fixtures.sql import database_url

__all__ = ["database_url", "fresh_postgres_url"]

PAGES = Pages("s" * 32)


def test_a_page_token_is_good_for_its_list_only() -> None:
    token = PAGES.token("events m (0,)", 200)
    assert PAGES.read("events m (0,)", token) == [200]
    assert Pages("s" * 32).read("events m (0,)", token) == [200], "in another process, too"
    assert PAGES.read("events m (0,)", "") is None
    for pages, listing in ((PAGES, "events m (1,)"), (Pages("t" * 32), "events m (0,)")):
        with pytest.raises(RefusedError) as caught:
            pages.read(listing, token)
        assert caught.value.reason == ErrorReason.ERROR_REASON_INVALID_PAGE_TOKEN


@pytest.mark.parametrize("forged", ["x", "====", "é", "A" * 24, "A" * 10_000, " ", "W10="])
def test_a_forged_page_token_is_refused(forged: str) -> None:
    with pytest.raises(RefusedError):
        PAGES.read("waiting", forged)


def head(match_id: str, revision: int) -> Head:
    return Head(match_id, revision, 0, 0, 0, None)


async def test_a_bell_rings_for_its_match_only() -> None:
    wakes = Wakes()
    with wakes.listen("a") as one, wakes.listen("a") as two, wakes.listen("b") as other:
        wakes.announce("a", 3)
        wakes.announce("unwatched", 9)
        assert await one.wait(10)
        assert await two.wait(10)
        assert (one.revision, two.revision, other.revision) == (3, 3, 0)
        assert not await other.wait(0)
        assert not await one.wait(0), "rung once"
        assert wakes.watchers() == 3
        wakes.ring_all()
        assert await other.wait(10)
    assert wakes.watchers() == 0


async def test_sql_is_asked_about_all_watched_matches_at_once() -> None:
    wakes, asked = Wakes(), []

    async def heads(match_ids: Sequence[str]) -> Mapping[str, Head]:
        asked.append(len(match_ids))
        return {match_id: head(match_id, 2) for match_id in match_ids if match_id != "m7"}

    with wakes.listen("m7") as unknown, wakes.listen("m8") as stale, wakes.listen("m9") as fresh:
        fresh.revision = 2
        await wakes.look(heads)
        assert asked == [3]
        assert await stale.wait(10)
        assert stale.revision == 2
        assert not await unknown.wait(0)
        assert not await fresh.wait(0)
    await wakes.look(heads)
    assert asked == [3], "nobody watches, nothing is asked"


async def test_a_database_that_is_away_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.rules.wakes.POLL_AWAY_S", 0)
    wakes, tries = Wakes(), 0

    async def heads(match_ids: Sequence[str]) -> Mapping[str, Head]:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise RefusedError(ErrorReason.ERROR_REASON_UNAVAILABLE, "away")
        return {match_id: head(match_id, 5) for match_id in match_ids}

    with wakes.listen("m") as bell:
        polling = asyncio.create_task(wakes.poll(heads, lambda: False))
        assert await bell.wait(10)
        assert bell.revision == 5
        polling.cancel()
        await asyncio.wait({polling})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        "[1, 2, 3]",
        '[1, 2, 3, "p"]',
        '["1", 2, 3, "p", "{}"]',
        '[1, 2, 3, 4, "{}"]',
        '[1, 2, 3, "p", {}]',
        '[1, 2, 3, "p", "[]"]',
        '[1, 2, 3, "p", "{\\"states\\": [9]}"]',
        '[1, 2, 3, "p", "{\\"ask\\": 1}"]',
        "[" * 9_999,
    ],
)
def test_what_is_no_copy_of_a_position_is_ignored(text: str) -> None:
    assert cache._load(text) is None


def test_a_copy_is_read_back() -> None:
    assert cache._load('[4, 1, 1000, "p", "{}"]') == Snapshot(4, 1, 1000, "p")


async def test_the_migrations_make_the_tables_that_the_code_uses(database_url: str) -> None:
    engine = connect(database_url)

    def differences(connection: Connection) -> object:
        return compare_metadata(MigrationContext.configure(connection), METADATA)

    try:
        await migrate(engine, MIGRATIONS)
        await migrate(engine, MIGRATIONS)  # a second start changes nothing
        async with engine.connect() as connection:
            assert await connection.run_sync(differences) == []
    finally:
        await engine.dispose()


def test_sqlite_is_asked_for_a_folder_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="make it first"):
        connect(f"sqlite:///{tmp_path}/no/rules.db")


def test_what_a_driver_quotes_stays_out_of_the_log() -> None:
    quoting = asyncpg.DataError("invalid input for query argument $15: '@e3'")
    full = sqlite3.OperationalError("near 'zebra'")
    full.__cause__ = quoting
    quoting.sqlstate = "22000"
    assert kind_of(full) == "OperationalError < DataError(22000)"
