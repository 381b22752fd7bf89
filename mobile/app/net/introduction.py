"""Meeting a server that no public authority vouches for, such as one in somebody's home.

It is asked, over a connection that nobody vouches for yet, for the authority it goes by. A person
compares four words of that with what the server shows at home. Until they have, nothing is sent
that says who plays here; afterwards nothing but that authority is believed at this address.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import http.client
import ssl
from dataclasses import dataclass
from typing import Final

from app.i18n import tr
from app.model.gateway import Offline
from app.model.introduction import LINK, Introduction
from app.net.address import BadAddress, Endpoint, parse_address
from app.net.four_words import four_words

PATH: Final = "/ca.crt"
TIMEOUT_S: Final = 10.0
_MOST_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class Link:
    """A server as its link says it: the address, and a digest of its authority ("" for none)."""

    server: str
    digest: str = ""


def digest_of(certificate: bytes) -> str:
    """The digest of a certificate (DER) as links carry it."""
    return base64.urlsafe_b64encode(hashlib.sha256(certificate).digest()).rstrip(b"=").decode()


def link_to(server: str, certificate: bytes) -> str:
    """The link to a server at `host:port` that goes by `certificate` (DER)."""
    return f"{LINK}{server}#{digest_of(certificate)}"


def parse_link(text: str) -> Link:
    """Read a link, or an address as people type it. Raises `BadAddress` for no link of ours."""
    text = text.strip()
    if not text.lower().startswith(LINK):
        return Link(text)
    server, _, digest = text[len(LINK) :].partition("#")
    if not server.strip("/"):
        raise BadAddress(tr("There is no server in this link: '{part}'", part=text[:80]))
    return Link(server.strip("/"), digest)


async def meet(text: str) -> Introduction:
    """Ask the server of a link or address for the authority it goes by.

    Raises `BadAddress` when it has none to show or the link is of another one, `Offline`.
    """
    link = parse_link(text)
    address = parse_address(link.server)
    pem = await asyncio.to_thread(_fetch, address.rules)
    try:
        # This one, and none that came behind it.
        first, end, _ = pem.strip().partition(ssl.PEM_FOOTER)
        certificate = ssl.PEM_cert_to_DER_cert(first + end)
        pem = ssl.DER_cert_to_PEM_cert(certificate)
        ssl.create_default_context(cadata=pem)
    except (ValueError, ssl.SSLError) as error:
        raise BadAddress(tr("This server shows nothing that could be compared.")) from error
    if link.digest and link.digest != digest_of(certificate):
        raise BadAddress(tr("Another server answers there than the one in the link."))
    words = await asyncio.to_thread(four_words, certificate)
    return Introduction(link.server, pem, words)


def _fetch(endpoint: Endpoint) -> str:
    """What is under `PATH`, from whoever answers there."""
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname = False
    anybody.verify_mode = ssl.CERT_NONE
    connection = http.client.HTTPSConnection(
        endpoint.host, endpoint.port, timeout=TIMEOUT_S, context=anybody
    )
    try:
        connection.request("GET", PATH)
        response = connection.getresponse()
        body = response.read(_MOST_BYTES)
    except (OSError, http.client.HTTPException) as error:
        raise Offline(str(error) or type(error).__name__) from error
    finally:
        connection.close()
    if response.status != http.client.OK:
        raise BadAddress(tr("This server shows nothing that could be compared."))
    return body.decode("ascii", errors="replace")
