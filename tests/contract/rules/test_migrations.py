"""A match that was under way under the first schema is played to its end under this one."""

from __future__ import annotations

import json
import random
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.common.clock import system_clock
from services.common.database import connect
from services.engine.core.fairness import Draws
from services.engine.core.record import read_record, verify
from services.engine.core.registry import ruleset
from services.rules.service import MIGRATIONS
from tests.contract.rules.test_beside import move
from tests.contract.rules.test_record import export, play_on
from tests.fixtures.rules import make_settings, refused, serving

SOCKER = ruleset("socker")
MATCH_ID = "0123456789abcdef" * 2
SEED = bytes(range(32))
NOW_MS = system_clock()
PLACED = 7
"""So far both have placed sockers."""


async def first_schema(engine: AsyncEngine) -> None:
    def upgrade(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "rules_0001")

    async with engine.begin() as db:
        await db.run_sync(upgrade)


async def match_in_progress(engine: AsyncEngine) -> str:
    """What the first version wrote for a match of some plies; gives its position's notation."""
    options = {spec.name: spec.default for spec in SOCKER.option_specs}
    state = SOCKER.initial(options, 2)
    toss = Draws(SEED, MATCH_ID)(0, SOCKER.chance_outcomes(state))
    events = [{"actor": -1, "action": SOCKER.format_action(toss), "draw": 0}]
    state = SOCKER.apply(state, toss)
    rng = random.Random(5)
    for _ in range(PLACED):
        action = rng.choice(SOCKER.legal_actions(state))
        events.append(
            {"actor": SOCKER.actor(state), "action": SOCKER.format_action(action), "draw": None}
        )
        state = SOCKER.apply(state, action)
    position = SOCKER.format_state(state)
    match = {
        "match_id": MATCH_ID,
        "options": json.dumps(options),
        "seed": SEED,
        "revision": len(events),
        "actor": SOCKER.actor(state),
        "position": position,
        "now": NOW_MS,
    }
    async with engine.begin() as db:
        await db.execute(
            text(
                "INSERT INTO matches (match_id, game, ruleset_version, options, pace,"
                " host_player_id, seed, created_at_ms, revision, draws, actor, acting_since_ms)"
                " VALUES (:match_id, 'socker', 1, :options, 1, '', :seed, :now, :revision, 1,"
                " :actor, :now)"
            ),
            match,
        )
        await db.execute(
            text(
                "INSERT INTO seats (match_id, seat, player_id, display_name)"
                " VALUES (:match_id, :seat, :who, :who)"
            ),
            [{"match_id": MATCH_ID, "seat": seat, "who": "anna"} for seat in (0, 1)],
        )
        await db.execute(
            text(
                "INSERT INTO events (match_id, revision, actor, action, committed_at_ms, origin,"
                " draw) VALUES (:match_id, :revision, :actor, :action, :now, '', :draw)"
            ),
            [
                {"match_id": MATCH_ID, "revision": i, "now": NOW_MS} | event
                for i, event in enumerate(events)
            ],
        )
        await db.execute(
            text(
                "INSERT INTO snapshots (match_id, revision, draws, acting_since_ms, position)"
                " VALUES (:match_id, :revision, 1, :now, :position)"
            ),
            match,
        )
        await db.execute(
            text(
                "INSERT INTO requests (match_id, account, request_id, payload, reply)"
                " VALUES (:match_id, 'player:anna', 'old', :payload, :reply)"
            ),
            {"match_id": MATCH_ID, "payload": b"?", "reply": b""},
        )
    return position


async def test_a_match_from_the_first_schema_goes_on(
    empty_database_url: str, tmp_path: Path
) -> None:
    engine = connect(empty_database_url)
    await first_schema(engine)
    position = await match_in_progress(engine)
    await engine.dispose()
    settings = make_settings(tmp_path / "keys", empty_database_url)
    async with serving(settings) as (rules, _):
        anna = rules.player("anna")
        match = await anna.match(MATCH_ID)
        assert match.revision == PLACED + 1
        shown = SOCKER.parse_state(position)
        assert match.actor == SOCKER.actor(shown)
        assert len(match.views) == 2
        assert match.fairness.scheme == "oddsocks-draw/1"
        with refused("REQUEST_ID_REUSED"):  # what was answered then is remembered
            await anna.submit(MATCH_ID, match.actor, "old", match.revision, "@a1")
        # New things are for old matches, too.
        seat, _ = await move(anna, MATCH_ID)
        await anna.wish("UndoAction", MATCH_ID, seat, "1", expected_revision=match.revision + 1)
        await anna.wish("AskTakeback", MATCH_ID, seat, "2", expected_revision=match.revision + 2)
        request = rules_pb2.GetPlyRequest(match_id=MATCH_ID, revision=3)
        assert (await anna.call("GetPly", request)).match.revision == 3
        ended = await play_on(anna, MATCH_ID, 60, random.Random(3))
        if ended.status != play_pb2.MATCH_STATUS_FINISHED:
            await anna.wish("Resign", MATCH_ID, 0, "3")
        assert verify(read_record(await export(anna, MATCH_ID))) is None
