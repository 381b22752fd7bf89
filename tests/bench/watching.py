"""What an action costs beside a thousand people who watch, and late in a long match.

The rules service is a process of its own, on SQLite. Times are those of single actions, one after
another, on a connection of their own.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
import uuid
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from tests.fixtures.rules import Client, Rules, new_match_request
from tests.fixtures.rules_process import rules_process
from tools.reports import Report

WATCHERS = 1_000
WATCHED = 50
"""Matches that they watch; nothing happens in them."""
CONNECTIONS = 20
ACTIONS = 60
PAIRS = 240
"""Of actions early and late."""
LATE, EARLY = 2_000, 10
MOST_P50_MS = 5 * 100.0
"""Five times what it should be on a machine with nothing else to do."""
MOST_LATE = 1.2
"""An action late in a long match may cost so many early ones."""


def measure(report: Report) -> None:
    """Add the median beside idle watchers, and the ratio of late to early actions."""
    with tempfile.TemporaryDirectory() as folder:
        watched, counted, early, late = asyncio.run(_measure(Path(folder)))
    report.equals("watching.watchers", counted, WATCHERS)
    p50 = round(statistics.median(watched) * 1_000, 2)
    report.at_most(f"watching.submit p50 beside {WATCHERS}", p50, MOST_P50_MS, "ms")
    report.measured("watching.submit p50 early", round(statistics.median(early) * 1_000, 2), "ms")
    ratio = statistics.median(late) / statistics.median(early)
    report.at_most(f"watching.submit at ply {LATE} / at {EARLY}", round(ratio, 2), MOST_LATE)


async def _measure(folder: Path) -> tuple[list[float], int, list[float], list[float]]:
    unlimited = {
        "ODDSOCKS_ACCOUNT_CALLS_PER_MINUTE": "0",
        "ODDSOCKS_ADDRESS_CALLS_PER_MINUTE": "0",
        "ODDSOCKS_LOG_LEVEL": "ERROR",
    }
    url = f"sqlite:///{folder}/rules.db"
    async with rules_process(folder, url, clock=None, **unlimited) as started:
        rules, rng = started.rules, random.Random(1)
        anna = rules.player("anna")
        early, late = await _early_and_late(rules, anna, rng)
        async with AsyncExitStack() as stack:
            matches = [await _new_match(rules, spectators=True) for _ in range(WATCHED)]
            await _watch(rules, matches, stack)
            counted = sum([(await anna.match(match_id)).watchers for match_id in matches])
            own = await _new_match(rules)
            watched = [await _act(anna, own, rng) for _ in range(ACTIONS)]
    return watched, counted, early, late


async def _early_and_late(
    rules: Rules, anna: Client, rng: random.Random
) -> tuple[list[float], list[float]]:
    """Seconds of actions early and late in a match, in turns, so that both have the same luck."""
    long = await _new_match(rules)
    while (await anna.match(long)).revision < LATE:
        await _act(anna, long, rng)
    early: list[float] = []
    late: list[float] = []
    for number in range(PAIRS):
        if number % EARLY == 0:
            short = await _new_match(rules)
            for _ in range(EARLY):
                await _act(anna, short, rng)
        first_early = number % 2 == 0
        for is_early in (first_early, not first_early):
            seconds = await _act(anna, short if is_early else long, rng)
            (early if is_early else late).append(seconds)
    return early, late


async def _new_match(rules: Rules, *, spectators: bool = False) -> str:
    """A match of Socker on one device that takes long."""
    options: dict[str, Any] = {"goals_to_win": 9, "turn_cap": 500}
    request = new_match_request(uuid.uuid4().hex, "anna", "anna", **options)
    request.rules.spectators = spectators
    return str((await rules.service("matchmaking").call("CreateMatch", request)).match_id)


async def _act(client: Client, match_id: str, rng: random.Random) -> float:
    """Do something legal; how many seconds that alone took."""
    match = await client.match(match_id)
    legal = (await client.legal(match_id, match.actor)).actions
    request = rules_pb2.SubmitActionRequest(
        match_id=match_id,
        seat=match.actor,
        request_id=str(match.revision),
        expected_revision=match.revision,
        action=rng.choice(legal),
    )
    started = time.perf_counter()
    await client.call("SubmitAction", request)
    return time.perf_counter() - started


async def _watch(rules: Rules, matches: list[str], stack: AsyncExitStack) -> None:
    """Let a thousand people watch, each on a stream that has told how the match stands."""
    connections = [rules.player("dora") for _ in range(CONNECTIONS)]

    async def watch(number: int) -> None:
        token = rules.player(f"watcher-{number}").token
        stream = Client(connections[number % CONNECTIONS].channel, token).watch(
            matches[number % WATCHED], 1
        )
        stack.callback(stream.cancel)
        assert (await stream.read()).HasField("match")

    for start in range(0, WATCHERS, 50):
        await asyncio.gather(*(watch(number) for number in range(start, start + 50)))
