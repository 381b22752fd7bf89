"""What an action costs does not grow with the length of the match."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from services.common.clock import system_clock
from services.common.database import connect, migrate
from services.engine.core.options import resolve
from services.engine.core.registry import ruleset
from services.rules.cache import LocalNotices
from services.rules.match import MatchEvent, Move, Occupant
from services.rules.matches import Matches, NewMatch
from services.rules.service import MIGRATIONS
from services.rules.store import SNAPSHOT_EVERY, Request
from services.rules.store.sql import SqlStore
from services.rules.store.submit_sqlite import SqliteSubmit
from services.rules.wakes import Wakes

SOCKER = ruleset("socker")


class CountingStore(SqlStore):
    """Counts what is read."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type] # handed through
        self.reads = 0
        self.events_read = 0

    async def events(self, match_id: str, start: int, limit: int) -> Sequence[MatchEvent]:
        found = await super().events(match_id, start, limit)
        self.reads += 1
        self.events_read += len(found)
        return found


@pytest.mark.parametrize("plies", [70, 500])
async def test_playing_on_reads_no_history_and_loading_little(tmp_path: Path, plies: int) -> None:
    engine = connect(f"sqlite:///{tmp_path}/rules.db")
    await migrate(engine, MIGRATIONS)
    path = SqliteSubmit(f"{tmp_path}/rules.db")

    def matches() -> tuple[Matches, CountingStore]:
        store = CountingStore(engine)
        return Matches(store, path, LocalNotices(Wakes()), system_clock), store

    try:
        options = resolve(SOCKER.option_specs, {"goals_to_win": 9, "turn_cap": 500})
        seats = (Occupant("A", player_id="anna"),) * 2
        warm, store = matches()
        match_id = await warm.create(
            NewMatch(SOCKER, options, seats, 1, ""), Request("service:test", "1"), b"payload"
        )
        info = await warm.info(match_id)
        assert info is not None
        rng = random.Random(4)
        position = await warm.current(info)
        while position.revision < plies:
            action = rng.choice(SOCKER.legal_actions(position.state))
            assert position.actor is not None
            move = Move(position.actor, position.revision, action)
            await warm.submit(info, move, Request("p", str(move.expected_revision)), _reply)
            position = await warm.current(info, at_least=position.revision + 1)
        assert store.reads == 0, "memory had it"
        cold, store = matches()
        assert await cold.current(info) == position
        assert store.events_read <= SNAPSHOT_EVERY
    finally:
        await path.close()
        await engine.dispose()


def _reply(applied: int, revision: int) -> bytes:
    return f"{applied} {revision}".encode()
