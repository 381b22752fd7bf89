"""Everything but submitting, through SQLAlchemy Core, on SQLite and PostgreSQL alike."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Row, delete, insert, select, tuple_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.engine.core import Options, UnknownGame
from services.engine.core.registry import AnyRuleset, ruleset
from services.rules.life import EventKind, load_life
from services.rules.match import MatchEvent, MatchInfo, Occupant, Step
from services.rules.store import (
    Answer,
    Finished,
    Head,
    Request,
    Snapshot,
    Waiting,
    rows,
)
from services.rules.store.failures import guarded
from services.rules.store.rows import dump_rules, load_event, load_head, load_outcome, load_rules
from services.rules.store.tables import (
    CREATIONS,
    EVENTS,
    FINISHED,
    MATCHES,
    REQUESTS,
    SEATS,
    SEEDS,
    SNAPSHOTS,
)
from services.rules.store.together import Together

PROMISED_MS: Final = 90 * 24 * 3_600 * 1_000
"""How long a seed waits for its match."""


class SqlStore:
    """See `MatchStore`. `glance` may know a head without waiting for the database."""

    def __init__(
        self, engine: AsyncEngine, glance: Callable[[str], Head | None] = lambda _: None
    ) -> None:
        self._engine = engine
        self._glance = glance
        self._head = Together(self.heads)

    async def create(self, info: MatchInfo, step: Step, request: Request, payload: bytes) -> Answer:
        """See `MatchStore.create`."""
        async with guarded():
            try:
                async with self._engine.begin() as connection:
                    await _insert_match(connection, info, step)
                    await connection.execute(
                        insert(CREATIONS).values(
                            account=request.account,
                            request_id=request.request_id,
                            payload=payload,
                            match_id=info.match_id,
                        )
                    )
            except IntegrityError:
                known = select(CREATIONS).where(
                    CREATIONS.c.account == request.account,
                    CREATIONS.c.request_id == request.request_id,
                )
                row = (await self._read(known)).one()
                return Answer(row.payload, row.match_id.encode())
        return Answer(payload, info.match_id.encode())

    async def promise_seed(self, request: Request, seed: bytes, now_ms: int) -> bytes:
        """See `MatchStore.promise_seed`."""
        async with guarded():
            with contextlib.suppress(IntegrityError):
                async with self._engine.begin() as connection:
                    old = SEEDS.c.promised_at_ms < now_ms - PROMISED_MS
                    await connection.execute(delete(SEEDS).where(old))
                    await connection.execute(
                        insert(SEEDS).values(
                            account=request.account,
                            request_id=request.request_id,
                            seed=seed,
                            promised_at_ms=now_ms,
                        )
                    )
        kept = await self.promised_seed(request)
        assert kept is not None, "it was kept, or it was there"
        return kept

    async def promised_seed(self, request: Request) -> bytes | None:
        """See `MatchStore.promised_seed`."""
        query = select(SEEDS.c.seed).where(
            SEEDS.c.account == request.account, SEEDS.c.request_id == request.request_id
        )
        async with guarded():
            seed: bytes | None = (await self._read(query)).scalar_one_or_none()
        return seed

    async def info(self, match_id: str) -> MatchInfo | None:
        """See `MatchStore.info`."""
        query = (
            select(MATCHES, SEATS)
            .join(SEATS, SEATS.c.match_id == MATCHES.c.match_id)
            .where(MATCHES.c.match_id == match_id)
            .order_by(SEATS.c.seat)
        )
        async with guarded():
            rows = (await self._read(query)).all()
        if not rows:
            return None
        match = rows[0]
        return MatchInfo(
            match_id=match_id,
            ruleset=_ruleset(match.game, match.ruleset_version),
            options=_load_options(match.options),
            seats=tuple(Occupant(r.display_name, r.player_id, r.agent) for r in rows),
            pace=match.pace,
            host_player_id=match.host_player_id,
            seed=match.seed,
            nonces=tuple(r.nonce or b"" for r in rows) if any(r.nonce for r in rows) else (),
            rules=load_rules(match.rules, match.pace),
        )

    async def head(self, match_id: str) -> Head:
        """See `MatchStore.head`."""
        return self._glance(match_id) or await self._head(match_id)

    async def heads(self, match_ids: Sequence[str]) -> Mapping[str, Head]:
        """See `MatchStore.heads`."""
        columns = [MATCHES.c[name] for name in rows.HEAD]
        query = select(*columns).where(MATCHES.c.match_id.in_(match_ids))
        async with guarded():
            found = (await self._read(query)).all()
        return {row.match_id: load_head(row) for row in found}

    async def answer(self, match_id: str, request: Request) -> Answer | None:
        """See `MatchStore.answer`."""
        query = select(REQUESTS.c.payload, REQUESTS.c.reply).where(
            REQUESTS.c.match_id == match_id,
            REQUESTS.c.account == request.account,
            REQUESTS.c.request_id == request.request_id,
        )
        async with guarded():
            row = (await self._read(query)).one_or_none()
        return None if row is None else Answer(row.payload, row.reply)

    async def events(self, match_id: str, start: int, limit: int) -> Sequence[MatchEvent]:
        """See `MatchStore.events`."""
        query = (
            select(EVENTS)
            .where(EVENTS.c.match_id == match_id, EVENTS.c.revision >= start)
            .order_by(EVENTS.c.revision)
            .limit(limit)
        )
        async with guarded():
            rows = (await self._read(query)).all()
        return [load_event(row) for row in rows]

    async def snapshot(self, match_id: str) -> Snapshot:
        """See `MatchStore.snapshot`."""
        query = select(SNAPSHOTS).where(SNAPSHOTS.c.match_id == match_id)
        async with guarded():
            row = (await self._read(query)).one()
        return Snapshot(
            row.revision, row.draws, row.acting_since_ms, row.position, load_life(row.life)
        )

    async def waiting(self, after: tuple[int, str] | None, limit: int) -> Sequence[Waiting]:
        """See `MatchStore.waiting`."""
        place = tuple_(MATCHES.c.acting_since_ms, MATCHES.c.match_id)
        query = (
            select(MATCHES)
            .where(MATCHES.c.waiting_agent.is_not(None))
            .order_by(MATCHES.c.acting_since_ms, MATCHES.c.match_id)
            .limit(limit)
        )
        if after is not None:
            query = query.where(place > after)
        async with guarded():
            rows = (await self._read(query)).all()
        return [
            Waiting(
                r.match_id, r.actor, r.revision, r.game, r.waiting_agent, r.pace, r.acting_since_ms
            )
            for r in rows
        ]

    async def finished(self, cursor: int, limit: int) -> Sequence[Finished]:
        """See `MatchStore.finished`."""
        # Whoever acts for an agent or a sitter says what that one knew.
        by_agent = EVENTS.c.information_sha256.is_not(None) | (EVENTS.c.kind == EventKind.SIT.value)
        acted = (
            select(EVENTS.c.revision)
            .where(EVENTS.c.match_id == MATCHES.c.match_id, by_agent)
            .exists()
        )
        query = (
            select(
                FINISHED, MATCHES.c.outcome, MATCHES.c.acting_since_ms, acted.label("agents_acted")
            )
            .join(MATCHES, MATCHES.c.match_id == FINISHED.c.match_id)
            .where(FINISHED.c.sequence > cursor)
            .order_by(FINISHED.c.sequence)
            .limit(limit)
        )
        async with guarded():
            rows = (await self._read(query)).all()
        return [_finished(row) for row in rows]

    async def _read(self, query: Any) -> Any:
        async with self._engine.connect() as connection:
            # SQLite: without this a read would take the write lock, see common.database.
            await connection.execution_options(read_only=True)
            return await connection.execute(query)


async def _insert_match(connection: AsyncConnection, info: MatchInfo, step: Step) -> None:
    after = step.after
    await connection.execute(
        insert(MATCHES).values(
            match_id=info.match_id,
            game=info.ruleset.game,
            ruleset_version=info.ruleset.version,
            options=json.dumps(dict(info.options)),
            pace=info.pace,
            host_player_id=info.host_player_id,
            seed=info.seed,
            created_at_ms=after.acting_since_ms,
            rules=dump_rules(info.rules),
            **{name: read(info, after) for name, read in rows.MATCH_CHANGES.items()},
        )
    )
    await connection.execute(
        insert(SEATS),
        [
            {
                "match_id": info.match_id,
                "seat": seat,
                "player_id": occupant.player_id,
                "agent": occupant.agent,
                "display_name": occupant.display_name,
                "nonce": info.nonces[seat] if info.nonces else None,
            }
            for seat, occupant in enumerate(info.seats)
        ],
    )
    if step.events:
        await connection.execute(insert(EVENTS), list(_event_rows(info, step.events)))
    text = info.ruleset.format_state(after.state)
    await connection.execute(
        insert(SNAPSHOTS).values(
            match_id=info.match_id,
            **{name: read(after, text) for name, read in rows.SNAPSHOTS.items()},
        )
    )


def _event_rows(info: MatchInfo, events: Iterable[MatchEvent]) -> Iterable[dict[str, Any]]:
    for event in events:
        yield {"match_id": info.match_id} | {k: read(event) for k, read in rows.EVENTS.items()}


def _ruleset(game: str, version: int) -> AnyRuleset:
    with contextlib.suppress(UnknownGame):
        found = ruleset(game)
        if found.version == version:
            return found
    raise RefusedError(
        ErrorReason.ERROR_REASON_GAME_NOT_FOUND,
        f"this match is played by {game}/{version}, which this server does not have",
    )


def _load_options(text: str) -> Options:
    options: Options = json.loads(text)
    return options


def _finished(row: Row[Any]) -> Finished:
    outcome = load_outcome(row.outcome)
    assert outcome is not None
    return Finished(
        row.sequence, row.match_id, outcome, row.acting_since_ms, bool(row.agents_acted)
    )
