"""Sweeps at the same moment, without the lease that keeps them apart."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest
import structlog
from sqlalchemy import insert, update
from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.clock import Clock
from services.common.database import connect
from services.common.errors import RefusedError
from services.rules import sweep
from services.rules.absence import TimeUp
from services.rules.cache import LocalNotices
from services.rules.life import EventKind
from services.rules.matches import Matches
from services.rules.store import Request, SubmitPath, unavailable
from services.rules.store.deadlines import passed
from services.rules.store.sql import SqlStore
from services.rules.store.submit_postgres import PostgresSubmit
from services.rules.store.submit_sqlite import SqliteSubmit
from services.rules.store.tables import EVENTS, MATCHES
from services.rules.sweep import ACCOUNT, Deadlines
from services.rules.wakes import Wakes
from tests.fixtures.absence import table
from tests.fixtures.rules import make_settings, serving
from tests.fixtures.sql import ManualClock

LIVE: Final[dict[str, Any]] = {"pace": "PACE_LIVE", "turn_seconds": 30, "reserve_seconds": 0}
TURN_MS: Final = 30_000


@contextlib.asynccontextmanager
async def process(engine: AsyncEngine, clock: Clock) -> AsyncIterator[Matches]:
    """What one process has of the matches."""
    path: SubmitPath
    if engine.dialect.name == "sqlite":
        path = SqliteSubmit(engine.url.database or "")
    else:
        path = await PostgresSubmit.connect(engine.url)
    matches = Matches(SqlStore(engine), path, LocalNotices(Wakes()), clock)
    try:
        yield matches
    finally:
        await matches.close()
        await path.close()


def ignored(applied: int, revision: int) -> bytes:
    return f"{applied} {revision}".encode()


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = connect(database_url)
    yield engine
    await engine.dispose()


@pytest.mark.field(10)
async def test_many_sweeps_at_once_act_once(
    database_url: str, tmp_path: Path, engine: AsyncEngine
) -> None:
    clock = ManualClock()
    async with serving(make_settings(tmp_path / "keys", database_url), clock=clock) as (rules, _):
        made = [(await table(rules, **LIVE))[0] for _ in range(30)]
    clock.advance(TURN_MS)
    async with process(engine, clock) as one, process(engine, clock) as other:
        sweeps = [Deadlines(engine, matches) for matches in (one, other, one, other)]
        await asyncio.gather(*(sweep.round() for sweep in sweeps))
        for match_id in made:
            events = await one.store.events(match_id, 0, 100)
            assert [event.kind for event in events] == [EventKind.ACTION, EventKind.SIT]
        # And there is no more to do.
        await sweeps[0].round()
        head = await one.store.head(made[0])
        assert head.revision == 2


async def test_nobody_is_timed_out_early_or_twice(
    database_url: str, tmp_path: Path, engine: AsyncEngine
) -> None:
    """Whatever a sweep that is behind the times believes."""
    clock = ManualClock()
    async with serving(make_settings(tmp_path / "keys", database_url), clock=clock) as (rules, _):
        match_id, _ = await table(rules, **LIVE)
    async with process(engine, clock) as matches:
        info = await matches.info(match_id)
        assert info is not None
        before = await matches.current(info)
        assert before.actor is not None
        late = TimeUp(before.actor, before.revision)

        async def time_up(request_id: str) -> None:
            await matches.submit(info, late, Request(ACCOUNT, request_id), ignored)

        clock.advance(TURN_MS - 1)
        with pytest.raises(RefusedError, match="not up"):
            await time_up("1")
        clock.advance(1)
        await time_up("1")
        await time_up("1")
        with pytest.raises(RefusedError, match="revision 2"):
            await time_up("2")
        assert (await matches.current(info)).revision == before.revision + 1


async def test_matches_that_cannot_be_acted_on_hold_up_no_others(
    database_url: str, tmp_path: Path, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More of them than one look finds, all with an earlier deadline."""
    monkeypatch.setattr(sweep, "BATCH", 2)
    clock = ManualClock()
    async with serving(make_settings(tmp_path / "keys", database_url), clock=clock) as (rules, _):
        old = [(await table(rules, **LIVE))[0] for _ in range(4)]
        clock.advance(1_000)
        match_id, _ = await table(rules, **LIVE)
    async with engine.begin() as db:
        await db.execute(update(MATCHES).where(MATCHES.c.match_id.in_(old)).values(clock="spoilt"))
    clock.advance(TURN_MS)
    async with process(engine, clock) as matches:
        await Deadlines(engine, matches).round()
        events = await matches.store.events(match_id, 0, 100)
        assert [event.kind for event in events] == [EventKind.ACTION, EventKind.SIT]


async def test_a_match_whose_events_are_not_taken_holds_up_no_others(
    database_url: str, tmp_path: Path, engine: AsyncEngine
) -> None:
    """There the database says no, and to that match only."""
    clock = ManualClock()
    async with serving(make_settings(tmp_path / "keys", database_url), clock=clock) as (rules, _):
        spoilt, _ = await table(rules, **LIVE)
        clock.advance(1_000)
        match_id, _ = await table(rules, **LIVE)
    clock.advance(TURN_MS)
    async with process(engine, clock) as matches:
        revision = (await matches.store.head(spoilt)).revision
        collides = {"match_id": spoilt, "revision": revision, "actor": 0, "action": "@e3"}
        async with engine.begin() as db:
            await db.execute(insert(EVENTS).values(**collides, committed_at_ms=0, origin=""))
        await Deadlines(engine, matches).round()
        events = await matches.store.events(match_id, 0, 100)
        assert [event.kind for event in events] == [EventKind.ACTION, EventKind.SIT]
        assert (await matches.store.head(spoilt)).revision == revision


async def test_a_round_ends_at_once_when_the_database_goes_away(
    database_url: str, tmp_path: Path, engine: AsyncEngine
) -> None:
    """Or each of many matches would wait for it."""
    clock = ManualClock()
    async with serving(make_settings(tmp_path / "keys", database_url), clock=clock) as (rules, _):
        made = [(await table(rules, **LIVE))[0] for _ in range(3)]
    clock.advance(TURN_MS)
    async with process(engine, clock) as matches:
        asked: list[str] = []

        async def away(match_id: str) -> NoReturn:
            asked.append(match_id)
            raise unavailable()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(matches.store, "info", away)
            patch.setattr(sweep, "passed", _one_answer(passed))
            with pytest.raises(RefusedError, match="try again"):
                await Deadlines(engine, matches).round()
        assert len(asked) == 1
        assert asked[0] in made


def _one_answer(real: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """What answers once, and then is away."""
    answered: list[Any] = []

    async def once(*what: Any) -> Any:
        if answered:
            raise unavailable()
        answered.append(await real(*what))
        return answered[0]

    return once


async def test_matches_by_unknown_rules_are_told_of_once_and_left_alone(
    database_url: str, tmp_path: Path, engine: AsyncEngine
) -> None:
    """Another version has them; this one looks at none of them, however long they are late."""
    clock = ManualClock()
    async with serving(make_settings(tmp_path / "keys", database_url), clock=clock) as (rules, _):
        others = [(await table(rules, **LIVE))[0] for _ in range(3)]
        match_id, _ = await table(rules, **LIVE)
    async with engine.begin() as db:
        of_others = MATCHES.c.match_id.in_(others)
        await db.execute(update(MATCHES).where(of_others).values(ruleset_version=9_999))
    clock.advance(TURN_MS)
    async with process(engine, clock) as matches:
        deadlines = Deadlines(engine, matches)
        with structlog.testing.capture_logs() as logs:
            for _ in range(3):
                await deadlines.round()
        events = await matches.store.events(match_id, 0, 100)
        assert [event.kind for event in events] == [EventKind.ACTION, EventKind.SIT]
    told = [line for line in logs if line["event"] != "time was up"]
    assert [(line["version"], line["matches"]) for line in told] == [(9_999, 3)]
    assert not any(match_id in str(line) for line in logs for match_id in others)
