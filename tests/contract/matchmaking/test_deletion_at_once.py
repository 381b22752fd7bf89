"""An account is deleted while it, or somebody who has to do with it, does something else.

Whichever of the two is first, nothing is left of the account that is not meant to be, and nobody
else is refused anything. In each test one side has written all it writes and is held up before its
commit, while the other begins. Should the other not have got so far when the first goes on, the
test passes without a reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any

import grpc
import pytest

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1 import push_service_pb2 as push_pb
from oddsocks.matchmaking.v1.push_service_pb2_grpc import PushServiceStub
from oddsocks.rules.v1 import calls_internal_service_pb2 as calls_pb
from services.common.errors import error_info
from services.matchmaking import schema
from services.matchmaking.inbox import store as inbox_store
from services.matchmaking.people.herald import Herald
from tests.contract.matchmaking.finders import Finder, finder, swept
from tests.contract.matchmaking.test_deletion import tables_with
from tests.contract.matchmaking.world import OPEN, SELF, World, fresh_id

A_MOMENT_S = 0.5
HELLO = 1


@dataclass(slots=True)
class Story:
    """Anna Karenina, who goes, and Ben, who has to do with her in every way there is."""

    world: World
    anna: Finder
    ben: Finder
    running: pb.Table
    over: pb.Table
    waits: pb.Table

    def annas(self) -> list[Callable[[], Awaitable[Any]]]:
        """What she may do herself, on another device."""
        anna = self.anna
        push: Any = PushServiceStub(anna.device.channel)
        device = push_pb.RegisterDeviceRequest(push_token="tablet", time_zone="Asia/Seoul")
        return [
            lambda: anna.guest.join(self.waits.invitation_code),
            lambda: anna.guest.open(SELF, OPEN),
            lambda: anna.guest.rematch(self.over.match_id),
            lambda: anna.open_ticket(game="sock_monsters"),
            lambda: _say(anna, self.running.match_id, 0),
            lambda: anna.device.friends("RenewFriendCode"),
            lambda: anna.device.accounts("UpdateProfile", display_name="Anna K."),
            lambda: push.RegisterDevice(device, metadata=anna.metadata),
        ]

    def bens(self) -> list[Callable[[], Awaitable[Any]]]:
        """What Ben does, and the service for both, that concerns her."""
        ben = self.ben
        invitation = {"table_id": self.waits.table_id, "player_id": self.anna.id}
        return [
            lambda: ben.guest.rematch(self.over.match_id),
            lambda: _say(ben, self.running.match_id, 1),
            lambda: ben.lobby("InviteFriend", **invitation),
            lambda: swept(self.world, "pair"),
            lambda: swept(self.world, "push"),
        ]


async def _say(one: Finder, match_id: str, seat: int) -> None:
    said = {"request_id": fresh_id(), "match_id": match_id, "seat": seat, "number": HELLO}
    await one.inbox("SendPhrase", **said)


@pytest.fixture
async def story(world: World) -> Story:
    anna, ben = [await finder(world, name) for name in ("Anna Karenina", "Ben")]
    await anna.befriend(ben)
    matches = []
    for _ in range(2):
        table = await anna.guest.open(SELF, OPEN)
        matches.append(await ben.guest.join(table.invitation_code))
    running, over = matches
    world.rules.end(over.match_id, in_feed=True)
    waits = await ben.guest.open(SELF, OPEN, OPEN, game="sock_monsters")
    push: Any = PushServiceStub(anna.device.channel)
    phone = push_pb.RegisterDeviceRequest(push_token="phone", time_zone="Asia/Seoul")
    await push.RegisterDevice(phone, metadata=anna.metadata)
    turn = calls_pb.CALL_KIND_TURN
    world.rules.calls.append(
        calls_pb.Call(match_id="a" * 32, player_id=anna.id, kind=turn, turn_revision=7)
    )
    for one in (anna, ben):
        await one.open_ticket()
    return Story(world, anna, ben, running, over, waits)


async def nothing_is_left(story: Story) -> None:
    stored = await story.world.dump()
    assert "Karenina" not in stored
    assert "Anna K." not in stored
    kept = {
        column.table.name
        for table in schema.metadata.sorted_tables
        for column in table.columns
        if column.info == schema.KEEP
    }
    assert await tables_with(story.world, story.anna.id) <= kept | {"players", "ended_sessions"}
    waits = await story.ben.guest.get(story.waits.table_id)
    assert [seat.player_id for seat in waits.seats] == [story.ben.id, "", ""]


async def all_of(calls: list[Callable[[], Awaitable[Any]]]) -> list[Any]:
    return await asyncio.gather(*(call() for call in calls), return_exceptions=True)


def refusal(answer: Any) -> str:
    """Why a call was refused; empty: it was not."""
    if not isinstance(answer, BaseException):
        return ""
    assert isinstance(answer, grpc.aio.AioRpcError), answer
    info = error_info(answer)
    assert info is not None, answer
    return str(info.reason)


async def test_friends_who_delete_themselves_at_once_hold_up_nobody(world: World) -> None:
    friends = [await finder(world, f"Friend {number}") for number in range(6)]
    for number, one in enumerate(friends):
        for other in friends[:number]:
            await one.befriend(other)
        table = await one.guest.open(SELF, OPEN)
        for other in friends[:number]:
            await one.lobby("InviteFriend", table_id=table.table_id, player_id=other.id)
    assert {refusal(answer) for answer in await all_of([_delete(one) for one in friends])} == {""}
    for one in friends:
        assert "Friend" not in await world.dump()
        assert "friends" not in await tables_with(world, one.id)


def _delete(one: Finder) -> Callable[[], Awaitable[Any]]:
    return lambda: one.device.accounts("DeleteAccount")


@pytest.fixture
def deletion_held_up(monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """A deletion stops when it has done everything, until it may go on."""
    done, go_on = asyncio.Event(), asyncio.Event()
    note = Herald.note

    async def held_up(herald: Herald, *what: Any, **how: Any) -> None:
        await note(herald, *what, **how)
        done.set()
        await go_on.wait()

    monkeypatch.setattr(Herald, "note", held_up)
    return done, go_on


async def test_who_is_being_deleted_leaves_no_more_behind(
    story: Story, deletion_held_up: tuple[asyncio.Event, asyncio.Event]
) -> None:
    done, go_on = deletion_held_up
    deletion: Any = story.anna.device.accounts("DeleteAccount")
    deleting = asyncio.ensure_future(deletion)
    await done.wait()
    calls = asyncio.create_task(all_of(story.annas()))
    await asyncio.wait({calls}, timeout=A_MOMENT_S)
    go_on.set()
    await deleting
    refusals = {refusal(answer) for answer in await calls}
    # A profile is shown as it was; nothing of it is written.
    assert refusals <= {"PLAYER_NOT_FOUND", "TOKEN_INVALID", "MATCH_NOT_FOUND", ""}
    assert "PLAYER_NOT_FOUND" in refusals
    await nothing_is_left(story)


async def test_nobody_has_to_do_with_who_is_being_deleted_any_more(
    story: Story, deletion_held_up: tuple[asyncio.Event, asyncio.Event]
) -> None:
    done, go_on = deletion_held_up
    deletion: Any = story.anna.device.accounts("DeleteAccount")
    deleting = asyncio.ensure_future(deletion)
    await done.wait()
    calls = asyncio.create_task(all_of(story.bens()))
    await asyncio.wait({calls}, timeout=A_MOMENT_S)
    go_on.set()
    await deleting
    refusals = [refusal(answer) for answer in await calls]
    assert set(refusals) <= {"", "PLAYER_NOT_FOUND"}, "who invites her may hear that she is gone"
    assert refusals.count("") >= 4
    await nothing_is_left(story)
    # His ticket waits on for somebody else, and the rematch is for whoever comes.
    assert [ticket.game for ticket in await story.ben.tickets()] == ["socker"]
    again = await story.ben.guest.rematch(story.over.match_id)
    assert sorted(seat.player_id for seat in again.seats) == ["", story.ben.id]
    assert not any(seat.display_name for seat in again.seats if not seat.player_id)


@pytest.mark.parametrize("who", ["annas", "bens"])
async def test_what_is_committed_while_a_deletion_waits_goes_with_it(
    story: Story, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    written, go_on = asyncio.Event(), asyncio.Event()
    bump = inbox_store.bump

    async def held_up(db: Any, player_ids: Collection[str]) -> dict[str, int]:
        raised = await bump(db, player_ids)
        if story.anna.id in player_ids:
            written.set()
            await go_on.wait()
        return raised

    with monkeypatch.context() as patch:
        patch.setattr(inbox_store, "bump", held_up)
        calls = asyncio.create_task(all_of(getattr(story, who)()))
        await written.wait()
        deletion: Any = story.anna.device.accounts("DeleteAccount")
        deleting = asyncio.ensure_future(deletion)
        await asyncio.wait({deleting}, timeout=A_MOMENT_S)
        go_on.set()
        refusals = {refusal(answer) for answer in await calls}
        await deleting
    assert refusals <= {"", "PLAYER_NOT_FOUND", "TOKEN_INVALID", "MATCH_NOT_FOUND"}
    await nothing_is_left(story)
