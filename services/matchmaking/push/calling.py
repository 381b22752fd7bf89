"""Calling people whose app is closed, from the moment something concerns them until it is sent.

Calls wait in an outbox, written in the transaction of what causes them; what happens in matches
rules notes in the same way, and tells until it has been taken over (docs/adr/0080).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.clock import Clock
from services.common.errors import invalid_field
from services.common.transactions import reading, writing
from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.neighbours import Rules
from services.matchmaking.people.codes import digest
from services.matchmaking.people.model import Account
from services.matchmaking.people.there import require_there
from services.matchmaking.push import store as push_store
from services.matchmaking.push.quiet import Quiet
from services.matchmaking.push.senders import Gone, Later, Message, Refused, Sender, Sent
from services.matchmaking.push.store import Due, State

BATCH: Final = 50
LONGEST_TOKEN: Final = 1_024
SENDING_MS: Final = 60_000
"""A process that has not come back to a call for so long was killed."""
LOOKING_MS: Final = 60_000
"""Who still looks at a match after so long has seen it; a stream of a phone that lost its network
has been found out by then."""
FIRST_PAUSE_S: Final = 5.0
LONGEST_PAUSE_S: Final = 3_600.0
MOST_TRIES: Final = 12
KEEP_DONE_MS: Final = 24 * 3_600_000
UNHEARD_MS: Final = 180 * 24 * 3_600_000
"""A device whose app was not started for so long is forgotten, like an unused refresh token."""


@dataclass(frozen=True, slots=True)
class PushDevices:
    """Devices that want to be called."""

    engine: AsyncEngine
    clock: Clock

    async def register(self, account: Account, token: str, quiet: Quiet) -> None:
        """Call a device from now on; raises `RefusedError` INVALID_FIELD."""
        device_id, now_ms = _device_id(token), self.clock()
        async with writing(self.engine) as db:
            await require_there(db, account.player_id)
            await push_store.register(db, device_id, account.player_id, token, quiet, now_ms)

    async def forget(self, account: Account, token: str) -> None:
        """Call a device of the account no more; raises `RefusedError` INVALID_FIELD."""
        device_id = _device_id(token)
        async with writing(self.engine) as db:
            await push_store.forget(db, device_id, account.player_id)

    async def tidy(self) -> None:
        """Forget what nobody needs any more."""
        now_ms = self.clock()
        async with writing(self.engine) as db:
            await push_store.tidy(db, now_ms - KEEP_DONE_MS, now_ms - UNHEARD_MS)


@dataclass(frozen=True, slots=True)
class Calling:
    """Takes over what rules has noted, and sends what is due.

    A call may be sent twice if a process is killed right after sending it; a device then shows it
    once, since the later replaces the earlier.
    """

    engine: AsyncEngine
    rules: Rules
    sender: Sender
    clock: Clock

    async def any_waiting(self) -> bool:
        """Whether anything is due, or has been noted by rules."""
        async with reading(self.engine) as db:
            due, _ = await push_store.oldest_due(db, self.clock())
        return due > 0 or bool(await self.rules.calls(1))

    async def round(self) -> None:
        """Do both. What waits is sent although rules is away, if it has not to be asked."""
        try:
            await self._take_over()
        finally:
            await self._send_due()

    async def _take_over(self) -> None:
        """Let what rules noted wait here. Only what is safe here is acknowledged there."""
        while True:
            calls = await self.rules.calls()
            if not calls:
                return
            async with writing(self.engine) as db:
                await push_store.post(db, calls, self.clock())
            await self.rules.ack_calls(calls)

    async def _send_due(self) -> None:
        """Send what is due."""
        for invited in (True, False):  # for invitations nobody has to be asked
            while await self._send_some(invited=invited):
                pass

    async def _send_some(self, *, invited: bool) -> bool:
        now_ms = self.clock()
        async with reading(self.engine) as db:
            found = await push_store.due(db, now_ms, BATCH, invited=invited)
        quiet = {one: until for one in found if (until := one.quiet.until(now_ms)) is not None}
        loud = [one for one in found if one not in quiet]
        states = await (self._invitations(loud) if invited else self._turns(loud))
        async with writing(self.engine) as db:
            await push_store.lock(db, found)
            for one, until_ms in quiet.items():
                await push_store.put_off(db, one, until_ms)
            for one, state in zip(loud, states, strict=True):
                if state is State.SEEN and not one.seen:
                    await push_store.put_off(db, one, now_ms + LOOKING_MS, seen=True)
                elif state is not State.STANDS:
                    await push_store.finish(db, one, now_ms)
            pairs = zip(loud, states, strict=True)
            wanted = [one for one, state in pairs if state is State.STANDS]
            mine = await push_store.claim(db, wanted, now_ms + SENDING_MS)
        await asyncio.gather(*map(self._send, mine))
        return bool(found)

    async def _invitations(self, dues: Sequence[Due]) -> list[State]:
        """Whether invitations still wait for an answer, and have not been seen."""
        states = []
        async with reading(self.engine) as db:
            for one in dues:
                call = one.call
                waits = await inbox_store.is_waiting(db, call.subject_id, call.player_id)
                states.append(State.STANDS if waits else State.LAPSED)
        return states

    async def _turns(self, dues: Sequence[Due]) -> list[State]:
        return await self.rules.check_calls([one.call for one in dues]) if dues else []

    async def _send(self, one: Due) -> None:
        call = one.call
        message = Message(one.device_id, one.token, call.kind, call.subject_id)
        result = await self.sender.send(message)
        now_ms = self.clock()
        async with writing(self.engine) as db:
            match result:
                case Gone():
                    await push_store.forget(db, one.device_id)
                case Later(after_s) if one.tries + 1 < MOST_TRIES:
                    pause_ms = int(1_000 * max(after_s, pause_s(one.tries)))
                    await push_store.put_off(db, one, now_ms + pause_ms)
                case Sent() | Later() | Refused():
                    await push_store.finish(db, one, now_ms)


def pause_s(tries: int) -> float:
    """How long to wait after so many tries before: twice as long each time, and not all at once."""
    longest = min(FIRST_PAUSE_S * 2.0**tries, LONGEST_PAUSE_S)
    return random.uniform(0.75 * longest, longest)


def _device_id(token: str) -> str:
    if not 1 <= len(token) <= LONGEST_TOKEN or not token.isascii() or not token.isprintable():
        raise invalid_field("push_token", f"must have 1 to {LONGEST_TOKEN} printable characters")
    return digest(token)
