"""Following how far the review of a match is, through lost connections."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from app.model.advice import Review, Reviewing
from app.model.follow import Backoff, Connection, Sleep
from app.model.gateway import Gateway, Offline

MOST_TRIES: Final = 8
"""After so many in a row without a word, about half a minute, a person is asked."""


async def reviewed(
    gateway: Gateway,
    match_id: str,
    seat: int,
    *,
    sleep: Sleep = asyncio.sleep,
    jitter: Callable[[], float] = random.random,
) -> AsyncGenerator[Reviewing | Connection, None]:
    """How far the review of a match is, then the review.

    Being offline is an update at first, and an error if it stays so. Raises `GatewayError`.
    """
    backoff, tries = Backoff(jitter), 0
    clock = asyncio.get_running_loop().time
    while True:
        opened_s = clock()
        try:
            async with aclosing(gateway.review(match_id, seat)) as stream:
                async for update in stream:
                    backoff.lasted(clock() - opened_s)
                    tries = 0
                    yield update
                    if isinstance(update, Review):
                        return
        except Offline:
            tries += 1
            if tries == MOST_TRIES:
                raise
            yield Connection(False)
        # Lost, or ended without its last word, since the server is draining: what is done stays so.
        await sleep(backoff.next())
