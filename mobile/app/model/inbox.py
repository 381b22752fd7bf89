"""What concerns the player on the server, live: matches, invitations, phrases. Free of Kivy.

The inbox shows how things stand, not a log (ADR 0075): opening the stream again with what was seen
is all there is to do after a break.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import aclosing
from typing import Any, TypeAlias

from app.model.follow import Backoff, Sleep
from app.model.gateway import GatewayError, Offline
from app.model.online import CaughtUp, GoneTable, InboxUpdate, Online, SaidPhrase, Seen
from app.model.shown import Shown
from app.model.store import Store
from app.model.times import ServerTime
from app.model.values import Invitation, MatchStatus, MyMatch

_FILE = "inbox"

Heard: TypeAlias = Callable[[], None]


class Inbox:
    """How all tables and matches of the player stand. Whoever shows them listens.

    `server` names whose inbox it is, since what was seen of one is nothing to another; `shown` says
    which matches were on show here.
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
        self.matches: dict[str, MyMatch] = {}
        """By table."""
        self.invitations: dict[str, Invitation] = {}
        """By table."""
        self.phrases: list[SaidPhrase] = []
        """What was said since the app has been open."""
        self.online: bool | None = None
        """None before the first answer."""
        self.error: GatewayError | None = None
        """Why it can't be followed, where trying again is useless."""
        self._store, self._server, self._shown = store, server, shown
        self._sleep, self._jitter = sleep, jitter
        self._heard: list[Heard] = []
        self._phrases_after = _read(store.read(_FILE).get(server))

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
        everything = self._store.read(_FILE)
        everything[self._server] = {"phrases_after": self._phrases_after}
        self._store.write(_FILE, everything, durable=False)

    # --- following --------------------------------------------------------------------------------

    async def follow(self, gateway: Online) -> None:
        """Follow the inbox for ever; ends where trying again is useless. Cancel to stop."""
        backoff = Backoff(self._jitter)
        while True:
            try:
                seen = Seen(self._shown.on(self._server), self._phrases_after)
                async with aclosing(gateway.watch_inbox(seen)) as updates:
                    async for update in updates:
                        backoff.reset()
                        self.online, self.error = True, None
                        self._take(update)
            except Offline:
                if self.online is not False:
                    self.online = False
                    self._changed()
            except GatewayError as error:
                self.error = error
                self._changed()
                return
            await self._sleep(backoff.next())

    def _take(self, update: InboxUpdate) -> None:
        match update:
            case MyMatch():
                self.matches[update.table.table_id] = update
                self.invitations.pop(update.table.table_id, None)
            case Invitation():
                self.invitations[update.table.table_id] = update
            case GoneTable(table_id=table_id):
                self.matches.pop(table_id, None)
                self.invitations.pop(table_id, None)
            case SaidPhrase():
                self.phrases.append(update)
                self._phrases_after = max(self._phrases_after, update.sequence)
                self._save()
            case CaughtUp(now_ms=now_ms):
                self.times.heard(now_ms)
        self._changed()


def is_my_turn(match: MyMatch) -> bool:
    """Whether a match waits for this player."""
    return match.status is MatchStatus.RUNNING and match.actor in match.my_seats


def _read(kept: Any) -> int:
    try:
        return int(kept["phrases_after"])
    except (TypeError, KeyError, ValueError):
        return 0
