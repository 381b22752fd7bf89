"""A stream that begins just when another process commits."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from services.common.database import connect
from services.rules.life import EventKind
from services.rules.match import MatchEvent
from services.rules.store import Head, Request
from services.rules.store.watchers import WatchersSql
from services.rules.wakes import Wakes
from services.rules.watch import Watching
from services.rules.watchers import Watchers
from services.rules.wishes import OfferEnd
from tests.contract.rules.test_sweep import ignored, process
from tests.fixtures.absence import table
from tests.fixtures.rules import make_settings, serving
from tests.fixtures.sql import ManualClock


async def test_a_notice_that_comes_while_a_stream_begins_is_not_forgotten(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head is read, the match moves on elsewhere, and its notice comes before the answer."""
    clock, engine, wakes = ManualClock(), connect(database_url), Wakes()
    async with serving(make_settings(tmp_path / "keys", database_url), clock=clock) as (rules, _):
        match_id, _ = await table(rules)
    async with process(engine, clock) as here, process(engine, clock) as elsewhere:
        info = await here.info(match_id)
        assert info is not None
        before = await here.current(info)
        read, moved = here.store.head, False

        async def head(match_id: str) -> Head:
            nonlocal moved
            found = await read(match_id)
            if not moved:
                moved = True
                request = Request("player:anna", "1")
                await elsewhere.submit(info, OfferEnd(0), request, ignored)
                wakes.announce(match_id, before.revision + 1)
            return found

        monkeypatch.setattr(here.store, "head", head)
        watchers = Watchers(WatchersSql(engine, "here"), clock, wakes.ring)
        watching = Watching(here, wakes, asyncio.Event(), 600, watchers, watchers)
        kinds: list[EventKind] = []
        async with asyncio.timeout(20):
            async for _, update in watching.follow(info, before.revision):
                if isinstance(update, MatchEvent):
                    kinds.append(update.kind)
                    break
        assert kinds == [EventKind.OFFER_END]
    await engine.dispose()
