"""Matches on this device: saved before anybody sees them, private, and never in the way."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.model.gateway import Refused
from app.model.places import here_id, is_here
from app.model.store import Store
from app.model.values import Agent, Event, Here, Match, MatchStatus, SeatWish
from app.net import local_thinking
from app.net.local import LocalGateway
from app.net.local_match import LocalMatch, Step
from app.net.local_shelf import Shelf
from services.engine.agents import Budget
from services.engine.core import SPECTATOR, Action
from services.engine.core.registry import ruleset
from tests.mobile.gateways import BOTH, SHORT, act, begun, fresh, legal, opened, play_out

PIP = Agent("random", "socker", 1)


def on(folder: Path, **how: Any) -> LocalGateway:
    """A gateway as after a start of the app."""
    return LocalGateway(Shelf(Store(folder)), lambda: "Ada", pace_s=0, **how)


async def until(ready: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not ready():  # noqa: ASYNC110  # what is waited for is no event of ours
            await asyncio.sleep(0.005)


# --- saved at every action ----------------------------------------------------------------------


@pytest.mark.field(30)
@pytest.mark.parametrize("game", sorted(SHORT))
async def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path, game: str) -> None:
    rng, gateway = random.Random(5), on(tmp_path)
    match_id = (await opened(gateway, game)).match_id
    for number in range(12):
        match = await gateway.get_match(match_id)
        if match.status is not MatchStatus.RUNNING:  # a short match, and its cards lay well
            assert number > 3
            break
        await act(gateway, match, rng.choice(legal(match)))
        again = on(tmp_path)  # The one before is not closed: it was killed.
        assert await again.get_match(match_id) == await gateway.get_match(match_id)
        assert await again.list_events(match_id) == await gateway.list_events(match_id)
        gateway = again


@pytest.mark.field(2)
async def test_a_request_that_counted_before_a_kill_has_its_answer_after(tmp_path: Path) -> None:
    gateway = on(tmp_path)
    asked = fresh()
    table = await gateway.open_table(asked, "socker", BOTH, {})
    match, request_id = await gateway.get_match(table.match_id), fresh()
    first = await act(gateway, match, legal(match)[0], request_id)
    again = on(tmp_path)
    assert (await again.open_table(asked, "socker", BOTH, {})).match_id == match.match_id
    assert await act(again, match, legal(match)[0], request_id) == first
    assert (await again.get_match(match.match_id)).revision == first.revision


class FullShelf(Shelf):
    """A device with no room while `full`."""

    full = False

    def keep(self, match: LocalMatch, step: Step, asked: str) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        super().keep(match, step, asked)


async def test_what_can_not_be_saved_does_not_happen(tmp_path: Path) -> None:
    shelf = FullShelf(Store(tmp_path))
    gateway = LocalGateway(shelf, lambda: "Ada", pace_s=0)
    match = await begun(gateway)
    request_id = fresh()
    shelf.full = True
    with pytest.raises(Refused, match="No space left"):
        await act(gateway, match, legal(match)[0], request_id)
    with pytest.raises(Refused, match="No space left"):
        await opened(gateway)
    assert await gateway.get_match(match.match_id) == match
    assert len(await gateway.list_my_matches()) == 1
    shelf.full = False
    await act(gateway, match, legal(match)[0], request_id)
    assert await on(tmp_path).get_match(match.match_id) == await gateway.get_match(match.match_id)


async def test_an_action_under_way_is_seen_through_when_its_screen_goes(tmp_path: Path) -> None:
    saving, may_save = threading.Event(), threading.Event()

    class SlowShelf(Shelf):
        def keep(self, match: LocalMatch, step: Step, asked: str) -> None:
            if match.revision:
                saving.set()
                assert may_save.wait(30)
            super().keep(match, step, asked)

    gateway = LocalGateway(SlowShelf(Store(tmp_path)), lambda: "Ada", pace_s=0)
    match = await begun(gateway)
    sending = asyncio.create_task(act(gateway, match, legal(match)[0]))
    await until(saving.is_set)
    # Saving takes place beside the loop, and nothing is told before it is done.
    assert await gateway.get_match(match.match_id) == match
    sending.cancel()
    may_save.set()
    events = await gateway.list_events(match.match_id)
    while len(events) == match.revision:
        events = await gateway.list_events(match.match_id)
        await asyncio.sleep(0)
    assert await on(tmp_path).list_events(match.match_id) == events


async def test_a_table_under_way_is_made_once_when_its_screen_goes(tmp_path: Path) -> None:
    saving, may_save = threading.Event(), threading.Event()

    class SlowShelf(Shelf):
        def keep(self, match: LocalMatch, step: Step, asked: str) -> None:
            saving.set()
            assert may_save.wait(30)
            super().keep(match, step, asked)

    gateway, request_id = LocalGateway(SlowShelf(Store(tmp_path)), lambda: "Ada"), fresh()
    first = asyncio.create_task(gateway.open_table(request_id, "sock_monsters", BOTH, {}))
    await until(saving.is_set)
    first.cancel()
    second = asyncio.create_task(gateway.open_table(request_id, "sock_monsters", BOTH, {}))
    await asyncio.gather(first, return_exceptions=True)
    may_save.set()
    match_id = (await second).match_id
    await gateway.close()
    # The deal that was shown is the one that was kept.
    assert await on(tmp_path).get_match(match_id) == await gateway.get_match(match_id)
    assert len(await on(tmp_path).list_my_matches()) == 1


async def test_a_damaged_match_harms_no_other(tmp_path: Path) -> None:
    gateway = on(tmp_path)
    good, torn, wrong = [(await opened(gateway)).match_id for _ in range(3)]
    (tmp_path / f"{torn}.json").write_text('{"version": 1, "hist')
    kept = json.loads((tmp_path / f"{wrong}.json").read_text())
    kept["history"].append([0, "a1-a2", 0, "", ""])
    (tmp_path / f"{wrong}.json").write_text(json.dumps(kept))
    again = on(tmp_path)
    assert (await again.get_match(good)).status is MatchStatus.RUNNING
    for match_id, reason in ((torn, "MATCH_NOT_FOUND"), (wrong, "UNREADABLE")):
        with pytest.raises(Refused) as refused:
            await again.get_match(match_id)
        assert refused.value.reason == reason
    assert {mine.table.match_id for mine in await again.list_my_matches()} == {good, wrong}
    assert (tmp_path / f"{torn}.json.damaged").is_file()


@pytest.mark.field(28)
@pytest.mark.parametrize("part", ["version", "ruleset_version"])
async def test_a_match_of_a_newer_app_is_kept_and_listed_as_such(tmp_path: Path, part: str) -> None:
    match_id = (await opened(on(tmp_path))).match_id
    path = tmp_path / f"{match_id}.json"
    newer = json.dumps(json.loads(path.read_text()) | {part: 99})
    path.write_text(newer)
    gateway = on(tmp_path)
    assert [mine.status for mine in await gateway.list_my_matches()] == [MatchStatus.UNKNOWN]
    with pytest.raises(Refused) as refused:
        await gateway.get_match(match_id)
    assert refused.value.reason == "UNREADABLE"
    assert path.read_text() == newer


def test_an_id_says_where_its_match_is_and_is_the_same_for_the_same_request() -> None:
    assert here_id("a") == here_id("a") != here_id("b")
    assert is_here(here_id("a"))
    assert not is_here("m-0")
    assert not is_here("")


async def test_nobody_can_come_to_a_table_of_this_device_from_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        await on(tmp_path).open_table(fresh(), "socker", (SeatWish.ME, SeatWish.FRIEND), {})
    assert refused.value.reason == "INVALID_FIELD"


async def test_time_is_what_the_clock_given_says(tmp_path: Path) -> None:
    gateway = on(tmp_path, now_ms=lambda: 77)
    match = await begun(gateway)
    await act(gateway, match, legal(match)[0])
    assert {event.committed_at_ms for event in await gateway.list_events(match.match_id)} == {77}
    assert (await gateway.list_my_matches())[0].table.opened_at_ms == 77


# --- each seat for itself -----------------------------------------------------------------------


async def test_every_view_is_what_that_seat_may_see_and_no_more(tmp_path: Path) -> None:
    gateway, rng, rules = on(tmp_path), random.Random(6), ruleset("sock_monsters")
    seats = (SeatWish.ME, Here("Mia"), Here("Tom"))
    table = await gateway.open_table(fresh(), "sock_monsters", seats, SHORT["sock_monsters"])
    differed = 0
    for _ in range(60):
        match = await gateway.get_match(table.match_id)
        if match.status is not MatchStatus.RUNNING:
            break
        # What the file holds is the truth; the engine says what each seat may see of it.
        kept = json.loads((tmp_path / f"{table.match_id}.json").read_text())
        state = rules.initial(kept["setting"]["options"], 3)
        for entry in kept["history"]:
            state = rules.apply(state, rules.parse_action(entry[1]))
        seen = [rules.format_observation(rules.observe(state, seat)) for seat in range(3)]
        assert [view.view.position for view in match.views] == seen  # type: ignore[union-attr]  # known
        differed += len(set(seen)) > 1
        await act(gateway, match, rng.choice(legal(match)))
    assert differed


async def test_the_deal_is_told_to_nobody(tmp_path: Path) -> None:
    gateway, rules = on(tmp_path), ruleset("sock_monsters")
    table = await opened(gateway, "sock_monsters")
    kept = json.loads((tmp_path / f"{table.match_id}.json").read_text())
    state = rules.initial(kept["setting"]["options"], 2)
    hidden = 0
    for entry, event in zip(
        kept["history"], await gateway.list_events(table.match_id), strict=True
    ):
        action = rules.parse_action(entry[1])
        visible = rules.visible_action(state, action, SPECTATOR)
        assert event.notation == ("" if visible == "?" else visible)
        hidden += visible == "?"
        state = rules.apply(state, action)
    assert hidden


# --- opponents ----------------------------------------------------------------------------------


class Thoughtful:
    """An opponent that thinks until it is told to stop, or may answer."""

    name = "random"

    def __init__(self) -> None:
        self.thinking, self.stopped, self.may_answer = (threading.Event() for _ in range(3))
        self.asked: list[Any] = []
        self.thread = ""

    def choose(
        self, rules: Any, information: Any, budget: Budget, rng: Any, stop: Any, now: Any
    ) -> Action:
        del budget, now
        self.asked.append(information)
        self.thread = threading.current_thread().name
        self.thinking.set()
        while not self.may_answer.wait(0.005):
            if stop():
                self.stopped.set()
                break
        action: Action = rules.legal_actions(rules.determinize(information, rng))[0]
        return action


@pytest.fixture
def thoughtful(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thoughtful]:
    agent = Thoughtful()
    monkeypatch.setattr(local_thinking, "agent", lambda _: agent)
    yield agent
    agent.may_answer.set()


@asynccontextmanager
async def watching(gateway: LocalGateway, match_id: str) -> AsyncIterator[list[Any]]:
    """Somebody looks at a match; yields what they are told."""
    told: list[Any] = []

    async def follow() -> None:
        async with aclosing(gateway.watch_match(match_id, 0)) as updates:
            async for update in updates:
                told.append(update)  # noqa: PERF401  # seen one by one, as they come

    task = asyncio.create_task(follow())
    await until(lambda: told)
    yield told
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def thinking_match(gateway: LocalGateway) -> str:
    """A match in which the opponent is to act."""
    for _ in range(100):  # The toss decides who begins.
        table = await gateway.open_table(fresh(), "socker", (SeatWish.ME, PIP), {})
        if (await gateway.get_match(table.match_id)).actor == 1:
            return table.match_id
    raise AssertionError("the toss never let the opponent begin")


async def test_the_loop_goes_on_while_an_opponent_thinks(
    tmp_path: Path, thoughtful: Thoughtful
) -> None:
    gateway = on(tmp_path)
    match_id = await thinking_match(gateway)
    other = (await opened(gateway)).match_id
    async with watching(gateway, match_id) as told:
        await until(thoughtful.thinking.is_set)
        # The search hangs in its thread; another match is played to its end meanwhile.
        await play_out(gateway, other, random.Random(1))
        assert thoughtful.thread.startswith("agent")
        assert (await gateway.get_match(match_id)).actor == 1
        thoughtful.may_answer.set()
        await until(lambda: any(isinstance(one, Event) and one.actor == 1 for one in told))
    await gateway.close()


async def test_leaving_a_match_stops_the_search_and_coming_back_takes_it_up(
    tmp_path: Path, thoughtful: Thoughtful
) -> None:
    gateway = on(tmp_path)
    match_id = await thinking_match(gateway)
    before = await gateway.get_match(match_id)
    async with watching(gateway, match_id):
        await until(thoughtful.thinking.is_set)
    await until(thoughtful.stopped.is_set)
    # What it had so far was not used.
    assert await gateway.get_match(match_id) == before
    thoughtful.may_answer.set()
    async with watching(gateway, match_id) as told:
        await until(lambda: any(isinstance(one, Event) and one.actor == 1 for one in told))
    await gateway.close()


@pytest.mark.field(30)
async def test_a_pause_stops_the_search_without_the_loop(
    tmp_path: Path, thoughtful: Thoughtful
) -> None:
    gateway = on(tmp_path)
    match_id = await thinking_match(gateway)
    async with watching(gateway, match_id):
        await until(thoughtful.thinking.is_set)
        gateway.rest()
        # The loop is frozen from here on, as a paused app's is.
        assert thoughtful.stopped.wait(30)
    await gateway.close()


async def test_an_opponents_action_is_seen_through_when_the_match_is_left(tmp_path: Path) -> None:
    saving, may_save = threading.Event(), threading.Event()

    class SlowShelf(Shelf):
        def keep(self, match: LocalMatch, step: Step, asked: str) -> None:
            if any(done.origin for done in step.done):
                saving.set()
                assert may_save.wait(30)
            super().keep(match, step, asked)

    gateway = LocalGateway(SlowShelf(Store(tmp_path)), lambda: "Ada", pace_s=0)
    match_id = await thinking_match(gateway)
    async with watching(gateway, match_id):
        await until(saving.is_set)
    # Left while it is saved, and looked at again: the opponent must not act a second time.
    async with watching(gateway, match_id) as told:
        may_save.set()
        await until(lambda: isinstance(told[-1], Match) and told[-1].actor == 0)
    events = await gateway.list_events(match_id)
    assert [event.revision for event in events] == list(range(len(events)))
    await gateway.close()
    again = on(tmp_path)
    assert await again.list_events(match_id) == events
    assert await again.get_match(match_id) == await gateway.get_match(match_id)


async def test_nobody_thinks_where_nobody_watches(tmp_path: Path, thoughtful: Thoughtful) -> None:
    gateway = on(tmp_path)
    match_id = await thinking_match(gateway)
    await play_out(gateway, (await opened(gateway)).match_id, random.Random(1))
    assert not thoughtful.thinking.is_set()
    assert (await gateway.get_match(match_id)).actor == 1


async def test_an_opponent_is_told_what_its_seat_knows(
    tmp_path: Path, thoughtful: Thoughtful
) -> None:
    thoughtful.may_answer.set()
    gateway, rules = on(tmp_path), ruleset("sock_monsters")
    monster = (await gateway.list_agents("sock_monsters"))[0]
    seats = (monster, SeatWish.ME)
    table = await gateway.open_table(fresh(), "sock_monsters", seats, {})
    async with watching(gateway, table.match_id):
        while not thoughtful.asked:  # Who begins is drawn.
            match = await gateway.get_match(table.match_id)
            if match.actor == 1:
                await act(gateway, match, legal(match)[0])
            await asyncio.sleep(0.005)
    kept = json.loads((tmp_path / f"{table.match_id}.json").read_text())
    state = rules.initial(kept["setting"]["options"], 2)
    for entry in kept["history"]:
        if rules.actor(state) == 0:
            break
        state = rules.apply(state, rules.parse_action(entry[1]))
    assert thoughtful.asked[0] == rules.information(state, 0)
    await gateway.close()


@pytest.mark.parametrize("answer", ["illegal", "an error"])
async def test_a_match_goes_on_when_an_opponent_is_at_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    class Faulty:
        name = "random"

        def choose(self, rules: Any, *_: Any) -> Action:
            if answer == "an error":
                raise RuntimeError("the hidden tile is a chest")
            illegal: Action = rules.parse_action("end")  # nobody ends a turn while placing
            return illegal

    monkeypatch.setattr(local_thinking, "agent", lambda _: Faulty())
    gateway = on(tmp_path)
    match_id = await thinking_match(gateway)
    async with watching(gateway, match_id) as told:
        await until(lambda: any(isinstance(one, Event) and one.actor == 1 for one in told))
    await gateway.close()


async def test_a_search_opponent_plays_a_turn_with_its_own_budget(tmp_path: Path) -> None:
    thinker = local_thinking.Thinker(Budget(seconds=None, iterations=30))
    gateway = on(tmp_path, thinker=thinker)
    hilda = (await gateway.list_agents("socker"))[-1]
    table = await gateway.open_table(fresh(), "socker", (SeatWish.ME, hilda), {})
    async with watching(gateway, table.match_id) as told:
        while not any(isinstance(one, Event) and one.origin == hilda.name for one in told):
            match = await gateway.get_match(table.match_id)
            if match.actor == 0:
                await act(gateway, match, legal(match)[0])
            await asyncio.sleep(0)
    assert isinstance(told[-1], Match | Event)
    await gateway.close()
