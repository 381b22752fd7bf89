"""Actions made offline in a match over days: kept through a kill, sent once, or asked about."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from app.model.gateway import Offline
from app.model.kept import Kept, KeptActs, Late, deliver, send_unchanged
from app.model.live import Change, LiveMatch, Overtaken, Synced
from app.model.store import Store
from app.model.terms import Pace, Terms
from app.model.values import Act, Match
from app.net.fake import FakeGateway
from tests.mobile.positions import SEATS, TURN
from tests.mobile.ui import playing, tap_widget

DAYS = Terms(pace=Pace.DAYS, turn_days=3)


def started(gateway: FakeGateway) -> str:
    """A match over days in which it is our turn."""
    match_id = gateway.start("socker", SEATS, {}, TURN)
    gateway.beside(match_id, terms=DAYS)
    return match_id


async def keep(gateway: FakeGateway, kept: KeptActs, match_id: str, notation: str) -> Kept:
    match = await gateway.get_match(match_id)
    one = Kept(match_id, "r-1", 0, match.revision, match.position, notation)
    kept.keep(one)
    return one


async def test_what_is_kept_outlives_the_app_and_is_sent_once(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    match_id = started(gateway)
    await keep(gateway, KeptActs(Store(tmp_path), "s"), match_id, "d3-c4")
    again = KeptActs(Store(tmp_path), "s")
    assert KeptActs(Store(tmp_path), "other").matches == ()
    assert again.matches == (match_id,)
    assert await deliver(gateway, again, match_id) is None
    assert await deliver(gateway, again, match_id) is None
    assert [event.notation for event in gateway.matches[match_id].events] == ["d3-c4"]
    assert KeptActs(Store(tmp_path), "s").get(match_id) is None


async def test_a_lost_answer_does_not_make_it_count_twice(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    match_id, kept = started(gateway), KeptActs(Store(tmp_path), "s")
    await keep(gateway, kept, match_id, "d3-c4")
    gateway.lose_answers = 1
    with pytest.raises(Offline):
        await deliver(gateway, kept, match_id)
    assert kept.matches == (match_id,)
    assert await deliver(gateway, kept, match_id) is None
    assert [event.notation for event in gateway.matches[match_id].events] == ["d3-c4"]


async def test_where_the_match_moved_on_the_person_is_asked(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    match_id, kept = started(gateway), KeptActs(Store(tmp_path), "s")
    one = await keep(gateway, kept, match_id, "d3-c4")
    gateway.play_as(match_id, "g4-g5")  # The same person's other device.
    await send_unchanged(gateway, kept, match_id)
    assert kept.get(match_id) == one  # Left for when the match is opened.
    late = await deliver(gateway, kept, match_id)
    assert isinstance(late, Late)
    assert late.act is not None
    assert [event.notation for event in gateway.matches[match_id].events] == ["g4-g5"]
    assert kept.matches == ()


async def test_what_turns_out_late_where_nobody_looks_is_never_dropped_in_between(
    tmp_path: Path,
) -> None:
    class Moving(FakeGateway):
        """The match moves on right after somebody has looked at it."""

        async def get_match(self, match_id: str) -> Match:
            seen = await super().get_match(match_id)
            if not self.matches[match_id].events:
                self.play_as(match_id, "g4-g5")
            return seen

    class Lasting(KeptActs):
        def drop(self, match_id: str, request_id: str) -> None:
            raise AssertionError(f"killed now, it would be lost: {match_id} {request_id}")

    gateway = Moving(1, agents_play=False)
    match_id, kept = started(gateway), Lasting(Store(tmp_path), "s")
    match = await FakeGateway.get_match(gateway, match_id)
    one = Kept(match_id, "r-1", 0, match.revision, match.position, "d3-c4")
    kept.keep(one)
    await send_unchanged(gateway, kept, match_id)
    assert kept.get(match_id) == one


async def test_an_answer_that_comes_late_leaves_what_was_done_since(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    match_id, kept = started(gateway), KeptActs(Store(tmp_path), "s")
    waiting: list[asyncio.Event] = []

    async def asleep(_: float) -> None:
        waiting.append(asyncio.Event())
        await waiting[-1].wait()

    async def waits(count: int) -> None:
        async with asyncio.timeout(10):
            while len(waiting) < count:  # noqa: ASYNC110 - nothing else happens in this loop
                await asyncio.sleep(0)

    def act(notation: str) -> Act:
        view = live.match.acting_view if live.match else None
        assert view is not None
        return next(one for one in view.legal if getattr(one, "notation", "") == notation)

    live = LiveMatch(gateway, match_id, lambda _: None, sleep=asleep, kept=kept)
    live._sync(await gateway.get_match(match_id))
    gateway.lose_answers = 1
    first = asyncio.create_task(live.act(act("d3-c4")))
    await waits(1)
    live._sync(await gateway.get_match(match_id))  # The stream says that it has counted.
    gateway.go_offline()
    second = asyncio.create_task(live.act(act("g4-g5")))
    await waits(2)
    gateway.offline = False
    waiting[0].set()
    await first
    # The app may be killed now: the second action has not arrived yet.
    one = kept.get(match_id)
    assert one is not None
    assert one.notation == "g4-g5"
    waiting[1].set()
    await second
    assert kept.get(match_id) is None
    assert [event.notation for event in gateway.matches[match_id].events] == ["d3-c4", "g4-g5"]


async def test_what_is_not_possible_any_more_is_not_asked_about(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    match_id, kept = started(gateway), KeptActs(Store(tmp_path), "s")
    await keep(gateway, kept, match_id, "d3-c4")
    gateway.play_as(match_id, "end")
    late = await deliver(gateway, kept, match_id)
    assert isinstance(late, Late)
    assert late.act is None


async def test_a_question_in_between_does_not_count_as_another_position(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    match_id, kept = started(gateway), KeptActs(Store(tmp_path), "s")
    one = await keep(gateway, kept, match_id, "d3-c4")
    # The revision rose without the position: somebody had asked something.
    kept.keep(replace(one, revision=-1))
    assert await deliver(gateway, kept, match_id) is None
    assert [event.notation for event in gateway.matches[match_id].events] == ["d3-c4"]


async def test_a_match_that_is_left_offline_sends_when_it_is_opened_again(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    match_id, kept = started(gateway), KeptActs(Store(tmp_path), "s")
    changes: list[Change] = []

    async def at_once(_: float) -> None:
        await asyncio.sleep(0)

    live = LiveMatch(gateway, match_id, changes.append, sleep=at_once, kept=kept)
    live._sync(await gateway.get_match(match_id))
    view = live.match.acting_view if live.match else None
    assert view is not None
    act = next(one for one in view.legal if getattr(one, "notation", "") == "d3-c4")
    gateway.go_offline()
    acting = asyncio.create_task(live.act(act))
    while not kept.matches:  # noqa: ASYNC110 - nothing else happens in this loop
        await asyncio.sleep(0)
    live.close()
    await acting
    gateway.offline = False
    second = LiveMatch(gateway, match_id, changes.append, sleep=at_once, kept=kept)
    running = asyncio.create_task(second.run())
    while kept.matches:  # noqa: ASYNC110 - likewise
        await asyncio.sleep(0)
    running.cancel()
    assert [event.notation for event in gateway.matches[match_id].events] == ["d3-c4"]
    assert not any(isinstance(one, Overtaken) for one in changes)


async def test_before_it_is_sent_nothing_else_can_be_done(tmp_path: Path) -> None:
    """The board must not offer the decision again that was made already."""
    gateway, kept = FakeGateway(agents_play=False), KeptActs(Store(tmp_path), "s")
    match_id = started(gateway)
    await keep(gateway, kept, match_id, "d3-c4")
    changes: list[Change] = []
    may_act: list[bool] = []
    waited: list[float] = []

    async def back_soon(seconds: float) -> None:
        waited.append(seconds)
        gateway.offline = len(waited) < 3
        await asyncio.sleep(0)

    def changed(change: Change) -> None:
        changes.append(change)
        if isinstance(change, Synced):
            may_act.append(live.may_act)
            gateway.offline = not waited  # as soon as the match is on show

    live = LiveMatch(gateway, match_id, changed, sleep=back_soon, kept=kept)
    running = asyncio.create_task(live.run())
    while not live.may_act:  # noqa: ASYNC110 - nothing else happens in this loop
        await asyncio.sleep(0)
    running.cancel()
    synced = [one.match.revision for one in changes if isinstance(one, Synced)]
    assert list(zip(synced, may_act, strict=True))[:2] == [(0, False), (1, True)]
    assert len(waited) == 3
    assert [event.notation for event in gateway.matches[match_id].events] == ["d3-c4"]


async def test_the_person_is_asked_by_touch(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    match_id = started(gateway)
    async with playing(tmp_path, gateway) as hands:
        await keep(gateway, hands.app.session.kept, match_id, "d3-c4")
        gateway.play_as(match_id, "g4-g5")
        hands.app.navigator.go("match", match_id=match_id)
        await hands.on("match")
        dialog = hands.app.root.ids.dialog
        await hands.until(lambda: dialog.shown)
        assert dialog.title == "Your move was not sent"
        assert len(gateway.matches[match_id].events) == 1
        await hands.until(lambda: hands.board.resting and hands.screen.live.may_act)
        await hands.settle()
        tap_widget(dialog.choices["again"])
        await hands.counted(match_id, 2)
        assert gateway.matches[match_id].events[1].notation == "d3-c4"


async def test_the_server_coming_back_sends_it_from_any_screen(tmp_path: Path) -> None:
    gateway = FakeGateway(1, agents_play=False)
    match_id = started(gateway)
    async with playing(tmp_path, gateway) as hands:
        await hands.until(lambda: hands.inbox.online)
        gateway.go_offline()
        await hands.until(lambda: hands.inbox.online is False)
        gateway.offline = False
        await keep(gateway, hands.app.session.kept, match_id, "d3-c4")
        await hands.until(lambda: gateway.matches[match_id].events)
        await hands.until(lambda: not hands.app.session.kept.matches)
        assert hands.screen.name == "home"
