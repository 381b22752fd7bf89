"""A match followed and played over bad networks: the board always ends equal to the server's."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest

from app.model.follow import LONGEST_WAIT_S, Backoff, Connection, follow
from app.model.gateway import Offline, Refused, Untrusted
from app.model.live import Acted, Broken, Change, LiveMatch, Rejected, Synced
from app.model.socker import Kind, SockerAct, SockerView
from app.model.values import Event, Finished, Heartbeat, Match, Occupant, Update
from app.net.fake import FakeGateway
from tests.mobile.positions import NEARLY, SEATS, TURN


async def no_wait(_seconds: float) -> None:
    await asyncio.sleep(0)


async def until(ready: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not ready():  # noqa: ASYNC110  # what is waited for is no event of ours
            await asyncio.sleep(0)


class Watched:
    """A live match with everything it reported."""

    def __init__(self, gateway: FakeGateway, match_id: str) -> None:
        self.gateway = gateway
        self.changes: list[Change] = []
        self.live = LiveMatch(
            gateway, match_id, self.changes.append, sleep=no_wait, jitter=lambda: 1.0
        )

    @property
    def acted(self) -> list[str]:
        """Everything that was shown to happen now, in order."""
        return [
            change.act.notation
            for change in self.changes
            if isinstance(change, Acted) and not change.past and isinstance(change.act, SockerAct)
        ]

    @property
    def shown(self) -> Match:
        """The position the board shows."""
        return next(one.match for one in reversed(self.changes) if isinstance(one, Synced))

    @property
    def truth(self) -> Match:
        """The position the server has."""
        return self.gateway.seen(self.gateway.matches[self.live.match_id])

    @property
    def truth_events(self) -> list[Event]:
        """Everything that has counted."""
        return self.gateway.matches[self.live.match_id].events

    def pick(self, notation: str) -> SockerAct:
        """A legal action by its notation."""
        view = self.shown.acting_view
        assert view is not None
        acts = [act for act in view.legal if isinstance(act, SockerAct)]
        return next(act for act in acts if act.notation == notation)


@asynccontextmanager
async def watched(position: str, gateway: FakeGateway | None = None) -> AsyncGenerator[Watched]:
    gateway = gateway or FakeGateway(agents_play=False)
    match = Watched(gateway, gateway.start("socker", SEATS, {}, position))
    task = asyncio.create_task(match.live.run())
    await until(lambda: match.live.match is not None and gateway.streams > 0)
    yield match
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert gateway.streams == 0


async def test_an_own_action_is_shown_at_once_and_counted_once() -> None:
    async with watched(TURN) as match:
        await match.live.act(match.pick("d3*d4"))
        assert match.acted == ["d3*d4"]
        await until(lambda: match.shown.revision == 1)
        assert match.acted == ["d3*d4"]
        assert match.shown == match.truth


async def test_others_actions_arrive_in_order() -> None:
    async with watched(TURN) as match:
        for notation in ("d3*d4", "d3-d4", "f7-f6"):
            match.gateway.play_as(match.live.match_id, notation)
            await asyncio.sleep(0)
        await until(lambda: match.shown.revision == 3)
        assert match.acted == ["d3*d4", "d3-d4", "f7-f6"]
        assert match.shown == match.truth


@pytest.mark.field(2)
async def test_a_stale_action_is_undone_and_the_board_equals_the_servers() -> None:
    async with watched(TURN) as match:
        mine = match.pick("d3*d4")
        # Another device of the same player is faster; its news has not arrived here yet.
        match.gateway.play_as(match.live.match_id, "d3-c3")
        await match.live.act(mine)
        rejected = [one for one in match.changes if isinstance(one, Rejected)]
        assert [one.error.reason for one in rejected] == ["STALE_REVISION"]
        await until(lambda: match.live.may_act)
        assert match.shown == match.truth
        assert match.shown.revision == 1
        assert isinstance(match.changes[-1], Synced)


@pytest.mark.field(2)
async def test_an_action_that_was_never_legal_is_undone_too() -> None:
    async with watched(TURN) as match:
        before = match.shown
        await match.live.act(SockerAct(Kind.SOCK, (3, 2), (4, 3)))  # d3 socks its own side's e4
        rejected = [one for one in match.changes if isinstance(one, Rejected)]
        assert [one.error.reason for one in rejected] == ["ILLEGAL_ACTION"]
        assert match.shown == match.truth == before
        assert match.live.may_act


@pytest.mark.field(2)
async def test_an_answer_lost_on_the_way_is_fetched_under_the_same_request_id() -> None:
    async with watched(TURN) as match:
        match.gateway.lose_answers = 3
        await match.live.act(match.pick("d3*d4"))
        await until(lambda: match.shown.revision == 1)
        assert len(match.gateway.matches[match.live.match_id].events) == 1
        assert match.acted == ["d3*d4"]
        assert match.shown == match.truth


async def test_while_an_action_is_on_its_way_there_is_no_second_one() -> None:
    async with watched(TURN) as match:
        match.gateway.go_offline()
        await until(lambda: Connection(False) in match.changes)
        sending = asyncio.create_task(match.live.act(match.pick("d3*d4")))
        await until(lambda: match.live.waits)
        # The stream is back first, and says again how the match stood before.
        match.live._sync(match.truth)
        assert match.live.waits
        await match.live.act(match.pick("d3-c3"))
        match.gateway.offline = False
        await sending
        await until(lambda: not match.live.waits)
        assert match.acted == ["d3*d4"]
        assert [event.notation for event in match.truth_events] == ["d3*d4"]
        assert match.live.may_act


async def test_where_it_can_not_be_sent_the_board_is_free_again() -> None:
    async with watched(TURN) as match:
        match.gateway.refuses = Untrusted("not who it was")
        await match.live.act(match.pick("d3*d4"))
        assert any(isinstance(one, Broken) for one in match.changes)
        assert not match.live.waits
        assert isinstance(match.changes[-2], Synced)


async def test_an_action_made_offline_is_sent_when_the_network_is_back() -> None:
    async with watched(TURN) as match:
        match.gateway.go_offline()
        await until(lambda: Connection(False) in match.changes)
        sending = asyncio.create_task(match.live.act(match.pick("d3*d4")))
        for _ in range(50):
            await asyncio.sleep(0)
        assert not sending.done()
        assert match.gateway.submits == 0
        match.gateway.offline = False
        await asyncio.wait_for(sending, 10)
        await until(lambda: match.shown.revision == 1 and match.live.online)
        assert match.shown == match.truth
        assert match.gateway.submits == 1


@pytest.mark.field(6)
async def test_two_actions_missed_while_offline_are_both_seen_once() -> None:
    async with watched(TURN) as match:
        match.gateway.go_offline()
        await until(lambda: not match.live.online)
        match.gateway.play_as(match.live.match_id, "d3*d4")
        match.gateway.play_as(match.live.match_id, "d3-d4")
        match.gateway.offline = False
        await until(lambda: match.shown.revision == 2)
        assert match.acted == ["d3*d4", "d3-d4"]
        assert match.shown == match.truth


@pytest.mark.field(6)
async def test_a_finished_match_ends_the_stream_and_nothing_asks_again() -> None:
    gateway = FakeGateway(agents_play=False)
    match = Watched(gateway, gateway.start("socker", SEATS, {}, NEARLY))
    gateway.play_as(match.live.match_id, "e9*e10")
    await asyncio.wait_for(match.live.run(), 10)
    assert match.shown.outcome is not None
    assert match.shown.outcome.winners == (0,)
    assert gateway.streams == 0
    assert not match.live.may_act


async def test_a_match_that_is_not_there_ends_at_once() -> None:
    match = Watched(FakeGateway(), "m-none")
    await asyncio.wait_for(match.live.run(), 10)
    assert isinstance(match.changes[-1], Broken)
    assert isinstance(match.changes[-1].error, Refused)


async def test_after_close_nothing_is_reported() -> None:
    async with watched(TURN) as match:
        match.live.close()
        before = len(match.changes)
        match.gateway.play_as(match.live.match_id, "d3*d4")
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(match.changes) == before


async def test_a_whole_match_over_a_network_that_fails_at_random() -> None:
    rng = random.Random(7)
    gateway = FakeGateway(3)
    seats = (SEATS[0], Occupant(agent="random"))
    match = Watched(gateway, gateway.start("socker", seats, {"goals_to_win": 1, "turn_cap": 30}))
    task = asyncio.create_task(match.live.run())
    async with asyncio.timeout(60):
        while not task.done():
            await asyncio.sleep(0)
            if rng.random() < 0.02:
                gateway.go_offline()
            elif rng.random() < 0.3:
                gateway.offline = False
            if rng.random() < 0.05:
                gateway.lose_answers += 1
            if match.live.may_act and rng.random() < 0.5:
                assert match.live.match is not None
                view = match.live.match.acting_view
                assert view is not None
                sending = asyncio.create_task(match.live.act(rng.choice(view.legal)))
                while not sending.done():
                    gateway.offline = gateway.offline and rng.random() < 0.5
                    await asyncio.sleep(0)
    assert match.shown == match.truth
    assert match.shown.outcome is not None
    revisions = [one.match.revision for one in match.changes if isinstance(one, Synced)]
    assert revisions == sorted(revisions)
    assert isinstance(match.shown.views[0].view, SockerView)


class Scripted(FakeGateway):
    """Streams that say what a test wants."""

    def __init__(self, *streams: list[Update | Exception]) -> None:
        super().__init__()
        self.scripts = list(streams)
        self.asked: list[int] = []

    async def watch_match(self, match_id: str, from_revision: int) -> AsyncGenerator[Update]:
        assert match_id == "m"
        self.asked.append(from_revision)
        for update in self.scripts.pop(0):
            if isinstance(update, Exception):
                raise update
            yield update


_KINDS = (Kind.END_TURN, Kind.PASS, Kind.TOSS)


async def seen(gateway: Scripted, start: int = 0) -> list[object]:
    return [u async for u in follow(gateway, "m", start, sleep=no_wait, jitter=lambda: 1.0)]


@pytest.mark.field(6)
async def test_repeated_events_are_dropped_and_gaps_are_asked_for() -> None:
    one, two, three = (Event(i, 0, SockerAct(kind)) for i, kind in enumerate(_KINDS))
    gateway = Scripted(
        [one, one, three],
        [two, three, Offline("cut")],
        [three, Heartbeat(1), Finished(None)],
    )
    updates = await seen(gateway)
    assert [u for u in updates if isinstance(u, Event)] == [one, two, three]
    assert gateway.asked == [0, 1, 3]


async def test_a_stream_that_just_ends_is_taken_up_again() -> None:
    gateway = Scripted([Heartbeat(0)], [Heartbeat(0)], [Finished(None)])
    updates = await seen(gateway, 5)
    assert gateway.asked == [5, 5, 5]
    assert updates == [Connection(True), Finished(None)]


async def test_a_server_that_ends_every_stream_at_once_is_asked_ever_more_seldom() -> None:
    short: list[list[Update | Exception]] = [[Heartbeat(0)] for _ in range(6)]
    gateway = Scripted(*short, [Finished(None)])
    waits: list[float] = []

    async def noted(seconds: float) -> None:
        waits.append(seconds)

    updates = follow(gateway, "m", sleep=noted, jitter=lambda: 1.0)
    assert [u async for u in updates][-1] == Finished(None)
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0]


def test_waits_double_up_to_four_seconds_and_start_anew() -> None:
    backoff = Backoff(jitter=lambda: 1.0)
    assert [backoff.next() for _ in range(6)] == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0]
    backoff.lasted(LONGEST_WAIT_S - 0.1)
    assert backoff.next() == LONGEST_WAIT_S
    backoff.lasted(LONGEST_WAIT_S)
    assert backoff.next() == 0.25
    assert Backoff(jitter=lambda: 0.0).next() == 0.125
    assert LONGEST_WAIT_S < 5  # row 24: back within 5 s
