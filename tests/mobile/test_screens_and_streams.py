"""Fifty visits to a match leave nothing behind, on the phone or on the server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

from app.main import Settings, make_session
from app.model.values import SeatWish
from tests.fixtures.stack import running_stack
from tests.mobile.ui import hands_on

VISITS = 50
WATCH = "/oddsocks.rules.v1.RulesService/WatchMatch"


def streams() -> float:
    """Open streams on the server, which is in this process."""
    return REGISTRY.get_sample_value("oddsocks_streams", {"method": WATCH}) or 0


def failures() -> float:
    """Calls that ended in a fault of the server's."""
    name = "oddsocks_calls_total"
    return REGISTRY.get_sample_value(name, {"method": WATCH, "result": "INTERNAL"}) or 0


@pytest.mark.field(22)
async def test_fifty_visits_to_a_match_leave_no_stream_and_no_error(tmp_path: Path) -> None:
    troubles: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: troubles.append(context))
    streams_before, failures_before = streams(), failures()
    async with running_stack(tmp_path / "stack") as stack:
        server = ",".join(f"{name}={where}" for name, where in stack.addresses.items())
        session = make_session(Settings(server=server, plaintext=True), tmp_path / "phone")
        async with hands_on(session) as hands:
            family = (SeatWish.ME, SeatWish.ME)
            table = await session.online.open_table("1", "socker", family, {})
            for visit in range(VISITS):
                hands.app.navigator.go("match", match_id=table.match_id)
                if visit % 5:  # now and then somebody leaves before anything has come
                    await hands.until(lambda: hands.screen.live.match is not None)
                if visit % 2:
                    await hands.until(lambda: streams() > streams_before)
                hands.app.navigator.home()
            await hands.until(lambda: streams() == streams_before)
            hands.app.navigator.go("match", match_id=table.match_id)
            await hands.until(lambda: hands.screen.live.match is not None)
            await hands.until(lambda: streams() == streams_before + 1)
            hands.app.navigator.home()
        assert failures() == failures_before
    assert troubles == []
    assert streams() == streams_before
