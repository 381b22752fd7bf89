"""The viewer's phone while the app is closed: every byte that a sender is asked to send to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final
from unittest import mock

import httpx
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from services.common.clock import Clock
from services.matchmaking.push.calling import Calling
from services.matchmaking.push.fcm import Credentials, FcmSender
from services.matchmaking.push.senders import LogSender, Message, Result
from services.rules.store.calls import CallsSql

TOKEN: Final = "the viewer's phone"
_FIREBASE: Final = "https://firebase.test"


@dataclass(slots=True)
class Phone:
    """What reached it, and the service's work that calls it, to be done when the test says so."""

    record: list[tuple[str, bytes]] = field(default_factory=list)
    calling: list[Calling] = field(default_factory=list)

    async def ring(self) -> None:
        """Call those who are to be called now."""
        (calling,) = self.calling
        await calling.round()


@contextmanager
def closed_apps(clock: Clock) -> Iterator[Phone]:
    """All push senders there are, one after the other, and nobody whose app counts as open."""
    phone = Phone()

    def calling(*parts: Any) -> Calling:
        phone.calling.append(Calling(*parts))
        return phone.calling[-1]

    async def nobody(*_: Any) -> set[tuple[str, str]]:
        return set()

    with (
        mock.patch("services.matchmaking.service._sender", return_value=_Senders(phone, clock)),
        mock.patch("services.matchmaking.service.Calling", calling),
        mock.patch.object(CallsSql, "present", nobody),
    ):
        yield phone


class _Senders:
    """Each sends every call. What the log sender writes is compared with all other log lines."""

    def __init__(self, phone: Phone, clock: Clock) -> None:
        self._phone = phone
        firebase = FcmSender(_credentials(), _FIREBASE, clock)
        firebase._http = httpx.AsyncClient(transport=httpx.MockTransport(self._firebase))
        self._all = (firebase, LogSender())

    async def send(self, message: Message) -> Result:
        """See `Sender`."""
        self._phone.record.append(("push", repr(message).encode()))
        first, *_ = [await sender.send(message) for sender in self._all]
        return first

    async def close(self) -> None:
        """See `Sender`."""
        for sender in self._all:
            await sender.close()

    def _firebase(self, request: httpx.Request) -> httpx.Response:
        headers = b"\n".join(b": ".join(pair) for pair in request.headers.raw)
        whole = f"{request.method} {request.url}\n".encode() + headers + b"\n\n" + request.content
        self._phone.record.append(("push to Firebase", whole))
        return httpx.Response(200, json={"access_token": "good", "expires_in": 3_600})


@lru_cache
def _credentials() -> Credentials:
    key = generate_private_key(65537, 2048)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    return Credentials("oddsocks-test", "push@oddsocks.test", pem, "key", f"{_FIREBASE}/token")
