"""People of the app with the running system: friends, quick match, what comes in, what is asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from app.model.account import MemoryAccount
from app.model.gateway import Refused
from app.model.inbox import Inbox
from app.model.live import Change, Happened, LiveMatch
from app.model.online import CaughtUp, Fill, TicketStatus
from app.model.shown import Shown
from app.model.store import Store
from app.model.terms import Absence, Answer, AskTakeback, Pace, Resign, Said, Terms, Undo
from app.model.values import MatchStatus, SeatWish, Table, TableStatus
from app.net.remote import RemoteGateway
from services.standalone.target import local_address
from tests.fixtures.standalone import Served, serve
from tests.mobile.gateways import act, fresh, legal

WAIT_S = 60


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A system of this file's own."""
    with serve(tmp_path_factory.mktemp("people") / "state") as served:
        yield served


@pytest.fixture
async def pair(system: Served) -> AsyncIterator[tuple[RemoteGateway, RemoteGateway]]:
    """Two people with a device each."""
    address = local_address(system.running.addresses)
    two = tuple(
        RemoteGateway(address, MemoryAccount(), display_name=name) for name in ("Ada", "Ben")
    )
    yield two[0], two[1]
    for one in two:
        await one.close()


Pair = tuple[RemoteGateway, RemoteGateway]


async def until(ready: Callable[[], object]) -> None:
    """Wait for something to come in."""
    end = time.monotonic() + WAIT_S
    while not ready():
        assert time.monotonic() < end, "did not come in"
        await asyncio.sleep(0.05)


def told(changes: list[Change]) -> list[Said]:
    """What happened beside the game."""
    return [one.said for one in changes if isinstance(one, Happened)]


async def started(gateway: RemoteGateway, table: Table) -> Table:
    """A table once its match is there."""
    async with asyncio.timeout(WAIT_S):
        while not table.match_id:
            table = await gateway.get_table(table.table_id)
            await asyncio.sleep(0.05)
    return table


async def match_of_two(pair: Pair, terms: Terms) -> str:
    ada, ben = pair
    table = await ada.open_table(
        fresh(), "socker", (SeatWish.ME, SeatWish.FRIEND), {"turn_cap": 20}, terms
    )
    await ben.sit_down(fresh(), code=table.invitation_code)
    return (await started(ada, table)).match_id


async def test_profile_and_codes(pair: Pair) -> None:
    ada, ben = pair
    profile = await ada.profile()
    assert profile.player.display_name == "Ada"
    assert len(profile.pictures) > 10
    assert not profile.has_recovery_code
    me = await ada.change_profile(name="Ada Ä", picture=profile.pictures[0])
    assert (me.display_name, me.picture) == ("Ada Ä", profile.pictures[0])
    with pytest.raises(Refused) as refused:
        await ada.change_profile(name="x" * 25, picture=None)
    assert refused.value.reason == "INVALID_FIELD"
    code = await ada.make_recovery_code()
    assert (await ada.profile()).has_recovery_code
    assert (await ben.recover(code.lower())).player_id == me.player_id
    assert (await ben.profile()).player.display_name == "Ada Ä"


async def test_another_device_is_linked_and_can_be_signed_out(pair: Pair) -> None:
    ada, ben = pair
    me = await ada.sign_in()
    assert (await ben.link(fresh(), await ada.make_link_code())).player_id == me.player_id
    await ada.sign_out_everywhere()
    assert (await ada.profile()).player.player_id == me.player_id
    # The other device is a new guest from here on.
    assert (await ben.profile()).player.player_id != me.player_id


async def test_a_deleted_account_is_gone(pair: Pair) -> None:
    ada, _ = pair
    me = await ada.sign_in()
    await ada.delete_account()
    assert (await ada.profile()).player.player_id != me.player_id


async def test_friends_invitations_and_blocks(pair: Pair, tmp_path: Path) -> None:
    ada, ben = pair
    me = await ada.sign_in()
    assert (await ben.add_friend(await ada.friend_code())).player_id == me.player_id
    friend = (await ada.friends())[0]
    store = Store(tmp_path)
    inbox = Inbox(store, "s", Shown(store))
    following = asyncio.create_task(inbox.follow(ben))
    table = await ada.open_table(fresh(), "socker", (SeatWish.ME, SeatWish.FRIEND), {})
    await ada.invite(table.table_id, friend.player_id)
    await until(lambda: inbox.invitations)
    assert inbox.invitations[table.table_id].inviter.display_name == "Ada"
    assert inbox.waiting == 1
    await ben.sit_down(fresh(), table_id=table.table_id, persons=("",))
    match_id = (await started(ada, table)).match_id
    await until(lambda: any(one.table.match_id for one in inbox.matches.values()))
    assert inbox.invitations == {}
    await ada.say(fresh(), match_id, 0, (await ada.phrases("de"))[0].number)
    await until(lambda: inbox.phrases)
    assert (inbox.phrases[0].match_id, inbox.phrases[0].seat) == (match_id, 0)
    following.cancel()
    await ben.block(me.player_id)
    assert [one.player_id for one in await ben.blocked()] == [me.player_id]
    assert await ada.friends() == ()
    await ben.unblock(me.player_id)
    assert await ben.blocked() == ()


async def test_an_app_that_starts_anew_is_told_of_what_it_has_shown(
    pair: Pair, tmp_path: Path
) -> None:
    match_id = await match_of_two(pair, Terms())
    store = Store(tmp_path)
    shown = Shown(store)
    shown.note(match_id, (await pair[0].get_match(match_id)).revision)
    inbox = Inbox(store, "s", shown)
    following = asyncio.create_task(inbox.follow(pair[0]))
    await until(lambda: inbox.online)
    there = {one.table.match_id: one for one in inbox.matches.values()}
    assert there[match_id].status is MatchStatus.RUNNING
    assert not inbox.is_news(there[match_id])
    following.cancel()


async def test_quick_match_brings_two_together(pair: Pair) -> None:
    found = [await one.open_ticket(fresh(), "hide_and_seek", 2, {}, Terms(), None) for one in pair]
    assert found[0].status is TicketStatus.WAITING
    async with asyncio.timeout(WAIT_S):
        while not all(one.status is TicketStatus.SEATED for one in found):
            found = [
                await gateway.get_ticket(one.ticket_id)
                for gateway, one in zip(pair, found, strict=True)
            ]
            await asyncio.sleep(0.1)
    tables = [one.table for one in found]
    assert tables[0] is not None
    assert tables[1] is not None
    assert tables[0].table_id == tables[1].table_id


async def test_agents_fill_in_and_a_ticket_can_be_given_back(pair: Pair) -> None:
    ada, ben = pair
    ticket = await ada.open_ticket(fresh(), "socker", 2, {}, Terms(), Fill("random", 0))
    async with asyncio.timeout(WAIT_S):
        while ticket.status is TicketStatus.WAITING:
            ticket = await ada.get_ticket(ticket.ticket_id)
            await asyncio.sleep(0.1)
    assert ticket.status is TicketStatus.SEATED
    other = await ben.open_ticket(fresh(), "socker", 2, {}, Terms(), None)
    assert (await ben.close_ticket(other.ticket_id)).status is TicketStatus.CLOSED


async def test_terms_clocks_and_the_open_list(pair: Pair) -> None:
    ada, ben = pair
    terms = Terms(
        pace=Pace.DAYS, turn_days=2, absence=Absence.FORFEIT, vacation_days=7, spectators=True
    )
    table = await ada.open_table(
        fresh(), "socker", (SeatWish.ME, SeatWish.FRIEND), {}, terms, listed=True
    )
    assert table.terms.turn_days == 2
    assert table.link.endswith(table.invitation_code)
    assert (await ben.find_table(table.link)).table_id == table.table_id
    assert table.table_id in {one.table_id for one in await ben.open_tables("socker")}
    await ben.sit_down(fresh(), table_id=table.table_id)
    table = await started(ada, table)
    match = await ada.get_match(table.match_id)
    assert (match.terms.pace, match.terms.absence) == (Pace.DAYS, Absence.FORFEIT)
    assert match.clock is not None
    assert match.clock.deadline_ms is not None
    assert 0 < match.clock.deadline_ms - match.clock.now_ms <= 3 * 86_400_000
    assert table.match_id in {one.match_id for one in await ben.watchable()}
    assert await ada.leaderboard("socker", "")
    assert await ada.ratings() == ()


async def test_a_live_match_hears_what_is_asked_and_who_gave_up(pair: Pair) -> None:
    ada = pair[0]
    match_id = await match_of_two(pair, Terms(turn_seconds=3600))
    match = await ada.get_match(match_id)
    gateways = {
        view.seat: gateway for gateway in pair for view in (await gateway.get_match(match_id)).views
    }
    assert match.actor is not None
    actor = gateways[match.actor]
    changes: list[Change] = []
    live = LiveMatch(actor, match_id, changes.append)
    running = asyncio.create_task(live.run())
    seen = await actor.get_match(match_id)
    await act(actor, seen, legal(seen)[0])
    seen = await actor.get_match(match_id)
    view = seen.views[0]
    assert view.may_undo
    await live.wish(view.seat, Undo(seen.revision))
    await until(lambda: Said.UNDO in told(changes))
    seen = await actor.get_match(match_id)
    await act(actor, seen, legal(seen)[0])
    seen = await actor.get_match(match_id)
    await live.wish(view.seat, AskTakeback(seen.revision))
    other = gateways[1 - view.seat]
    asked = (await other.get_match(match_id)).ask
    assert asked is not None
    assert (asked.kind, asked.seat) == (Said.ASK_TAKEBACK, view.seat)
    assert asked.waiting == (1 - view.seat,)
    await other.control(match_id, 1 - view.seat, fresh(), Answer(asked.revision, agree=False))
    await other.control(match_id, 1 - view.seat, fresh(), Resign())
    await until(lambda: live.match is not None and live.match.status is MatchStatus.FINISHED)
    assert told(changes) == [Said.UNDO, Said.ASK_TAKEBACK, Said.DECLINE, Said.RESIGN]
    running.cancel()


async def test_several_of_one_device_sit_down_together(pair: Pair) -> None:
    ada, ben = pair
    seats = (SeatWish.ME, SeatWish.FRIEND, SeatWish.FRIEND)
    table = await ada.open_table(fresh(), "hide_and_seek", seats, {})
    await ben.sit_down(fresh(), code=table.invitation_code, persons=("", "Mia"))
    table = await started(ada, table)
    assert table.status is TableStatus.STARTED
    match = await ben.get_match(table.match_id)
    assert [view.seat for view in match.views] == [1, 2]
    assert [seat.display_name for seat in match.seats] == ["Ada", "Ben", "Mia"]


async def test_a_stream_of_the_inbox_begins_with_what_there_is(pair: Pair) -> None:
    ada, _ = pair
    async with asyncio.timeout(WAIT_S), aclosing(ada.watch_inbox(0)) as updates:
        first = await anext(updates)
    assert isinstance(first, CaughtUp)
