"""The promises of a gateway, kept over the network by the running system."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from app.model.account import MemoryAccount
from app.model.gateway import Gateway
from app.net.remote import RemoteGateway
from services.standalone.target import local_address
from tests.fixtures.standalone import Served, serve
from tests.mobile.beside import BesidePromises
from tests.mobile.gateways import GatewayPromises


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A system of this file's own."""
    with serve(tmp_path_factory.mktemp("gateway") / "state") as served:
        yield served


class TestRemote(GatewayPromises, BesidePromises):
    @pytest.fixture
    async def gateway(self, system: Served) -> AsyncIterator[Gateway]:
        gateway = RemoteGateway(local_address(system.running.addresses), MemoryAccount())
        yield gateway
        await gateway.close()
