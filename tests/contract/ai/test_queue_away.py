"""The queue away, seen from the sweep over waiting seats, on a clock that the test moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1.rules_internal_service_pb2_grpc import RulesInternalServiceStub
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from services.ai.answers import SERVICE
from services.ai.dispatcher import Dispatcher
from services.ai.plan import LIVE
from services.ai.publish import Publisher
from services.ai.store import MIGRATIONS, Dispatches
from services.common.auth import ServiceTokens, read_secret
from services.common.clock import system_clock
from services.common.database import connect, migrate
from services.common.server import internal_channel
from tests.contract.ai.processes import Site
from tests.contract.ai.stand_in import StandIn
from tests.fixtures.sql import ManualClock

NOBODY = "redis://127.0.0.1:1/0"


@pytest.mark.field(13)
async def test_a_live_turn_is_decided_in_time_although_it_stands_behind_one_over_days(
    stand_in: StandIn, site: Site, tmp_path: Path
) -> None:
    """What can't be sent holds up nothing that is found without the queue."""
    engine = connect(f"sqlite:///{tmp_path}/ai.sqlite3")
    await migrate(engine, MIGRATIONS)
    secret = read_secret(site.directory / "keys" / "service.secret")
    tokens, clock = ServiceTokens(SERVICE, secret, system_clock), ManualClock()
    publisher = Publisher(NOBODY)
    async with internal_channel(site.rules_address, tokens) as channel:
        dispatcher = Dispatcher(
            RulesInternalServiceStub(channel),
            RulesServiceStub(channel),
            Dispatches(engine),
            publisher,
            clock,
        )
        stand_in.open("days", pace=play_pb2.PACE_DAYS)
        live = stand_in.open("live")
        begun = clock.now
        for passed_ms in (0, LIVE.retry_ms, 3 * LIVE.retry_ms, LIVE.decide_ms):
            clock.now = begun + passed_ms
            await dispatcher.round()
        await stand_in.finished(live, within_s=20)
        await dispatcher.close()
        publisher.close()
    await engine.dispose()
