"""What concerns the player on the server, live: matches, invitations, phrases. Free of Kivy.

The inbox shows how things stand, not a log (ADR 0075): opening the stream again is all there is to
do after a break.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from app.model.follow import Backoff, Sleep
from app.model.gateway import GatewayError, Offline
from app.model.online import CaughtUp, GoneTable, InboxUpdate, Online, SaidPhrase
from app.model.shown import Shown
from app.model.store import Store
from app.model.times import ServerTime
from app.model.values import Invitation, MatchStatus, MyMatch

_FILE = "inbox"

Heard: TypeAlias = Callable[[], None]


@dataclass(slots=True)
class _Tables:
    """All that concern the player, by their ids."""

    matches: dict[str, MyMatch] = field(default_factory=dict)
    invitations: dict[str, Invitation] = field(default_factory=dict)


class Inbox:
    """How all tables and matches of the player stand. Whoever shows them listens.

    `server` names whose inbox it is, since what was heard of one is nothing to another; `shown`
    says which matches were on show here.
    """

    def __init__(
        self,
        store: Store,
        server: str,
        shown: Shown,
        *,
        times: ServerTime | None = None,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.times = times or ServerTime()
        self._tables = _Tables()
        self.phrases: list[SaidPhrase] = []
        """What was said since the app has been open."""
        self.online: bool | None = None
        """None before the first answer."""
        self.error: GatewayError | None = None
        """Why it can't be followed, where trying again is useless."""
        self._store, self._server, self._shown = store, server, shown
        self._sleep, self._jitter = sleep, jitter
        self._heard: list[Heard] = []
        self._phrases_after = self._kept = _read(store.read(_FILE).get(server))

    @property
    def matches(self) -> dict[str, MyMatch]:
        """By table."""
        return self._tables.matches

    @property
    def invitations(self) -> dict[str, Invitation]:
        """By table."""
        return self._tables.invitations

    # --- listening --------------------------------------------------------------------------------

    def listen(self, heard: Heard) -> None:
        """Call `heard` after each change."""
        if heard not in self._heard:
            self._heard.append(heard)

    def leave(self, heard: Heard) -> None:
        """Call `heard` no more."""
        if heard in self._heard:
            self._heard.remove(heard)

    def _changed(self) -> None:
        for heard in list(self._heard):
            heard()

    # --- what was seen ----------------------------------------------------------------------------

    def is_news(self, match: MyMatch) -> bool:
        """Whether something happened in a match that this device has not shown."""
        return match.revision > (self._shown.of(match.table.match_id) or 0)

    @property
    def waiting(self) -> int:
        """How many things wait for the player: turns and unanswered invitations."""
        turns = sum(is_my_turn(match) for match in self.matches.values())
        return turns + len(self.invitations)

    def forget_invitation(self, table_id: str) -> None:
        """It was answered."""
        if self.invitations.pop(table_id, None) is not None:
            self._changed()

    def _save(self) -> None:
        if self._phrases_after == self._kept:
            return
        self._kept = self._phrases_after
        everything = self._store.read(_FILE)
        everything[self._server] = {"phrases_after": self._phrases_after}
        self._store.write(_FILE, everything, durable=False)

    # --- following --------------------------------------------------------------------------------

    async def follow(self, gateway: Online) -> None:
        """Follow the inbox for ever; ends where trying again is useless. Cancel to stop."""
        backoff = Backoff(self._jitter)
        while True:
            try:
                async with aclosing(gateway.watch_inbox(self._phrases_after)) as updates:
                    await self._hear(updates, backoff)
            except Offline:
                if self.online is not False:
                    self.online = False
                    self._changed()
            except GatewayError as error:
                self.error = error
                self._changed()
                return
            await self._sleep(backoff.next())

    async def _hear(self, updates: AsyncIterator[InboxUpdate], backoff: Backoff) -> None:
        """Follow one stream. First it tells how everything stands: that takes the place of what was
        known, since nobody tells what went away in between, and is one change, since who listens
        would else draw a long list anew for each of its lines. Then it tells each change."""
        clock = asyncio.get_running_loop().time
        opened_s, standing, whole = clock(), _Tables(), False
        async for update in updates:
            backoff.lasted(clock() - opened_s)
            self._take(update, standing)
            whole = whole or isinstance(update, CaughtUp)
            if whole:
                self._tables = standing
                self.online, self.error = True, None
                self._save()
                self._changed()

    def _take(self, update: InboxUpdate, tables: _Tables) -> None:
        match update:
            case MyMatch():
                tables.matches[update.table.table_id] = update
                tables.invitations.pop(update.table.table_id, None)
            case Invitation():
                tables.invitations[update.table.table_id] = update
            case GoneTable(table_id=table_id):
                tables.matches.pop(table_id, None)
                tables.invitations.pop(table_id, None)
            case SaidPhrase():
                self.phrases.append(update)
                self._phrases_after = max(self._phrases_after, update.sequence)
            case CaughtUp(now_ms=now_ms):
                self.times.heard(now_ms)


def is_my_turn(match: MyMatch) -> bool:
    """Whether a match waits for this player."""
    return match.status is MatchStatus.RUNNING and match.actor in match.my_seats


def _read(kept: Any) -> int:
    try:
        return int(kept["phrases_after"])
    except (TypeError, KeyError, ValueError):
        return 0
