"""How many actions and reads a second the rules service takes, on SQLite, actions on disk first.

Through real sockets, `FLIGHT` matches at once, one call of each in flight. The reference is an echo
on the same server behind the same interceptors, so the ratio says what a call costs beyond gRPC,
token and limits: the rules, what the seats see, and one durable commit shared by all in flight.

Echoes, actions and reads take turns, so that all have the same luck with the machine, and each
round gives a ratio of its own. Times are by the clock, waiting for the disk included. A round in
which others had the processor says more about them, so of all rounds the quietest third counts:
those that took the least time by the clock for the processor's time that they used.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias
from unittest import mock

import grpc

from oddsocks.rules.v1 import rules_service_pb2 as rules_pb2
from services.common.server import Service
from services.rules import service as rules_service
from tests.fixtures.rules import Client, make_settings, serving
from tools.reports import Report

FLIGHT = 32
ROUNDS = 60
WARM_UP = 5
QUIETEST = ROUNDS // 3
LEAST_SUBMITS, LEAST_READS = 0.35, 0.5
"""Of the echoes a second."""
ECHO = "oddsocks.bench.Echo"


def measure(report: Report) -> None:
    """Add `submit / echo` and `read / echo` in calls a second (bounded), and the rates."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(rules_service, "_service", _with_echo(rules_service._service)),
    ):
        rounds = asyncio.run(_rounds(Path(folder)))
    rounds = sorted(rounds, key=_unrest)[:QUIETEST]
    for name, least in (("submit", LEAST_SUBMITS), ("read", LEAST_READS)):
        ratio = statistics.median(r["echo"].clock / r[name].clock for r in rounds)
        report.at_least(f"submits.{name} / echo", round(ratio, 2), least)
        ratio = statistics.median(r["echo"].processor / r[name].processor for r in rounds)
        report.measured(f"submits.{name} / echo, processor", round(ratio, 2))
    for name in ("echo", "submit", "read"):
        rate = FLIGHT / statistics.median(r[name].clock for r in rounds)
        report.measured(f"submits.{name}_per_s", round(rate), "1/s")


@dataclasses.dataclass(frozen=True, slots=True)
class Took:
    """Seconds: by the clock, and of the processor."""

    clock: float
    processor: float


Round: TypeAlias = dict[str, Took]
"""By kind of call."""


def _unrest(one: Round) -> float:
    """How much longer a round took by the clock than on the processor, all calls together."""
    return sum(took.clock for took in one.values()) / sum(took.processor for took in one.values())


def _with_echo(build: Callable[..., Service]) -> Callable[..., Service]:
    """The service with one more, whose only call gives back what it gets."""

    async def echo(request: Any, _context: object) -> Any:
        return request

    handler = grpc.unary_unary_rpc_method_handler(
        echo,
        rules_pb2.SubmitActionRequest.FromString,
        rules_pb2.SubmitActionRequest.SerializeToString,
    )

    def built(*parts: Any) -> Service:
        service = build(*parts)
        handlers = grpc.method_handlers_generic_handler(ECHO, {"Echo": handler})
        more = (ECHO, lambda server: server.add_generic_rpc_handlers((handlers,)))
        return dataclasses.replace(service, public=[*service.public, more])

    return built


async def _rounds(folder: Path) -> list[Round]:
    """What the calls of each round took."""
    rng, rounds = random.Random(1), []
    settings = make_settings(folder, f"sqlite+aiosqlite:///{folder}/rules.db")
    async with serving(settings) as (rules, _):
        anna, ben = rules.player("anna"), rules.player("ben")
        matches = [await rules.new_match("anna", "ben", goals_to_win=9) for _ in range(FLIGHT)]
        for number in range(WARM_UP + ROUNDS):
            actions = await _next_actions((anna, ben), matches, rng, number)
            reads = [rules_pb2.GetMatchRequest(match_id=match_id) for match_id in matches]
            took = {
                "echo": await _took([_echo(who, action) for who, action in actions]),
                "submit": await _took([who.call("SubmitAction", it) for who, it in actions]),
                "read": await _took([anna.call("GetMatch", one) for one in reads]),
            }
            if number >= WARM_UP:
                rounds.append(took)
    return rounds


async def _next_actions(
    players: Sequence[Client], matches: Sequence[str], rng: random.Random, number: int
) -> list[tuple[Client, rules_pb2.SubmitActionRequest]]:
    """A random action for whoever is to act in each match, and who that is."""
    requests = []
    for match_id in matches:
        match = await players[0].match(match_id)
        who = players[match.actor]
        legal = await who.legal(match_id, match.actor)
        request = rules_pb2.SubmitActionRequest(
            match_id=match_id,
            seat=match.actor,
            request_id=f"{match_id}-{number}",
            expected_revision=match.revision,
            action=rng.choice(legal.actions),
        )
        requests.append((who, request))
    return requests


async def _echo(client: Client, request: rules_pb2.SubmitActionRequest) -> None:
    call: Any = client.channel.unary_unary(
        f"/{ECHO}/Echo",
        rules_pb2.SubmitActionRequest.SerializeToString,
        rules_pb2.SubmitActionRequest.FromString,
    )
    assert await call(request, metadata=client.metadata) == request


async def _took(calls: Sequence[Awaitable[object]]) -> Took:
    """What all of `calls` take together."""
    clock, processor = time.perf_counter(), time.process_time()
    await asyncio.gather(*calls)
    return Took(time.perf_counter() - clock, time.process_time() - processor)
