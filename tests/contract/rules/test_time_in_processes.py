"""Deadlines in real processes, whose clock a test moves: killed, away, and two at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from oddsocks.play.v1 import play_pb2
from services.rules.uptime import AWAY_MS
from tests.fixtures.absence import controls, table, until_revision, wait_for
from tests.fixtures.moving_clock import MINUTE_MS, SECOND_MS, MovingClock
from tests.fixtures.rules import Rules
from tests.fixtures.rules_process import rules_process

LIVE: Final[dict[str, Any]] = {
    "pace": "PACE_LIVE",
    "turn_seconds": 600,
    "reserve_seconds": 0,
    "absence": "ABSENCE_RULE_FORFEIT",
}
TURN_MS: Final = 10 * MINUTE_MS
HOUR_MS: Final = 60 * MINUTE_MS


@pytest.fixture
def clock(tmp_path: Path) -> MovingClock:
    return MovingClock(tmp_path / "offset")


async def to_the_end(stream: Any) -> list[Any]:
    """All that a stream still has to say."""
    updates = []
    async with asyncio.timeout(60):
        while (update := await stream.read()) is not grpc.aio.EOF:
            updates.append(update)
    return updates


async def deadline(rules: Rules, match_id: str) -> int:
    return (await rules.player("anna").match(match_id)).clock.deadline_ms


@pytest.mark.field(8)
async def test_a_leaver_ends_the_match_on_every_stream(
    database_url: str, tmp_path: Path, clock: MovingClock
) -> None:
    """The player on turn goes away for good; all who watch are told how it ended."""
    async with rules_process(tmp_path, database_url, clock=clock) as running:
        rules = running.rules
        match_id, names = await table(rules, **LIVE)
        match = await rules.player("anna").match(match_id)
        leaver, stayer = match.actor, 1 - match.actor
        gone = rules.player(names[leaver])
        lost = gone.watch(match_id)
        await lost.read()
        await gone.channel.close()  # the phone is off
        streams = [rules.player(names[stayer]).watch(match_id) for _ in range(3)]
        for stream in streams:
            await stream.read()
        clock.advance(TURN_MS)
        for stream in streams:
            updates = await to_the_end(stream)
            assert updates[-1].finished.outcome.reason == "forfeit"
            assert list(updates[-1].finished.outcome.winners) == [stayer]
        # Back, the leaver is told the same.
        again = await to_the_end(rules.player(names[leaver]).watch(match_id))
        assert again[-1].finished == updates[-1].finished


async def test_time_in_which_nobody_was_there_is_nobodys_loss(
    database_url: str, tmp_path: Path, clock: MovingClock
) -> None:
    async with rules_process(tmp_path, database_url, clock=clock) as running:
        match_id, _ = await table(running.rules, **LIVE)
        before = await deadline(running.rules, match_id)
        running.process.kill()
        await running.process.wait()
    clock.advance(HOUR_MS)
    async with rules_process(tmp_path, database_url, clock=clock) as running:
        rules = running.rules
        after = await deadline(rules, match_id)
        assert after >= before + HOUR_MS
        # It may have been there for a moment after its last sign of life.
        assert after <= clock() + TURN_MS + AWAY_MS
        match = await rules.player("anna").match(match_id)
        assert match.status == play_pb2.MATCH_STATUS_RUNNING
        clock.advance(TURN_MS - 2 * MINUTE_MS)
        assert (await rules.player("anna").match(match_id)).revision == match.revision
        clock.advance(2 * MINUTE_MS)
        match = await until_revision(rules.player("anna"), match_id, match.revision + 1)
        assert match.outcome.reason == "forfeit"


@pytest.mark.field(10)
async def test_two_processes_act_once(
    database_url: str, tmp_path: Path, clock: MovingClock
) -> None:
    """Also when the one that acts is killed in the middle of it."""
    sitter = LIVE | {"absence": "ABSENCE_RULE_SITTER"}
    async with (
        rules_process(tmp_path, database_url, clock=clock) as first,
        rules_process(tmp_path, database_url, clock=clock) as second,
    ):
        made = [await table(first.rules, **sitter) for _ in range(60)]
        matches = [match_id for match_id, _ in made]
        clock.advance(TURN_MS)

        async def acted(rules: Rules) -> int:
            anna = rules.player("anna")
            events = [await anna.events(match_id) for match_id in matches]
            return sum(bool(controls(told)) for told in events)

        await wait_for(lambda: acted(second.rules))
        first.process.kill()
        await first.process.wait()
        # The lease of a process that was killed ends by the clock.
        clock.advance(30 * SECOND_MS)

        async def all_acted() -> bool:
            return await acted(second.rules) == len(matches)

        await wait_for(all_acted)
        anna = second.rules.player("anna")
        for match_id in matches:
            events = await anna.events(match_id)
            assert [event.revision for event in events] == list(range(len(events)))
            kinds = Counter(kind for kind, _ in controls(events))
            assert kinds == {"SIT": 1}, match_id
