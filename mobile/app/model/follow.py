"""Following a match through lost connections: every event once, in order (row 6)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeAlias

from app.model.gateway import Gateway, Offline
from app.model.values import Event, Finished, Heartbeat, Match, Update

Sleep: TypeAlias = Callable[[float], Awaitable[None]]

FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 4.0


@dataclass(frozen=True, slots=True)
class Connection:
    """The stream came (back) or went."""

    online: bool


FollowUpdate: TypeAlias = Event | Match | Finished | Heartbeat | Connection


@dataclass
class Backoff:
    """Doubling waits with jitter, so that a thousand phones don't return at the same moment.

    At most 4 s, so that a network that is back is used within 5 s (row 24).
    """

    jitter: Callable[[], float] = random.random
    wait_s: float = FIRST_WAIT_S

    def next(self) -> float:
        """How long to wait before the next try, seconds."""
        wait_s, self.wait_s = self.wait_s, min(2 * self.wait_s, LONGEST_WAIT_S)
        return wait_s * (0.5 + 0.5 * self.jitter())

    def lasted(self, seconds: float) -> None:
        """The last try has worked for so long. Only one that lasts makes up for those before it:
        else a server that ends every stream at once would be asked again at once, for ever."""
        if seconds >= LONGEST_WAIT_S:
            self.wait_s = FIRST_WAIT_S


async def follow(
    gateway: Gateway,
    match_id: str,
    from_revision: int = 0,
    *,
    sleep: Sleep = asyncio.sleep,
    jitter: Callable[[], float] = random.random,
) -> AsyncGenerator[FollowUpdate, None]:
    """Yield the updates of a match until it is over, reconnecting from the last revision seen.

    Raises `Refused` when the match is not there or not ours, and `Untrusted`; being offline is
    an update, not an error.
    """
    backoff = Backoff(jitter)
    wanted = from_revision
    online: bool | None = None  # Whoever follows may have been told otherwise before.
    clock = asyncio.get_running_loop().time
    while True:
        opened_s = clock()
        try:
            async with aclosing(gateway.watch_match(match_id, wanted)) as stream:
                async for update in stream:
                    if online is not True:
                        online = True
                        yield Connection(True)
                    backoff.lasted(clock() - opened_s)
                    shown, wanted = _sift(update, wanted)
                    if shown is not None:
                        yield shown
                    if isinstance(update, Finished):
                        return
                    if isinstance(update, Event) and update.revision > wanted:
                        break  # A gap: ask again from where we are.
        except Offline:
            if online is not False:
                online = False
                yield Connection(False)
            await sleep(backoff.next())
        else:
            # Ended without the last word: the server is draining. Come back at once, but never
            # spin on a server that ends every stream.
            await sleep(backoff.next())


def _sift(update: Update, wanted: int) -> tuple[Update | None, int]:
    """What of `update` is new when the next event wanted is `wanted`, and what is wanted then."""
    match update:
        case Heartbeat(now_ms=now_ms):
            # Without a time it is only a sign of life, or of a kind this app does not know.
            return (update if now_ms else None), wanted
        case Event(revision=revision):
            return (update, wanted + 1) if revision == wanted else (None, wanted)
        case Match(revision=revision):
            # An older match can only be the echo of a resumed stream.
            return (update, revision) if revision >= wanted else (None, wanted)
        case Finished():
            return update, wanted
