"""A server at home: a phone meets it by four words, and believes nobody else afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme

import tests.mobile.headless  # noqa: F401  # before anything of Kivy
from app.main import Settings, make_session
from app.model.gateway import Offline, Untrusted
from app.model.introduction import Introduction, Known
from app.model.store import Store
from app.model.values import Player
from app.net.address import BadAddress, parse_address
from app.net.introduction import meet
from app.net.remote import RemoteGateway
from tests.fixtures.local import free_port
from tests.fixtures.standalone import START_S, STOP_S, call, command, environment
from tests.mobile.ui import Hands, hands_on


@dataclass(frozen=True, slots=True)
class Told:
    """What the command tells who holds a phone."""

    address: str
    link: str
    words: tuple[str, ...]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """A server for the phones in the house, which is this machine alone."""
    directory = tmp_path_factory.mktemp("home")
    out = directory / "out"
    with out.open("w") as file:
        process = subprocess.Popen(
            command("home", "--listen", "127.0.0.1", "--port", str(free_port())),
            env=environment(directory / "state", PYTHONIOENCODING="utf-8"),
            stdout=file,
            stderr=subprocess.PIPE,
        )
        try:
            deadline = time.monotonic() + START_S
            while "Ctrl-C stops it" not in out.read_text():
                assert process.poll() is None, process.stderr and process.stderr.read()
                assert time.monotonic() < deadline, "the server does not start"
                time.sleep(0.1)
            yield _told(out.read_text())
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=STOP_S)
    assert process.returncode == 0


def _told(text: str) -> Told:
    assert "█" in text, "no QR code"
    found = dict(re.findall(r"^  (\w+) +(\S.*)$", text, re.MULTILINE))
    return Told(found["Address"], found["Link"], tuple(found["Words"].split(" - ")))


@pytest.mark.parametrize("way", ["address", "link"])
async def test_a_phone_meets_it_by_address_or_link_and_signs_in(
    home: Told, way: str, tmp_path: Path
) -> None:
    met = await meet(getattr(home, way))
    assert met.words == home.words
    known = Known(Store(tmp_path))
    known.keep(met)
    assert (await _sign_in(known, met.server)).display_name


@pytest.mark.parametrize("way", ["address", "link"])
async def test_by_touch_the_words_are_compared_and_the_server_is_used(
    home: Told, way: str, tmp_path: Path
) -> None:
    async with hands_on(make_session(Settings(), tmp_path)) as hands:
        await _type_server(hands, getattr(home, way))
        dialog = hands.app.root.ids.dialog
        await hands.until(lambda: dialog.shown)
        assert tuple(dialog.title.split()) == home.words
        assert not hands.screen.told
        await hands.settle()
        hands.tap(dialog.choices["same"])
        await hands.until(lambda: hands.screen.told)
        assert hands.app.session.server == home.address


async def test_by_touch_somebody_in_its_place_is_named_and_told_nothing(tmp_path: Path) -> None:
    heard: list[bytes] = []
    session = make_session(Settings(), tmp_path)
    async with _somebody(heard) as server, hands_on(session) as hands:
        session.known.keep(Introduction(server, _pem(), ("a", "b", "c", "d")))
        await _type_server(hands, server)
        await hands.until(lambda: hands.screen.trouble)
        assert "Somebody else" in hands.screen.trouble
        assert not hands.app.root.ids.dialog.shown
    assert heard == []


async def _type_server(hands: Hands, text: str) -> None:
    await hands.press("settings")
    await hands.on("settings")
    hands.screen.ids.server.text = text
    await hands.reach(hands.screen.ids.use)


@pytest.mark.field(36)
async def test_before_anybody_has_compared_it_is_not_believed(home: Told, tmp_path: Path) -> None:
    with pytest.raises(Untrusted):
        await _sign_in(Known(Store(tmp_path)), home.address)


async def test_a_link_of_another_server_is_refused(home: Told) -> None:
    other = home.link[:-3] + ("AAA" if not home.link.endswith("AAA") else "BBB")
    with pytest.raises(BadAddress, match="Another server"):
        await meet(other)


@pytest.mark.field(36)
async def test_who_takes_its_place_later_is_not_believed(tmp_path: Path) -> None:
    """Nor asked who plays here: the connection ends before a word is said."""
    heard: list[bytes] = []
    known = Known(Store(tmp_path))
    async with _somebody(heard) as server:
        known.keep(Introduction(server, _pem(), ("a", "b", "c", "d")))
        with pytest.raises(Untrusted):
            await _sign_in(known, server)
    assert heard == []


async def test_who_shows_nothing_to_compare_is_named_so(tmp_path: Path) -> None:
    async with _somebody([]) as server:
        with pytest.raises(BadAddress, match="nothing that could be compared"):
            await meet(server)


@pytest.mark.parametrize("signs", range(4))
async def test_only_the_certificate_that_is_compared_is_believed(signs: int) -> None:
    """Somebody between may show the real one with another of their own behind it, of any length."""
    real, other = trustme.CA(), trustme.CA()
    more = f"{ssl.PEM_HEADER}\n{'A' * signs}\n{ssl.PEM_FOOTER}\n"
    shown = real.cert_pem.bytes() + (more.encode() if signs else other.cert_pem.bytes())
    async with _somebody([], shown) as server:
        met = await meet(server)
    assert met.authority == ssl.DER_cert_to_PEM_cert(ssl.PEM_cert_to_DER_cert(_text(real)))
    assert met.authority.count("BEGIN CERTIFICATE") == 1


async def test_nobody_there_is_offline() -> None:
    with pytest.raises(Offline):
        await meet(f"127.0.0.1:{free_port()}")


@pytest.mark.parametrize("link", ["oddsocks://server/", "oddsocks://server/#abc"])
async def test_a_link_without_a_server_is_named(link: str) -> None:
    with pytest.raises(BadAddress, match="no server in this link"):
        await meet(link)


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = call(tmp_path / "state", "home", "--listen", "127.0.0.1", "--port", str(port))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"oddsocks: can't listen on 127.0.0.1:{port}")


def _pem() -> str:
    """The certificate of another authority."""
    return _text(trustme.CA())


def _text(authority: trustme.CA) -> str:
    return authority.cert_pem.bytes().decode()


async def _sign_in(known: Known, server: str) -> Player:
    gateway = RemoteGateway(parse_address(server, ca_pem=known.authority(server)))
    try:
        return await gateway.sign_in()
    finally:
        await gateway.close()


@contextlib.asynccontextmanager
async def _somebody(heard: list[bytes], shown: bytes = b"") -> AsyncIterator[str]:
    """A server at 127.0.0.1 that shows this to every request, or else is an empty 404."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.set_alpn_protocols(["h2", "http/1.1"])
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        status = b"200 OK" if shown else b"404 Not Found"
        length = str(len(shown)).encode()
        writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: " + length)
        writer.write(b"\r\nConnection: close\r\n\r\n" + shown)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
