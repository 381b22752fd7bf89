"""A minute without a network, from the person's hand to the services behind the edge."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from app.main import Settings, make_session
from app.model.gateway import Offline
from app.model.values import SeatWish
from tests.fixtures.edge import running_edge
from tests.fixtures.lossy import lossy
from tests.fixtures.stack import running_stack
from tests.mobile.ui import hands_on

OUTAGE_S = 60.0
BACK_WITHIN_S = 5.0


@pytest.mark.long
@pytest.mark.field(24)
@pytest.mark.timeout(400)
async def test_after_a_minute_of_dropped_packets_calls_work_within_five_seconds(
    tmp_path: Path,
) -> None:
    async with (
        running_stack(tmp_path / "stack") as stack,
        running_edge(tmp_path / "edge", stack.addresses) as edge,
        lossy(edge.port) as line,
    ):
        settings = Settings(server=f"localhost:{line.port}", ca_file=edge.ca_file)
        session = make_session(settings, tmp_path / "phone")
        async with hands_on(session) as hands:
            family = (SeatWish.ME, SeatWish.ME)
            table = await session.online.open_table("1", "socker", family, {})
            hands.app.navigator.go("match", match_id=table.match_id)
            await hands.until(lambda: hands.screen.live and hands.screen.live.match is not None)
            assert not hands.app.offline

            line.drop_packets()
            began = time.monotonic()
            with pytest.raises(Offline):  # what the person does in the meantime gets no answer
                await session.online.get_match(table.match_id)
            await hands.until(lambda: hands.app.offline)
            await asyncio.sleep(max(0, began + OUTAGE_S - time.monotonic()))  # as the row says
            assert hands.app.offline

            line.restore()
            began = time.monotonic()
            match = await session.online.get_match(table.match_id)
            assert time.monotonic() - began <= BACK_WITHIN_S
            assert match.match_id == table.match_id
            await hands.until(lambda: not hands.app.offline, seconds=BACK_WITHIN_S)
