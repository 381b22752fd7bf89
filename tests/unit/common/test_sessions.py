"""Sessions that ended: what the memory of a process says when it reads twice at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import MetaData
from sqlalchemy.ext.asyncio import AsyncConnection

from services.common.auth import Kind, Principal
from services.common.database import connect
from services.common.sessions import EndedSessions, ended_sessions_table
from tests.fixtures.sql import ManualClock

A_MOMENT_S = 0.5


async def test_a_slow_look_from_before_a_sign_out_brings_nobody_back(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One reads, and its answer is long on the way; meanwhile somebody is signed out, and read."""
    metadata = MetaData()
    table = ended_sessions_table(metadata)
    engine = connect(database_url)
    async with engine.begin() as db:
        await db.run_sync(metadata.create_all)
    gone: list[str] = []
    ended = EndedSessions(engine, table, ManualClock(), gone.append)
    answered, go_on = asyncio.Event(), asyncio.Event()
    execute = AsyncConnection.execute

    async def slow(db: AsyncConnection, *what: Any, **how: Any) -> Any:
        rows = await execute(db, *what, **how)
        if not answered.is_set():
            answered.set()
            await go_on.wait()
        return rows

    with monkeypatch.context() as patch:
        patch.setattr(AsyncConnection, "execute", slow)
        before = asyncio.create_task(ended.read())
        await answered.wait()
    async with engine.begin() as db:
        await ended.note(db, "anna", 1, deleted=False)
        await ended.note(db, "ben", 1, deleted=True)
    after = asyncio.create_task(ended.read())
    await asyncio.wait({after}, timeout=A_MOMENT_S)  # it may, or may have to wait for the other
    go_on.set()
    await asyncio.gather(before, after)
    for player_id in ("anna", "ben"):
        assert ended.ended(Principal(Kind.PLAYER, player_id, 0))
        assert not ended.ended(Principal(Kind.PLAYER, player_id, 1))
    assert gone == ["ben"]
    await engine.dispose()
