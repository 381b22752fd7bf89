"""A server for the phones in the house: the whole system behind one address with TLS."""

from __future__ import annotations

import io
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import segno

from app.net.four_words import four_words
from app.net.introduction import link_to
from services.standalone.authority import certify, own_addresses
from services.standalone.edge import answers_tls, edge_command
from services.standalone.part import Part
from services.standalone.problem import Problem
from services.standalone.stack import Stack
from services.standalone.state import State

EVERYWHERE: Final = "0.0.0.0"
_GRACE_S: Final = 5.0
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Home:
    """A running server: where phones find it, and what they compare."""

    address: str
    link: str
    words: tuple[str, ...]


@asynccontextmanager
async def home_server(
    state: State, say: Callable[[str], None], listen: str, port: int, names: Sequence[str]
) -> AsyncIterator[Home]:
    """Everything, and the edge before it, for as long as the block lasts.

    Listens on the address `listen`; `names` are more names and addresses it is known by. Raises
    `Problem`.
    """
    hosts = _hosts(listen, names)
    certificates = certify(state.home, [*hosts, *_LOOPBACK])
    _check_free(listen, port)
    async with Stack(state, say, behind_edge=True) as stack:
        probe = "127.0.0.1" if listen == EVERYWHERE else listen

        async def answers() -> bool:
            return await answers_tls(probe, port, certificates.authority)

        edge = Part(
            "edge",
            edge_command(state.home, f"{listen}:{port}", stack.addresses),
            {},
            state.logs / "edge.log",
            answers,
        )
        try:
            await edge.start()
            edge.on_start = lambda: say(f"the edge had ended and was started again, see {edge.log}")
            address = f"{hosts[0]}:{port}"
            certificate = ssl.PEM_cert_to_DER_cert(certificates.authority.read_text())
            yield Home(address, link_to(address, certificate), four_words(certificate))
        finally:
            await edge.stop(_GRACE_S)


def introduction(home: Home) -> str:
    """What is shown to whoever holds a phone: link, QR code, words."""
    code = io.StringIO()
    segno.make(home.link, error="m").terminal(code, compact=True)
    # Where the terminal can't show it, it would only be noise.
    drawn = code.getvalue() if _can_draw() else ""
    return (
        f"\n{drawn}\n"
        f"  Address   {home.address}\n"
        f"  Link      {home.link}\n"
        f"  Words     {' - '.join(home.words)}\n\n"
        "On each phone: Settings, Server, type the address or paste the link. The phone shows\n"
        "four words. If they are these, it is this server. Ctrl-C stops it.\n"
    )


def _can_draw() -> bool:
    try:
        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _hosts(listen: str, names: Sequence[str]) -> list[str]:
    """What phones may call this machine, the best first."""
    own = [listen] if listen != EVERYWHERE else [a for a in own_addresses() if ":" not in a]
    name = socket.gethostname().partition(".")[0]
    found = dict.fromkeys([*names, *own, *((f"{name}.local", name) if _is_name(name) else ())])
    return list(found)


def _is_name(text: str) -> bool:
    return text.isascii() and text.replace("-", "").isalnum()


def _check_free(listen: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((listen, port))
        except OSError as error:
            raise Problem(
                f"can't listen on {listen}:{port} ({error.strerror}): choose another with PORT="
            ) from None
