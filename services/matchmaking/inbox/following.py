"""Following all that concerns a player: first what a device has not seen, then each change.

What is sent is how things stand, not a log of what happened to them. So a stream that broke is
simply opened again: it compares what the device says it has seen with what is there now.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.clock import Clock
from services.common.errors import RefusedError
from services.common.transactions import reading
from services.matchmaking import store
from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.inbox.bells import Bell, Bells
from services.matchmaking.inbox.mine import Mine
from services.matchmaking.inbox.store import Said
from services.matchmaking.model import Finished, Invitation, MyMatch, Person, Table
from services.matchmaking.people import between

ENDED_MS: Final = 7 * 24 * 3_600_000
"""How long a match that is over is still told of."""
POLL_S: Final = 5.0
"""How often inboxes are compared with SQL, for bells that got lost on the way."""
POLL_AWAY_S: Final = 1.0
"""The same while Redis is away."""
_PAGE: Final = 200
_MOST_TABLES: Final = 1_000


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Gone:
    """A table that concerns the player no longer."""

    table_id: str


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """All that was there when the stream began has been sent."""


@dataclass(frozen=True, slots=True)
class Beat:
    """Nothing new for a while."""

    now_ms: int


Update: TypeAlias = MyMatch | Invitation | Gone | Said | CaughtUp | Beat


@dataclass(frozen=True, slots=True)
class Inbox:
    """How inboxes are followed. `draining` ends all streams."""

    engine: AsyncEngine
    mine: Mine
    bells: Bells
    clock: Clock
    draining: asyncio.Event
    heartbeat_s: float

    async def follow(
        self, player: Person, seen: Mapping[str, int], phrases_after: int
    ) -> AsyncIterator[Update]:
        """Updates for a device that has seen matches up to revisions, and phrases up to a
        sequence; until the server drains.
        """
        with self.bells.listen(player.player_id) as bell:
            watcher = _Watcher(self, bell, dict(seen), phrases_after)
            for update in await watcher.everything(first=True):
                yield update
            yield CaughtUp()
            while not self.draining.is_set():
                if not await bell.wait(self.heartbeat_s):
                    yield Beat(self.clock())
                    continue
                came_in, moved = bell.take()
                updates = await (watcher.everything() if came_in else watcher.matches(moved))
                for update in updates:
                    yield update

    async def keep_comparing(self) -> None:
        """Compare now and then what watchers know with SQL, as long as the task lives."""
        while True:
            await asyncio.sleep(POLL_S if self.bells.online() else POLL_AWAY_S)
            # A database or a neighbour that is away is asked again.
            with contextlib.suppress(RefusedError):
                await self.compare()

    async def compare(self) -> None:
        """Ring for watchers who do not know what SQL knows."""
        bells = self.bells.all()
        for some in _pages({bell.player_id for bell in bells}):
            async with reading(self.engine) as db:
                versions = await inbox_store.versions(db, some)
            for bell in bells:
                if versions.get(bell.player_id, bell.version) != bell.version:
                    bell.ring()
        for some in _pages({match_id for bell in bells for match_id in bell.matches}):
            for match_id, summary in (await self.mine.rules.summaries(some)).items():
                for bell in bells:
                    if summary.revision > bell.matches.get(match_id, summary.revision):
                        bell.moved(match_id)

    async def wake_on_drain(self) -> None:
        """Let streams notice that they are to end."""
        await self.draining.wait()
        self.bells.ring_all()


def _pages(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The items in parts of at most `_PAGE`: what rules answers at once."""
    whole = list(items)
    for start in range(0, len(whole), _PAGE):
        yield whole[start : start + _PAGE]


class _Watcher:
    """What one stream has sent."""

    def __init__(self, inbox: Inbox, bell: Bell, seen: dict[str, int], phrases_after: int) -> None:
        self.inbox, self.bell, self.seen = inbox, bell, seen
        self.phrases_after = phrases_after
        self.rows: dict[str, MyMatch] = {}
        self.invitations: dict[str, Invitation] = {}

    async def everything(self, *, first: bool = False) -> list[Update]:
        """All that has changed since this was asked last."""
        inbox, player_id = self.inbox, self.bell.player_id
        async with reading(inbox.engine) as db:
            # The version first: whatever is missed below is noticed by it.
            version = (await inbox_store.versions(db, [player_id])).get(player_id, 0)
            since = inbox.clock() - ENDED_MS
            tables = await store.current_tables(db, player_id, since, _MOST_TABLES)
            over = await store.finished(db, [t.match_id for t in tables if t.match_id])
            invitations = await inbox.mine.invitations(db, player_id)
            blocked = await between.blocked_by(db, player_id)
            phrases = await inbox_store.phrases_after(db, player_id, self.phrases_after, blocked)
        updates: list[Update] = []
        updates += await self._changed(tables, over, first=first)
        updates += self._gone({table.table_id for table in tables}, invitations)
        updates += self._invited(invitations)
        updates += phrases
        if phrases:
            self.phrases_after = phrases[-1].sequence
        self.bell.version = version
        return updates

    async def matches(self, match_ids: set[str]) -> list[Update]:
        """The same of a few matches only."""
        tables = [row.table for row in self.rows.values() if row.table.match_id in match_ids]
        return list(await self._changed(tables, {}))

    async def _changed(
        self, tables: list[Table], over: Mapping[str, Finished], *, first: bool = False
    ) -> list[MyMatch]:
        player_id, changed = self.bell.player_id, []
        for some in _pages(tables):
            for row in await self.inbox.mine.rows(player_id, some, over, self.seen):
                before, now = self.rows.get(row.table.table_id), dataclasses.replace(row, news=())
                self.rows[row.table.table_id] = now
                if now != before and not (first and self._known_already(row)):
                    changed.append(row)
                self._note(row)
        return changed

    def _known_already(self, row: MyMatch) -> bool:
        """Whether the device said that it has seen a match just as it stands."""
        seen = self.seen.get(row.table.match_id)
        return seen is not None and (row.summary is None or row.summary.revision == seen)

    def _note(self, row: MyMatch) -> None:
        match_id, summary = row.table.match_id, row.summary
        if not match_id:
            return
        if summary is None:  # rules is away: anything it says later is news
            self.bell.matches[match_id] = -1
        elif summary.running:
            self.seen[match_id] = self.bell.matches[match_id] = summary.revision
        else:
            self.bell.matches.pop(match_id, None)
            self.seen[match_id] = max(summary.revision, self.seen.get(match_id, 0))

    def _gone(self, table_ids: set[str], invitations: list[Invitation]) -> list[Gone]:
        offered = {invitation.table.table_id for invitation in invitations}
        gone = []
        for table_id in [table_id for table_id in self.rows if table_id not in table_ids]:
            row = self.rows.pop(table_id)
            self.bell.matches.pop(row.table.match_id, None)
            if row.summary is None or row.summary.running:  # else it ended, long ago
                gone.append(Gone(table_id))
        for table_id in [table_id for table_id in self.invitations if table_id not in offered]:
            del self.invitations[table_id]
            if table_id not in table_ids:
                gone.append(Gone(table_id))
        return gone

    def _invited(self, invitations: list[Invitation]) -> list[Invitation]:
        changed = []
        for invitation in invitations:
            table_id = invitation.table.table_id
            if self.invitations.get(table_id) != invitation:
                self.invitations[table_id] = invitation
                changed.append(invitation)
        return changed
