"""The app's inbox over streams that break: how things stand, whatever came and went meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from app.model.gateway import Offline
from app.model.inbox import Inbox
from app.model.online import CaughtUp, GoneTable, InboxUpdate, SaidPhrase
from app.model.shown import Shown
from app.model.store import Store
from app.model.values import (
    Invitation,
    MatchStatus,
    MyMatch,
    Occupant,
    Table,
    TableStatus,
)
from app.net.fake import FakeGateway
from app.net.fake_people import FRIEND, ME


class Scripted(FakeGateway):
    """Its inbox says what a test wants, stream by stream; after the last one it says no more."""

    def __init__(self, *streams: list[InboxUpdate | Exception]) -> None:
        super().__init__()
        self.scripts = list(streams)

    async def watch_inbox(self, phrases_after: int) -> AsyncGenerator[InboxUpdate]:
        self.inboxes.append(phrases_after)
        if not self.scripts:
            await asyncio.Event().wait()
        for update in self.scripts.pop(0):
            if isinstance(update, Exception):
                raise update
            yield update


def mine(number: int, revision: int = 1) -> MyMatch:
    """A running match in which it is our turn."""
    seats = (Occupant(ME.player_id), Occupant(FRIEND.player_id))
    table = Table(f"t-{number}", "", "socker", seats, TableStatus.STARTED, f"m-{number}", number)
    return MyMatch(table, (0,), revision, MatchStatus.RUNNING, 0, None)


def invited(number: int) -> Invitation:
    """An invitation of the friend's."""
    seats = (Occupant(FRIEND.player_id), Occupant())
    table = Table(f"t-{number}", "", "socker", seats, TableStatus.OPEN, "", number)
    return Invitation(table, FRIEND, number, seen=False)


async def followed(
    folder: Path, gateway: Scripted, heard: Callable[[Inbox], None] = lambda _: None
) -> Inbox:
    """The inbox once the gateway has said all it has to say."""

    async def at_once(_seconds: float) -> None:
        await asyncio.sleep(0)

    store = Store(folder)
    inbox = Inbox(store, "s", Shown(store), sleep=at_once)
    inbox.listen(lambda: heard(inbox))
    streams = len(gateway.scripts)
    following = asyncio.create_task(inbox.follow(gateway))
    async with asyncio.timeout(10):
        while len(gateway.inboxes) <= streams:  # noqa: ASYNC110  # no event of ours
            await asyncio.sleep(0)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    return inbox


async def test_what_went_away_while_offline_is_gone(tmp_path: Path) -> None:
    gateway = Scripted(
        [mine(1), mine(2), invited(3), invited(4), CaughtUp(), Offline("cut")],
        [mine(2, revision=5), invited(4), CaughtUp()],
    )
    inbox = await followed(tmp_path, gateway)
    assert {key: one.revision for key, one in inbox.matches.items()} == {"t-2": 5}
    assert set(inbox.invitations) == {"t-4"}
    assert inbox.waiting == 2


async def test_a_stream_that_is_cut_before_it_has_told_everything_changes_nothing(
    tmp_path: Path,
) -> None:
    gateway = Scripted([mine(1), mine(2), CaughtUp(), Offline("cut")], [mine(1), Offline("cut")])
    inbox = await followed(tmp_path, gateway)
    assert set(inbox.matches) == {"t-1", "t-2"}


async def test_all_that_was_there_before_is_one_change_and_then_each_is_one(
    tmp_path: Path,
) -> None:
    there = [mine(number) for number in range(300)]
    gateway = Scripted([*there, CaughtUp(), mine(300), GoneTable("t-0"), CaughtUp(7)])
    known: list[int] = []
    await followed(tmp_path, gateway, lambda inbox: known.append(len(inbox.matches)))
    assert known == [300, 301, 300, 300]


async def test_phrases_are_heard_once_and_the_last_one_is_remembered(tmp_path: Path) -> None:
    said = [SaidPhrase(number, "m-1", 1, 1) for number in (1, 2, 3)]
    gateway = Scripted([*said[:2], CaughtUp(), Offline("cut")], [said[2], CaughtUp()])
    inbox = await followed(tmp_path, gateway)
    assert inbox.phrases == said
    assert gateway.inboxes == [0, 2, 3]
    again = Scripted()
    await followed(tmp_path, again)
    assert again.inboxes == [3]
