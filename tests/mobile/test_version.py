"""The app says which version it is, the same everywhere; servers may find it too old."""

from __future__ import annotations

import configparser
import tomllib

import pytest

from app import VERSION
from app.model.gateway import Refused
from app.model.troubles import trouble
from app.net.address import parse_address
from app.net.remote import RemoteGateway
from services.common.gate import read_version
from tests.fixtures.stack import running_stack
from tools.reports import ROOT


def test_one_version_everywhere() -> None:
    spec = configparser.ConfigParser(interpolation=None)
    spec.read(ROOT / "mobile" / "buildozer.spec")
    project = tomllib.loads((ROOT / "mobile" / "pyproject.toml").read_text())
    assert VERSION == spec["app"]["version"] == project["project"]["version"]
    assert read_version(VERSION) is not None


@pytest.mark.parametrize("minimum", [VERSION, "9.0.0"])
async def test_an_app_that_is_too_old_can_say_so(
    tmp_path_factory: pytest.TempPathFactory, minimum: str
) -> None:
    directory = tmp_path_factory.mktemp("stack")
    async with running_stack(directory, minimum_client_version=minimum) as stack:
        address = ",".join(f"{name}={where}" for name, where in stack.addresses.items())
        gateway = RemoteGateway(parse_address(address, plaintext=True))
        try:
            if minimum == VERSION:
                assert (await gateway.sign_in()).player_id
                return
            with pytest.raises(Refused) as caught:
                await gateway.sign_in()
            assert caught.value.details == {"minimum": "9.0.0"}
            assert trouble(caught.value) == (
                "This app is too old for the server. Update it, then go on."
            )
        finally:
            await gateway.close()
