"""A service that stops leaves no work behind: its database's connections are let go last."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from services.common.clock import system_clock
from services.rules.service import running
from tests.fixtures.rules import Client, Rules, make_settings


async def watch(client: Client, match_id: str) -> None:
    async for _ in client.watch(match_id):
        pass


def of_a_caller(task: asyncio.Task[Any]) -> bool:
    return str(getattr(task.get_coro(), "__qualname__", "")).startswith(
        ("_AioCall.", "UnaryUnaryCall.", "UnaryStreamCall.")
    )


@pytest.mark.parametrize("pause_s", [0.0, 0.02])
async def test_stopping_in_the_middle_of_calls_leaves_no_work_behind(
    pause_s: float, database_url: str, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path / "keys", database_url)
    before = asyncio.all_tasks()
    async with running(settings) as server:
        rules = Rules(
            f"127.0.0.1:{server.public_port}",
            f"127.0.0.1:{server.internal_port}",
            settings.keys_file.parent,
            system_clock,
        )
        match_ids = [await rules.new_match("anna", "ben", host="carla") for _ in range(8)]
        works: list[Coroutine[Any, Any, Any]] = []
        for match_id in match_ids:
            works += [rules.player(name).match(match_id) for name in ("anna", "ben", "carla")]
            works += [watch(rules.player(name), match_id) for name in ("anna", "carla")]
        asked = [asyncio.create_task(work) for work in works]
        await asyncio.sleep(pause_s)
    left = asyncio.all_tasks() - before - set(asked)
    left = {task for task in left if not of_a_caller(task)}
    try:
        assert [task for task in left if not task.done()] == []
    finally:
        await rules.close()
        await asyncio.wait(asked, timeout=30)
