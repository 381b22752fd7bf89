"""A match on the screen: what the server says, what this device just did, and how they meet.

An action is shown at once and sent; the server's word, when it comes, always wins. Whatever
happens to the answer (lost, late, repeated, refused), the board ends equal to the server's
(rows 2 and 6).
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeAlias

from app.model.follow import Backoff, Connection, FollowUpdate, Sleep, follow
from app.model.gateway import Gateway, GatewayError, Offline, Refused
from app.model.kept import Kept, KeptActs, Late, deliver
from app.model.recap import Missed, missed_of
from app.model.terms import Pace, Said, Wish
from app.model.values import Act, Event, Finished, Heartbeat, Match, MatchStatus, UnknownAct

RECENT = 12
"""How many events before the present are fetched when a match is opened: the last turn or two."""


SLICE_S = 0.01
"""How long updates are taken in without a pause, seconds: a part of one frame (row 31)."""


@dataclass(frozen=True, slots=True)
class Acted:
    """Somebody acted. `mine` marks this device's own action, shown before the server's word."""

    act: Act
    actor: int
    mine: bool = False
    past: bool = False


@dataclass(frozen=True, slots=True)
class Happened:
    """Something beside the game, about the seat `actor`; a `Synced` follows."""

    said: Said
    actor: int
    past: bool = False


@dataclass(frozen=True, slots=True)
class Pulse:
    """A sign of life: the server's clock, milliseconds since 1970 UTC, and who watches."""

    now_ms: int
    watchers: int


@dataclass(frozen=True, slots=True)
class Synced:
    """The match as the server says it is: the board shows exactly this from now on."""

    match: Match


@dataclass(frozen=True, slots=True)
class Rejected:
    """The server refused this device's action; a `Synced` follows."""

    error: Refused


@dataclass(frozen=True, slots=True)
class Broken:
    """The match can't be followed any more."""

    error: GatewayError


@dataclass(frozen=True, slots=True)
class Overtaken:
    """The match moved on before an action made offline could be sent: is it still wanted?"""

    act: Act


Change: TypeAlias = (
    Acted | Overtaken | Happened | Pulse | Synced | Missed | Rejected | Connection | Broken
)


@dataclass(frozen=True, slots=True)
class _Pending:
    request_id: str
    revision: int
    seat: int
    act: Act


class LiveMatch:
    """One match followed and played. `on_change` is called for each change, in order."""

    def __init__(
        self,
        gateway: Gateway,
        match_id: str,
        on_change: Callable[[Change], None],
        *,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
        seen: int | None = None,
        kept: KeptActs | None = None,
    ) -> None:
        """`seen` is the revision that was shown last: what happened since is told first."""
        self.match_id = match_id
        self.match: Match | None = None
        self.online = False
        self._gateway, self._on_change = gateway, on_change
        self._sleep, self._jitter, self._new_id = sleep, jitter, new_id
        self._pending: _Pending | None = None
        self._seen = seen
        self._kept = kept
        """Where actions of matches over days are kept until the server has them."""
        self._delivers = kept is not None and kept.get(match_id) is not None
        """Whether what was done before the match was opened is still to be sent."""
        self._closed = False

    def close(self) -> None:
        """Nobody looks any more: no change is reported from here on."""
        self._closed = True
        self._on_change = lambda _change: None

    @property
    def may_act(self) -> bool:
        """Whether a seat of this device is to act and nothing is under way."""
        match = self.match
        return bool(
            not self.waits
            and match is not None
            and match.status is MatchStatus.RUNNING
            and match.acting_view is not None
        )

    @property
    def waits(self) -> bool:
        """Whether an action of this device has no answer yet: until then there can't be another."""
        return self._pending is not None or self._delivers

    async def run(self) -> None:
        """Follow the match until it is over or broken; cancel to stop."""
        try:
            match = await self._opened()
            if self._delivers:
                match = await self._deliver_first()
            since = max(0, match.revision - RECENT)
            await self._follow(since, past_before=match.revision)
        except GatewayError as error:
            self._on_change(Broken(error))

    async def _follow(self, since: int, past_before: int) -> None:
        clock = asyncio.get_running_loop().time
        paused_s = clock()
        following = follow(
            self._gateway, self.match_id, since, sleep=self._sleep, jitter=self._jitter
        )
        async with aclosing(following) as updates:
            async for update in updates:
                self._take(update, past_before)
                if clock() - paused_s > SLICE_S:
                    # A stream with a backlog never waits by itself: let frames be drawn.
                    await asyncio.sleep(0)
                    paused_s = clock()

    async def _opened(self) -> Match:
        match = await self._fetched()
        missed = None if self._seen is None else await missed_of(self._gateway, match, self._seen)
        if missed is not None:
            self._on_change(missed)
        self._sync(match)
        return match

    async def _fetched(self) -> Match:
        backoff = Backoff(self._jitter)
        while True:
            try:
                match = await self._gateway.get_match(self.match_id)
            except Offline:
                self._go(False)
                await self._sleep(backoff.next())
            else:
                self._go(True)
                return match

    def _take(self, update: FollowUpdate, past_before: int) -> None:
        match update:
            case Connection(online=online):
                self._go(online)
            case Event():
                self._event(update, past=update.revision < past_before)
            case Match():
                if self.match is None or update.revision >= self.match.revision:
                    self._sync(update)
            case Heartbeat(now_ms=now_ms, watchers=watchers):
                self._on_change(Pulse(now_ms, watchers))
            case Finished():
                pass  # The match sent before it says the same.

    def _go(self, online: bool) -> None:
        if online != self.online:
            self.online = online
            self._on_change(Connection(online))

    def _event(self, event: Event, *, past: bool) -> None:
        if event.said is not None:
            self._on_change(Happened(event.said, event.actor, past=past))
            return
        pending = self._pending
        if pending and not past and (event.revision, event.act) == (pending.revision, pending.act):
            return  # Shown already, when it was made.
        self._on_change(Acted(event.act, event.actor, past=past))

    def _sync(self, match: Match) -> None:
        self.match = match
        if self._pending and match.revision > self._pending.revision:
            self._pending = None
        self._on_change(Synced(match))

    async def act(self, act: Act) -> None:
        """Make `act` for the seat to act. Nothing happens when none of ours is.

        Retries under one request id until there is an answer, so an action counts once however
        often the connection breaks.
        """
        match = self.match
        if not self.may_act or match is None or match.actor is None:
            return
        pending = _Pending(self._new_id(), match.revision, match.actor, act)
        self._pending = pending
        self._keep(pending, match)
        self._on_change(Acted(act, pending.seat, mine=True))
        try:
            await self._submitted(pending)
        except Refused as error:
            await self._refused(pending, error)
        except GatewayError as error:
            self._pending = None
            if self.match is not None:
                self._sync(self.match)
            self._on_change(Broken(error))

    async def wish(self, seat: int, wish: Wish) -> None:
        """Do something beside the game for a seat of this device, however often the connection
        breaks; what it led to comes with the stream."""
        request_id, backoff = self._new_id(), Backoff(self._jitter)
        while not self._closed:
            try:
                await self._gateway.control(self.match_id, seat, request_id, wish)
            except Offline:
                self._go(False)
                await self._sleep(backoff.next())
            except Refused as error:
                self._on_change(Rejected(error))
                return
            except GatewayError as error:
                self._on_change(Broken(error))
                return
            else:
                self._go(True)
                return

    async def _deliver_first(self) -> Match:
        """Send what was done before the match was opened, before anything else can be done; how
        the match stands then."""
        backoff = Backoff(self._jitter)
        while not await self._deliver():
            self._go(False)
            await self._sleep(backoff.next())
        match = await self._fetched()
        self._delivers = False
        self._sync(match)
        return match

    async def _deliver(self) -> bool:
        """Send what was done offline before, or ask about it; False while the server can't be
        reached, and it stays where it is."""
        if self._kept is None:
            return True
        try:
            late = await deliver(self._gateway, self._kept, self.match_id, self._new_id)
        except Offline:
            return False
        except Refused as error:
            self._on_change(Rejected(error))
            return True
        if late is not None:
            self._overtaken(late)
        return True

    def _overtaken(self, late: Late) -> None:
        self._delivers = False
        if self.match is None or late.match.revision >= self.match.revision:
            self._sync(late.match)
        if late.act is not None:
            self._on_change(Overtaken(late.act))
        else:
            self._on_change(Rejected(Refused("STALE_REVISION", "", {})))

    def _keep(self, pending: _Pending, match: Match) -> None:
        if self._kept is not None and match.terms.pace is Pace.DAYS:
            self._kept.keep(
                Kept(
                    self.match_id,
                    pending.request_id,
                    pending.seat,
                    pending.revision,
                    match.position_of(pending.seat),
                    "" if isinstance(pending.act, UnknownAct) else pending.act.notation,
                )
            )

    def _is_kept(self, pending: _Pending) -> bool:
        one = self._kept.get(self.match_id) if self._kept is not None else None
        return one is not None and one.request_id == pending.request_id

    def _arrived(self, pending: _Pending) -> None:
        if self._kept is not None:
            self._kept.drop(self.match_id, pending.request_id)

    async def _submitted(self, pending: _Pending) -> None:
        backoff = Backoff(self._jitter)
        while True:
            try:
                await self._gateway.submit_action(
                    self.match_id, pending.seat, pending.request_id, pending.revision, pending.act
                )
            except Offline:
                if self._closed:
                    return  # Nobody looks any more; what is kept is sent another time.
                if self._pending is not pending:
                    # The match went on, by this action or without it; maybe with another one.
                    if self._is_kept(pending):
                        await self._deliver()
                    return
                self._go(False)
                await self._sleep(backoff.next())
            else:
                self._go(True)
                self._arrived(pending)
                return

    async def _refused(self, pending: _Pending, error: Refused) -> None:
        if self._pending is pending:
            self._pending = None
        if error.reason == "STALE_REVISION" and self._is_kept(pending):
            if not self._closed:  # else it is asked about when the match is opened again
                await self._deliver()
            return
        self._arrived(pending)
        self._on_change(Rejected(error))
        if self.match is not None:
            self._sync(self.match)
        try:
            match = await self._gateway.get_match(self.match_id)
        except GatewayError:
            return  # The stream will say it.
        if self.match is None or match.revision >= self.match.revision:
            self._sync(match)
