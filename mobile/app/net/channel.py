"""A grpclib channel that does not wait for a connection that may never come about.

While packets are lost, an attempt to connect hangs; the operating system repeats its packets after
pauses that grow, so it may go on hanging long after the network is back (grpc#15889). A slow
network looks the same at first. So a further attempt starts every few seconds beside the others,
and the first to succeed is used.
"""

from __future__ import annotations

import asyncio
from typing import Any

from grpclib.client import Channel
from grpclib.protocol import H2Protocol

STAGGER_S = 2.5
"""A network that is back is used within this long, and a round trip or two."""

MOST_AT_ONCE = 4


class PatientChannel(Channel):
    """Connects by staggered attempts; how long at most is up to the call that needs it.

    Once closed it stays closed, also for who is waiting for a connection: they get an OSError.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._attempts: list[asyncio.Task[H2Protocol]] = []
        self._closed = False

    async def _create_connection(self) -> H2Protocol:
        try:
            while not self._closed:
                if len(self._attempts) == MOST_AT_ONCE:
                    self._attempts.pop(0).cancel()
                self._attempts.append(asyncio.ensure_future(super()._create_connection()))
                done, _ = await asyncio.wait(
                    self._attempts, timeout=STAGGER_S, return_when=asyncio.FIRST_COMPLETED
                )
                if done and not self._closed:
                    attempt = done.pop()
                    self._attempts.remove(attempt)
                    return attempt.result()  # or what it raised: that is an answer, too
            raise ConnectionResetError("closed while connecting")
        finally:
            self._give_up()

    def close(self) -> None:
        self._closed = True
        self._give_up()
        transport = getattr(getattr(self._protocol, "connection", None), "_transport", None)
        super().close()
        if transport is not None:
            # TLS would wait for the server's goodbye, up to half a minute, with the socket open:
            # an app that ends or goes on to another server does not.
            transport.abort()

    def _give_up(self) -> None:
        for attempt in self._attempts:
            attempt.add_done_callback(_close)
            attempt.cancel()
        self._attempts = []


def _close(attempt: asyncio.Task[H2Protocol]) -> None:
    """Close a connection that came about after all."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().processor.close()
