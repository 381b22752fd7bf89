"""How many actions a second the rules service takes, on SQLite, each on disk before its answer.

Through real sockets, `FLIGHT` matches at once, one action of each in flight. The reference is the
cheapest call there is on the same connection, so the ratio says what an action costs beyond gRPC:
the token, the rules, the views of both seats, and one durable commit shared by all in flight.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any

from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub

from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from tests.fixtures.rules import Client, make_settings, serving
from tools.reports import Report

FLIGHT = 32
ROUNDS = 40
WARM_UP = 5
MOST_ECHOES = 4.0
"""An action may cost as much as this many of the cheapest calls."""


def measure(report: Report) -> None:
    """Add `submit / echo` (bounded) and the two rates to `report`."""
    with tempfile.TemporaryDirectory() as folder:
        echo, submit = asyncio.run(_rounds(Path(folder)))
    report.measured("submits.echo_per_s", round(FLIGHT / statistics.median(echo)), "1/s")
    report.measured("submits.submit_per_s", round(FLIGHT / statistics.median(submit)), "1/s")
    ratio = statistics.median(s / e for s, e in zip(submit, echo, strict=True))
    report.at_most("submits.submit / echo", round(ratio, 2), MOST_ECHOES)


async def _rounds(folder: Path) -> tuple[list[float], list[float]]:
    """Seconds of each round of echoes and of submits, in pairs."""
    rng = random.Random(1)
    echo: list[float] = []
    submit: list[float] = []
    async with serving(make_settings(folder, f"sqlite+aiosqlite:///{folder}/rules.db")) as (
        rules,
        _,
    ):
        family = rules.player("anna")
        matches = [await rules.new_match("anna", "anna", goals_to_win=9) for _ in range(FLIGHT)]
        for number in range(WARM_UP + ROUNDS):
            requests = await _next_actions(family, matches, rng, number)
            seconds = await _echoes(family), await _submits(family, requests)
            if number >= WARM_UP:
                echo.append(seconds[0])
                submit.append(seconds[1])
    return echo, submit


async def _next_actions(
    client: Client, matches: Sequence[str], rng: random.Random, number: int
) -> list[rules_pb2.SubmitActionRequest]:
    """A random action for whoever is to act in each match."""
    requests = []
    for match_id in matches:
        match = await client.match(match_id)
        legal = await client.legal(match_id, match.actor)
        requests.append(
            rules_pb2.SubmitActionRequest(
                match_id=match_id,
                seat=match.actor,
                request_id=f"{match_id}-{number}",
                expected_revision=match.revision,
                action=rng.choice(legal.actions),
            )
        )
    return requests


async def _submits(client: Client, requests: Sequence[rules_pb2.SubmitActionRequest]) -> float:
    return await _seconds([client.call("SubmitAction", request) for request in requests])


async def _echoes(client: Client) -> float:
    stub: Any = HealthStub(client.channel)
    return await _seconds([stub.Check(HealthCheckRequest()) for _ in range(FLIGHT)])


async def _seconds(calls: Sequence[Awaitable[object]]) -> float:
    """How long all of `calls` take together."""
    start = time.perf_counter()
    await asyncio.gather(*calls)
    return time.perf_counter() - start
