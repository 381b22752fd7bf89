"""Real agents in the seats of people who are away: rules, the ai service and a worker together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.engine.core.record import read_record, verify
from tests.contract.ai.processes import Site, ai_service, worker
from tests.fixtures.absence import controls, move, table, until_revision, wait_for
from tests.fixtures.moving_clock import DAY_MS, MINUTE_MS, MovingClock
from tests.fixtures.rules import Rules
from tests.fixtures.rules_process import rules_process


async def export(rules: Rules, player: str, match_id: str) -> str:
    """The record of a finished match."""
    client = rules.player(player)
    request = rules_pb2.ExportMatchRequest(match_id=match_id)
    stream = client.rules.ExportMatch(request, metadata=client.metadata)
    return "".join([part.part async for part in stream])


@pytest.mark.field(8)
async def test_an_agent_plays_until_its_person_is_back_and_knew_no_more(
    tmp_path: Path, fresh_redis_url: str
) -> None:
    """In a game with secrets. The clock of all processes goes on by days."""
    clock = MovingClock(tmp_path / "offset")
    url = f"sqlite:///{tmp_path}/rules.db"
    async with rules_process(
        tmp_path, url, clock=clock, ODDSOCKS_REDIS_URL=fresh_redis_url
    ) as running:
        rules = running.rules
        site = Site(tmp_path, fresh_redis_url, rules.internal, clock.environment)
        match_id, names = await table(
            rules,
            game="sock_monsters",
            pace="PACE_DAYS",
            turn_days=2,
            sitter="sock_monsters_search",
        )
        async with ai_service(site), worker(site):
            match = await rules.player("anna").match(match_id)
            away, there = match.actor, 1 - match.actor
            clock.advance(2 * DAY_MS + MINUTE_MS)

            async def turn_of_who_is_there() -> play_pb2.Match | None:
                match = await rules.player(names[there]).match(match_id)
                return match if match.actor == there and match.revision > 2 else None

            match = await wait_for(turn_of_who_is_there)
            assert match.seats[away].state == play_pb2.SEAT_STATE_SITTER
            await rules.player(names[away]).wish("TakeSeatBack", match_id, away, "back")
            person = rules.player(names[there])
            while (match := await person.match(match_id)).actor == there:
                await move(person, match_id)
            assert match.seats[away].state == play_pb2.SEAT_STATE_PRESENT
            await move(rules.player(names[away]), match_id)  # and no agent is in the way
            revision = (await person.match(match_id)).revision
            await person.wish("Resign", match_id, there, "enough")
            await until_revision(person, match_id, revision + 1)
            events = await person.events(match_id)
        record = await export(rules, "anna", match_id)
        by_agent = [event for event in events if event.origin]
        assert {event.origin for event in by_agent} == {"sock_monsters_search"}
        assert [kind for kind, _ in controls(events)] == ["SIT", "RETURN", "RESIGN"]
        document = read_record(record)
        hashes = {
            event["revision"]: event["information_sha256"]
            for event in document["history"]
            if "information_sha256" in event
        }
        assert set(hashes) == {event.revision for event in by_agent}
        assert verify(document) is None
        # Had it been told anything else, that would be found.
        revision = min(hashes)
        document["history"][revision]["information_sha256"] = "00" * 32
        fault = verify(json.loads(json.dumps(document)))
        assert fault is not None
        assert (fault.ply, fault.kind) == (revision, "knowledge")
