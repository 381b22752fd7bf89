"""What Prometheus reads from real processes, and what their log lines say."""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import httpx
from prometheus_client.parser import text_string_to_metric_families

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from oddsocks.matchmaking.v1.tickets_service_pb2_grpc import TicketsServiceStub
from oddsocks.play.v1 import play_pb2
from services.standalone.ports import free_port
from tests.contract.ai.processes import Site, ai_service
from tests.contract.rules.test_beside import move
from tests.fixtures.local import fresh_redis_url
from tests.fixtures.rules import Rules, new_match_request, refused
from tests.fixtures.rules_process import environment, rules_process

__all__ = ["fresh_redis_url"]

PATIENCE_S = 60
Values = dict[tuple[str, str], float]


async def scrape(address: str) -> Values:
    """All values by name and labels, e.g. ("oddsocks_waiting_turns", "le=2")."""
    async with httpx.AsyncClient(timeout=20) as client:
        text = (await client.get(f"http://{address}/metrics")).text
    return {
        (sample.name, ",".join(f"{k}={v}" for k, v in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def until(address: str, holds: Callable[[Values], bool]) -> Values:
    """What is read once that holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds(values := await scrape(address)):  # noqa: ASYNC110 (in another process)
            await asyncio.sleep(0.1)
    return values


@asynccontextmanager
async def matchmaking(directory: Path, rules: Rules, metrics: str) -> AsyncIterator[str]:
    """A process of matchmaking: its public address."""
    ready = directory / "matchmaking.json"
    settings = environment(
        directory,
        f"sqlite:///{directory}/matchmaking.sqlite3",
        ODDSOCKS_KEYS_FILE=str(directory / "keys" / "signing.json"),
        ODDSOCKS_RULES_ADDRESS=rules.internal,
        ODDSOCKS_READY_FILE=str(ready),
        ODDSOCKS_METRICS_LISTEN=metrics,
    )
    command = (sys.executable, "-m", "services.matchmaking")
    log = (directory / "matchmaking.log").open("wb")
    with log:
        process = await asyncio.create_subprocess_exec(*command, env=settings, stderr=log)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not ready.exists():
                assert process.returncode is None, log.name
                await asyncio.sleep(0.05)
        yield f"127.0.0.1:{json.loads(ready.read_text())['listen']}"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def agents_turn(rules: Rules) -> tuple[str, int]:
    """A match over days in which an agent is to act, and how many actions a person made."""
    request = new_match_request(uuid.uuid4().hex, "anna", "ai:random")
    request.pace = play_pb2.PACE_DAYS
    request.rules.spectators = True
    match_id = (await rules.service("matchmaking").call("CreateMatch", request)).match_id
    made = 0
    while (await rules.player("anna").match(match_id)).actor == 0:
        await move(rules.player("anna"), match_id)
        made += 1
    return match_id, made


async def test_rules_and_ai_show_submits_waiting_turns_queues_and_watchers(
    tmp_path: Path, fresh_redis_url: str
) -> None:
    of_rules, of_ai = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    url = f"sqlite:///{tmp_path}/rules.sqlite3"
    async with rules_process(
        tmp_path, url, ODDSOCKS_METRICS_LISTEN=of_rules, ODDSOCKS_REDIS_URL=fresh_redis_url
    ) as running:
        rules = running.rules
        match_id, made = await agents_turn(rules)
        more = {"ODDSOCKS_METRICS_LISTEN": of_ai}
        async with ai_service(Site(tmp_path, fresh_redis_url, rules.internal, more)):
            values = await until(of_ai, lambda v: v.get(("oddsocks_waiting_turns", "le=+Inf")) == 1)
            ages = [values["oddsocks_waiting_turns", f"le={age}"] for age in (2, 10, 60, 600)]
            assert ages == sorted(ages)
            jobs = ("oddsocks_queue_jobs", "queue=slow")
            values = await until(of_ai, lambda v: v.get(jobs, 0) >= 1)
            assert values["oddsocks_queue_jobs", "queue=live"] == 0
        watching = rules.player("fred").watch(match_id)
        await watching.read()
        await until(of_rules, lambda v: v["oddsocks_watchers", ""] == 1)
        watching.cancel()
        await until(of_rules, lambda v: v["oddsocks_watchers", ""] == 0)
        request_id = uuid.uuid4().hex
        with refused("STALE_REVISION"):
            await rules.player("anna").submit(match_id, 0, request_id, 10**6, "pass")
        resigned = uuid.uuid4().hex
        for _ in range(2):
            await rules.player("anna").wish("Resign", match_id, 0, resigned)
        values = await scrape(of_rules)
        # Without a worker the ai service acts by itself in the end, if this machine is so slow.
        made += sum(event.actor == 1 for event in await rules.player("anna").events(match_id))
        submits = {labels: n for (name, labels), n in values.items() if "submits_total" in name}
        # What has never happened is not counted at all: the agent may have been the first.
        assert submits == ({"result=committed,wish=Move": made} if made else {}) | {
            "result=STALE_REVISION,wish=Move": 1,
            "result=committed,wish=Resign": 1,
            "result=repeated,wish=Resign": 1,
        }
        assert values[
            "oddsocks_call_seconds_count", "method=/oddsocks.rules.v1.RulesService/Resign"
        ]
        lines = [json.loads(line) for line in running.log.read_text().splitlines()]
        (line,) = [line for line in lines if line.get("reason") == "STALE_REVISION"]
        assert (line["match_id"], line["request_id"]) == (match_id, request_id)


async def test_matchmaking_shows_open_tickets_and_calls_that_wait(tmp_path: Path) -> None:
    metrics = f"127.0.0.1:{free_port()}"
    url = f"sqlite:///{tmp_path}/rules.sqlite3"
    async with (
        rules_process(tmp_path, url) as running,
        matchmaking(tmp_path, running.rules, metrics) as address,
        grpc.aio.insecure_channel(address) as channel,
    ):
        stub: Any = MatchmakingServiceStub(channel)
        secret = uuid.uuid4().hex
        signed_in = await stub.SignInGuest(mm.SignInGuestRequest(request_id=secret), timeout=20)
        token = (("authorization", f"Bearer {signed_in.tokens.access_token}"),)
        request = tickets.OpenTicketRequest(request_id=uuid.uuid4().hex, game="socker", seats=2)
        looking: Any = TicketsServiceStub(channel)
        await looking.OpenTicket(request, metadata=token, timeout=20)
        values = await until(metrics, lambda v: v["oddsocks_open_tickets", ""] == 1)
        assert values["oddsocks_push_due", ""] == 0
        assert values["oddsocks_push_oldest_seconds", ""] == 0
    assert secret not in (tmp_path / "matchmaking.log").read_text()
