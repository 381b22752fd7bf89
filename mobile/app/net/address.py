"""Where the server is, as a person writes it, and whether its words may travel in the open."""

from __future__ import annotations

import ipaddress
import re
import ssl
from dataclasses import dataclass
from pathlib import Path

import certifi

from app.i18n import tr
from app.model.troubles import ForPeople

SERVICES = ("rules", "matchmaking", "ai")
TLS_PORT = 443


class BadAddress(ForPeople):
    """An address nobody can use; the message says why and names the part at fault."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One listening server."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether it is this machine."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Address:
    """Where the three public services are: behind one edge, or each on its own port."""

    rules: Endpoint
    matchmaking: Endpoint
    ai: Endpoint
    plaintext: bool = False
    ca_file: Path | None = None
    ca_pem: str = ""
    """An authority that a person has compared, instead of those the world trusts."""

    def __post_init__(self) -> None:
        for endpoint in (self.rules, self.matchmaking, self.ai):
            if self.plaintext and not endpoint.is_loopback:
                raise BadAddress(
                    tr("Without encryption only this device works, not '{part}'.", part=endpoint)
                )
        if self.ca_file is not None and not self.ca_file.is_file():
            raise BadAddress(tr("There is no certificate file '{part}'.", part=self.ca_file))

    def __str__(self) -> str:
        if self.rules == self.matchmaking == self.ai:
            return str(self.rules)
        return ",".join(f"{name}={getattr(self, name)}" for name in SERVICES)

    def tls(self) -> ssl.SSLContext | None:
        """What connections are protected with; None for plain text.

        The roots are our own or certifi's, never the device's: Android gives Python none
        (python-for-android#2620). Without ALPN, servers just drop the connection.
        """
        if self.plaintext:
            return None
        try:
            if self.ca_pem:
                context = ssl.create_default_context(cadata=self.ca_pem)
            else:
                context = ssl.create_default_context(cafile=str(self.ca_file or certifi.where()))
        except (ssl.SSLError, ValueError) as error:
            raise BadAddress(
                tr("'{part}' is not a certificate.", part=self.ca_file)
                if self.ca_file
                else tr("What is kept of this server is not a certificate.")
            ) from error
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["h2"])
        return context


def parse_address(
    text: str, *, plaintext: bool = False, ca_file: Path | None = None, ca_pem: str = ""
) -> Address:
    """Read `host`, `host:port` or `rules=host:port,matchmaking=host:port,ai=host:port`.

    Raises `BadAddress`.
    """
    parts = [part.strip() for part in text.strip().split(",")]
    if len(parts) == 1 and "=" not in parts[0]:
        endpoint = _endpoint(parts[0])
        return Address(endpoint, endpoint, endpoint, plaintext, ca_file, ca_pem)
    found: dict[str, Endpoint] = {}
    for part in parts:
        name, equals, where = part.partition("=")
        if not equals or name not in SERVICES or name in found:
            form = f"{'=…,'.join(SERVICES)}=…"
            raise BadAddress(tr("Write {form}, not '{part}'.", form=form, part=part[:80]))
        found[name] = _endpoint(where)
    missing = [name for name in SERVICES if name not in found]
    if missing:
        raise BadAddress(tr("An address is missing for {names}.", names=", ".join(missing)))
    return Address(found["rules"], found["matchmaking"], found["ai"], plaintext, ca_file, ca_pem)


_HOST = re.compile(r"\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9_][A-Za-z0-9._-]*)")


def _endpoint(text: str) -> Endpoint:
    host = _HOST.match(text)
    rest = text[host.end() :] if host else ""
    if host is None or (rest and not rest.startswith(":")) or rest.startswith("://"):
        raise BadAddress(tr("'{part}' is not an address.", part=text[:80]))
    try:
        host[0].encode("idna")
    except UnicodeError as error:  # No name has a part without signs, or one of more than 63.
        raise BadAddress(tr("'{part}' is not an address.", part=text[:80])) from error
    port = rest[1:] if rest else str(TLS_PORT)
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise BadAddress(tr("'{part}' is not a port.", part=port[:20]))
    return Endpoint(host[1] or host[2], int(port))
