"""The promises of a gateway, kept without a network; over one they are tried in tests/e2e."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.model.gateway import Gateway
from app.model.store import Store
from app.net.fake import FakeGateway
from app.net.local import LocalGateway
from app.net.local_shelf import Shelf
from app.net.local_thinking import Thinker
from services.engine.agents import Budget
from tests.mobile.beside import BesidePromises
from tests.mobile.gateways import GatewayPromises


class TestFake(GatewayPromises):
    @pytest.fixture
    def gateway(self) -> Gateway:
        gateway = FakeGateway(1)
        gateway.seed = "5e" * 32
        return gateway


class TestLocal(GatewayPromises, BesidePromises):
    @pytest.fixture
    async def gateway(self, tmp_path: Path) -> AsyncIterator[Gateway]:
        thinker = Thinker(Budget(seconds=0.1))
        gateway = LocalGateway(Shelf(Store(tmp_path)), lambda: "Ada", thinker=thinker, pace_s=0)
        yield gateway
        await gateway.close()
