"""Whom the app believes: the roots it brings along; and what all others hear of it (row 36)."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import certifi
import pytest

from app.model.gateway import GatewayError, Offline, Untrusted
from app.net.address import parse_address
from app.net.remote import RemoteGateway
from tests.mobile.servers import Certified, Script, serving

HANDSHAKE = 22
"""The kind of record that TLS begins with (RFC 8446, 5.1)."""
HTTP2 = b"PRI * HTTP/2.0"
"""What HTTP/2 begins with (RFC 9113, 3.4)."""


@dataclass
class Line:
    """A line between the app and a server on which somebody listens in."""

    port: int
    heard: list[bytearray] = field(default_factory=list)


@asynccontextmanager
async def overheard(port: int) -> AsyncGenerator[Line]:
    """A line to a server on this machine."""
    line = Line(0)

    async def carry(app: asyncio.StreamReader, to_app: asyncio.StreamWriter) -> None:
        said = bytearray()
        line.heard.append(said)
        from_server, server = await asyncio.open_connection("127.0.0.1", port)
        back = asyncio.create_task(_pour(from_server, to_app, bytearray()))
        await _pour(app, server, said)
        await back

    listening = await asyncio.start_server(carry, "127.0.0.1", 0)
    async with listening:
        line.port = listening.sockets[0].getsockname()[1]
        yield line


async def _pour(source: asyncio.StreamReader, sink: asyncio.StreamWriter, copy: bytearray) -> None:
    try:
        while said := await source.read(65536):
            copy += said
            sink.write(said)
            await sink.drain()
    except ConnectionError:
        pass
    finally:
        sink.close()


async def sign_in(port: int) -> str:
    """Sign in at a server on this machine as at any in the world; returns the player's id."""
    gateway = RemoteGateway(parse_address(f"127.0.0.1:{port}"), call_timeout_s=20.0)
    try:
        return (await gateway.sign_in()).player_id
    finally:
        await gateway.close()


def roots(context: ssl.SSLContext | None) -> int:
    """How many authorities a context believes."""
    assert context is not None
    return len(context.get_ca_certs())


@pytest.mark.field(36)
def test_the_roots_are_those_the_app_brings_along(monkeypatch: pytest.MonkeyPatch) -> None:
    brought = ssl.create_default_context(cafile=certifi.where())
    assert roots(brought) > 100
    # Phones give Python none (python-for-android#2620), as here.
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent")
    monkeypatch.setenv("SSL_CERT_DIR", "/nonexistent")
    context = parse_address("play.example.org").tls()
    assert roots(context) == roots(brought)
    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


@pytest.mark.field(36)
async def test_a_server_is_believed_if_the_roots_brought_along_vouch_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certified = Certified(tmp_path)
    async with serving(Script(), certified.credentials) as port:
        with pytest.raises(Untrusted):
            await sign_in(port)
        monkeypatch.setattr(certifi, "where", lambda: str(certified.ca_file))
        assert await sign_in(port) == "p1"


@pytest.mark.field(36)
@pytest.mark.parametrize(("certified", "trouble"), [(True, Untrusted), (False, Offline)])
async def test_who_can_not_prove_who_they_are_hear_a_handshake_and_nothing_else(
    tmp_path: Path, certified: bool, trouble: type[GatewayError]
) -> None:
    """Also a server that speaks plain text only, to which nobody falls back."""
    script = Script()
    credentials = Certified(tmp_path).credentials if certified else None
    async with serving(script, credentials) as port, overheard(port) as line:
        with pytest.raises(trouble):
            await sign_in(line.port)
        assert line.heard
        for said in line.heard:
            assert said[0] == HANDSHAKE
            assert HTTP2 not in said
            assert b"oddsocks" not in said
    assert script.sign_ins == []
