"""`python -m services.admin` against real services: what operators learn and do, and what not."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.matchmaking.v1.matchmaking_service_pb2_grpc import MatchmakingServiceStub
from oddsocks.play.v1 import play_pb2
from services.common.keys import ensure_keys
from tests.contract.matchmaking.world import OPEN, SELF, Guest, agent, fresh_id
from tests.fixtures.stack import Stack, running_stack

PATIENCE_S = 60
DAYS = play_pb2.TableRules(pace=play_pb2.PACE_DAYS)


@pytest.fixture
async def stack(tmp_path: Path) -> AsyncIterator[Stack]:
    # Nobody takes jobs from a queue that is not there: what waits, waits.
    async with running_stack(tmp_path, redis_url="redis://127.0.0.1:1/0") as stack:
        yield stack


@pytest.fixture
async def anna(stack: Stack) -> AsyncIterator[Guest]:
    async with grpc.aio.insecure_channel(stack.addresses["matchmaking"]) as channel:
        stub: Any = MatchmakingServiceStub(channel)
        request = mm.SignInGuestRequest(request_id=fresh_id(), display_name="Pippilotta")
        answer = await stub.SignInGuest(request, timeout=20)
        yield Guest(stub, answer.player, answer.tokens)


def settings(stack: Stack) -> dict[str, str]:
    return {
        "ODDSOCKS_RULES_ADDRESS": stack.rules_internal,
        "ODDSOCKS_AI_ADDRESS": f"127.0.0.1:{stack.ai.internal_port}",
        "ODDSOCKS_MATCHMAKING_ADDRESS": f"127.0.0.1:{stack.matchmaking.internal_port}",
        "ODDSOCKS_SERVICE_SECRET_FILE": str(stack.directory / "keys" / "service.secret"),
    }


async def command(environment: dict[str, str], *arguments: str) -> tuple[int, str, str]:
    """The command's exit status, output and errors."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("ODDSOCKS_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.admin", *arguments),
        env=inherited | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE_S):
        out, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), errors.decode()


async def answer(stack: Stack, *arguments: str) -> Any:
    """What it says to programs; to people it says the same, and to neither any name."""
    status, out, errors = await command(settings(stack), *arguments, "--json")
    assert (status, errors) == (0, "")
    assert "Pippilotta" not in out
    status, shown, errors = await command(settings(stack), *arguments)
    assert (status, errors) == (0, "")
    assert shown.strip()
    assert "Pippilotta" not in shown
    return json.loads(out)


async def test_a_match_and_a_player_from_outside(stack: Stack, anna: Guest) -> None:
    table = await anna.open(
        SELF, agent(), game="sock_monsters", rules=DAYS, pace=play_pb2.PACE_DAYS
    )
    found = await answer(stack, "match", table.match_id)
    assert found["game"] == "sock_monsters"
    assert found["host_player_id"] == anna.player.player_id
    assert [(seat["player_id"], seat["agent"]) for seat in found["seats"]] == [
        (anna.player.player_id, ""),
        ("", "random"),
    ]
    assert found["summary"]["status"] == "MATCH_STATUS_RUNNING"
    assert set(found) == {"summary", "game", "pace", "host_player_id", "seats"}
    assert not {"views", "state", "position", "seed"} & set(found["summary"])
    player = await answer(stack, "player", anna.player.player_id)
    assert player["match_ids"] == [table.match_id]
    assert (player["deleted_at_ms"], player["push_devices"]) == ("0", 0)
    counted = await answer(stack, "stats")
    assert counted["matches"]["running"] == "1"
    assert counted["players"]["players"] == "1"


async def test_turns_that_wait_and_asking_for_them_again(stack: Stack, anna: Guest) -> None:
    table = await anna.open(agent(), agent(), rules=DAYS, pace=play_pb2.PACE_DAYS)
    assert await anna.open(SELF, OPEN)
    waits = {seat["match_id"] for seat in await answer(stack, "waiting")}
    assert waits == {table.match_id}
    assert await answer(stack, "waiting", "--older-than", "100000") == []
    # Until the ai service has noticed, which no event of ours can tell.
    async with asyncio.timeout(PATIENCE_S):
        while (await answer(stack, "requeue", table.match_id))["seats"] == 0:  # noqa: ASYNC110 (in a server)
            await asyncio.sleep(0)
    assert (await answer(stack, "requeue", "0" * 32))["seats"] == 0
    assert (await answer(stack, "stats"))["players"]["open_tables"] == "1"


async def test_what_goes_wrong_is_one_line(stack: Stack, tmp_path: Path) -> None:
    ensure_keys(tmp_path / "others")
    wrong = {"ODDSOCKS_SERVICE_SECRET_FILE": str(tmp_path / "others" / "service.secret")}
    for environment, arguments, said in (
        (settings(stack), ("match", "0" * 32), "no such match"),
        (settings(stack), ("player", "nobody"), "no such player"),
        (settings(stack) | wrong, ("stats",), "the token is not valid here"),
        ({}, ("stats",), "set ODDSOCKS_"),
    ):
        status, out, errors = await command(environment, *arguments)
        assert (status, out) == (1, "")
        assert len(errors.splitlines()) == 1
        assert errors.startswith("admin: ")
        assert said in errors
