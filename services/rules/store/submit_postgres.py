"""Submitting on PostgreSQL: one asyncpg statement, which is a transaction by itself.

One round trip, measured at three times the throughput of SQLAlchemy (docs/adr/0022). All parts of
the statement see the database as it was when it began; of two statements for one revision the
second waits for the first one's row lock, then finds the revision moved and changes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final

import asyncpg
import structlog
from sqlalchemy.engine import URL

from services.common.transactions import kind_of
from services.rules.store import Answer, Commit, Committed, Moved, Result, tables, unavailable
from services.rules.store.failures import FAILURES
from services.rules.store.rows import EVENTS, MATCH_CHANGES, SNAPSHOTS

_log = structlog.get_logger("store")

_TIMEOUT_S: Final = 5.0

_REQUEST: Final = 6
"""Parameters before those of the mappings: match, account, id, payload, reply, old revision."""


def _numbered(columns: Iterable[str], start: int) -> dict[str, str]:
    """Each column's parameter."""
    return {name: f"${start + place}" for place, name in enumerate(columns)}


def _set(parameters: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {parameter}" for name, parameter in parameters.items())


_MATCH: Final = _numbered(MATCH_CHANGES, _REQUEST + 1)
_EVENT: Final = _numbered(EVENTS, _REQUEST + 1 + len(MATCH_CHANGES))
_SNAPSHOT: Final = _numbered(SNAPSHOTS, _REQUEST + 1 + len(MATCH_CHANGES) + len(EVENTS))
_ARRAYS: Final = ", ".join(
    f"{parameter}::{tables.EVENTS.c[name].type}[]" for name, parameter in _EVENT.items()
)

_STATEMENT: Final = f"""
WITH known AS (
    SELECT payload, reply FROM requests
    WHERE match_id = $1 AND account = $2 AND request_id = $3
), moved AS (
    UPDATE matches SET {_set(_MATCH)}
    WHERE match_id = $1 AND revision = $6 AND NOT EXISTS (SELECT FROM known)
    RETURNING match_id
), happened AS (
    INSERT INTO events (match_id, {", ".join(_EVENT)})
    SELECT moved.match_id, event.* FROM moved, unnest({_ARRAYS}) AS event
), answered AS (
    INSERT INTO requests (match_id, account, request_id, payload, reply)
    SELECT match_id, $2, $3, $4, $5 FROM moved
), remembered AS (
    UPDATE snapshots SET {_set(_SNAPSHOT)}
    FROM moved
    WHERE snapshots.match_id = moved.match_id AND {_SNAPSHOT["position"]}::text IS NOT NULL
), numbered AS (
    UPDATE feed SET sequence = sequence + 1
    WHERE {_MATCH["outcome"]}::text IS NOT NULL AND EXISTS (SELECT FROM moved)
    RETURNING sequence
), ended AS (
    INSERT INTO finished (sequence, match_id) SELECT sequence, $1 FROM numbered
)
SELECT (SELECT count(*) FROM moved) AS moved,
       (SELECT payload FROM known) AS payload,
       (SELECT reply FROM known) AS reply
"""


class PostgresSubmit:
    """The submit path of a PostgreSQL database. Any number of processes may use it."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    @staticmethod
    async def connect(url: URL) -> PostgresSubmit:
        """Open the path's own connections; raises OSError or asyncpg's errors."""
        dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        pool = await asyncpg.create_pool(
            dsn, min_size=1, max_size=8, timeout=_TIMEOUT_S, command_timeout=_TIMEOUT_S
        )
        return PostgresSubmit(pool)

    async def submit(self, commit: Commit) -> Result:
        """See `SubmitPath.submit`."""
        try:
            row = await self._pool.fetchrow(_STATEMENT, *_arguments(commit))
        except FAILURES as error:
            _log.error("a submit failed", error=kind_of(error))
            raise unavailable() from error
        if row["moved"]:
            return Committed()
        if row["payload"] is not None:
            return Answer(row["payload"], row["reply"])
        return Moved()

    async def close(self) -> None:
        """See `SubmitPath.close`."""
        try:
            await asyncio.wait_for(self._pool.close(), _TIMEOUT_S)
        except TimeoutError:
            self._pool.terminate()


def _arguments(commit: Commit) -> tuple[Any, ...]:
    info, events, after = commit.info, commit.step.events, commit.step.after
    return (
        info.match_id,
        commit.request.account,
        commit.request.request_id,
        commit.answer.payload,
        commit.answer.reply,
        commit.expected_revision,
        *(read(info, after) for read in MATCH_CHANGES.values()),
        *([read(event) for event in events] for read in EVENTS.values()),
        *(read(after, commit.snapshot) for read in SNAPSHOTS.values()),
    )
