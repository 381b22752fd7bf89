"""Hints and reviews of this device: by what one seat knows, counted, and never in the way."""

from __future__ import annotations

import asyncio
import base64
import random
import threading
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.model.advice import Hint, Progress, Reason, Review
from app.model.gateway import Refused
from app.model.store import Store
from app.model.terms import USUAL, Undo
from app.model.values import Here, Match, SeatWish
from app.net import local_advice, local_reviews
from app.net.local import LocalGateway
from app.net.local_shelf import Shelf
from app.net.local_thinking import Thinker
from oddsocks.ai.v1 import advice_pb2 as pb
from services.advice.hint import agent_of
from services.engine.agents import Budget
from services.engine.core.registry import ruleset
from services.wire.actions import action_to_message
from tests.mobile.beside import may_undo, wish
from tests.mobile.gateways import BOTH, SHORT, act, begun, fresh, legal, opened, play_out

QUICK = Budget(seconds=None, iterations=30)


def on(folder: Path, **how: Any) -> LocalGateway:
    """A gateway as after a start of the app, that thinks no longer than a test has time."""
    store = Shelf(Store(folder))
    return LocalGateway(store, lambda: "Ada", thinker=Thinker(QUICK), pace_s=0, review_s=0.2, **how)


async def asked(gateway: LocalGateway, match: Match) -> Hint:
    """A hint for whoever is to act."""
    assert match.actor is not None
    return await gateway.suggest(match.match_id, match.actor, match.revision)


class Overheard:
    """Stands for the search, and keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.stops: list[Any] = []
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def __call__(self, game: str, information: str, _budget: Budget, stop: Any) -> pb.Hint:
        self.told.append(information)
        self.stops.append(stop)
        self.begun.set()
        assert self.go_on.wait(30)
        rules = ruleset(game)
        sample = rules.determinize(rules.parse_information(information), random.Random(0))
        best = action_to_message(rules, rules.legal_actions(sample)[0])
        return pb.Hint(action=best, reasons=[pb.HINT_REASON_LOOKS], agent=agent_of(game))


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Overheard:
    found = Overheard()
    monkeypatch.setattr(local_advice, "find_hint", found)
    return found


@pytest.mark.parametrize("game", sorted(SHORT))
async def test_a_hint_is_worked_out_from_what_its_seat_knows(
    tmp_path: Path, search: Overheard, game: str
) -> None:
    gateway = on(tmp_path)
    match_id = (await opened(gateway, game)).match_id
    rng = random.Random(3)
    for _ in range(2):
        match = await gateway.get_match(match_id)
        await act(gateway, match, rng.choice(legal(match)))
    match = await gateway.get_match(match_id)
    await asked(gateway, match)
    this = gateway._open[match_id]
    rules, seat = this.match.rules, match.actor
    assert seat is not None
    information = rules.information(this.match.state, seat)
    assert search.told == [rules.format_information(information)]
    # Whatever the match is that this seat can't tell from it, the search hears the same.
    hidden = set()
    for _ in range(8):
        this.match.state = rules.determinize(information, rng)
        hidden.add(rules.format_state(this.match.state))
        this.hints.clear()
        await asked(gateway, match)
    assert set(search.told) == {rules.format_information(information)}
    assert (len(hidden) > 1) == (game != "socker")
    await gateway.close()


@pytest.mark.parametrize("game", sorted(SHORT))
async def test_the_real_search_suggests_what_is_legal_and_says_why(
    tmp_path: Path, game: str
) -> None:
    gateway = on(tmp_path)
    match = await begun(gateway, game)
    hint = await asked(gateway, match)
    assert hint.act in legal(match)
    assert hint.reasons
    assert Reason.UNSPECIFIED not in hint.reasons
    assert (await gateway.get_match(match.match_id)).revision == match.revision
    await gateway.close()


async def test_hints_are_counted_once_for_a_decision_and_survive_a_kill(
    tmp_path: Path, search: Overheard
) -> None:
    gateway = on(tmp_path)
    match = await begun(gateway)
    first = await asked(gateway, match)
    assert first.used == 1
    assert await asked(gateway, match) == first
    assert len(search.told) == 1
    again = on(tmp_path)  # The one before is not closed: it was killed.
    assert (await asked(again, match)).used == 1
    await act(again, match, legal(match)[0])
    match = await again.get_match(match.match_id)
    assert (await asked(again, match)).used == 2
    await again.close()


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_table_without_hints_has_none(tmp_path: Path, *, restarted: bool) -> None:
    gateway, terms = on(tmp_path), replace(USUAL, hints=False)
    table = await gateway.open_table(fresh(), "socker", BOTH, {}, terms)
    gateway = on(tmp_path) if restarted else gateway
    match = await gateway.get_match(table.match_id)
    assert not match.terms.hints
    assert not (await gateway.get_table(table.table_id)).terms.hints
    with pytest.raises(Refused) as refused:
        await asked(gateway, match)
    assert refused.value.reason == "TABLE_FORBIDS"


async def test_a_hint_is_for_the_seat_to_act_and_for_no_opponent(
    tmp_path: Path, search: Overheard
) -> None:
    gateway = on(tmp_path)
    match = await begun(gateway)
    assert match.actor is not None
    for seat, revision, reason in (
        (1 - match.actor, match.revision, "NOT_YOUR_TURN"),
        (match.actor, match.revision - 1, "STALE_REVISION"),
        (7, match.revision, "NOT_YOUR_SEAT"),
    ):
        with pytest.raises(Refused) as refused:
            await gateway.suggest(match.match_id, seat, revision)
        assert refused.value.reason == reason
    agent = (await gateway.list_agents("socker"))[0]
    table = await gateway.open_table(fresh(), "socker", (SeatWish.ME, agent), {})
    with pytest.raises(Refused) as refused:
        await gateway.suggest(table.match_id, 1, 1)
    assert refused.value.reason == "NOT_YOUR_SEAT"
    assert search.told == []


async def test_a_hint_for_a_position_that_is_gone_is_dropped_and_not_counted(
    tmp_path: Path, search: Overheard
) -> None:
    gateway = on(tmp_path)
    match = await begun(gateway)
    search.go_on.clear()
    asking = asyncio.create_task(asked(gateway, match))
    await asyncio.to_thread(search.begun.wait, 30)
    await act(gateway, match, legal(match)[0])
    search.go_on.set()
    with pytest.raises(Refused) as refused:
        await asking
    assert refused.value.reason == "STALE_REVISION"
    now = await gateway.get_match(match.match_id)
    assert (await asked(gateway, now)).used == 1
    await gateway.close()


async def test_nobody_thinks_on_for_somebody_who_went_on_playing(
    tmp_path: Path, search: Overheard
) -> None:
    gateway = on(tmp_path)
    match = await begun(gateway)
    search.go_on.clear()
    asking = asyncio.create_task(asked(gateway, match))
    await asyncio.to_thread(search.begun.wait, 30)
    assert not search.stops[0]()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert search.stops[0]()
    search.go_on.set()
    await gateway.close()


async def test_a_search_at_fault_is_said_and_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object) -> pb.Hint:
        raise ZeroDivisionError

    gateway = on(tmp_path)
    match = await begun(gateway)
    monkeypatch.setattr(local_advice, "find_hint", faulty)
    with pytest.raises(Refused) as refused:
        await asked(gateway, match)
    assert refused.value.reason == "NO_ADVICE"
    assert gateway._open[match.match_id].match.hints_used() == (0, 0)


# --- looking back -------------------------------------------------------------------------------


async def test_a_match_of_this_device_is_looked_through_and_kept(tmp_path: Path) -> None:
    gateway = on(tmp_path)
    table = await gateway.open_table(
        fresh(), "hide_and_seek", (SeatWish.ME, Here("Mia")), {"types": 3, "turn_cap": 6}
    )
    with pytest.raises(Refused) as refused:
        await anext(gateway.review(table.match_id, 0))
    assert refused.value.reason == "MATCH_RUNNING"
    match = await gateway.get_match(table.match_id)
    await asked(gateway, match)
    await play_out(gateway, table.match_id, random.Random(1))
    steps = [step async for step in gateway.review(table.match_id, 0)]
    *progress, review = steps
    assert isinstance(review, Review)
    told = [step for step in progress if isinstance(step, Progress)]
    assert len(told) == len(progress) >= 1
    assert [step.done for step in told] == sorted(step.done for step in told)
    events = await gateway.list_events(table.match_id)
    own = [event.revision for event in events if event.actor == 0]
    assert [one.revision for one in review.decisions] == own
    assert [one.played for one in review.decisions] == [e.act for e in events if e.actor == 0]
    assert sum(review.hints_used) == 1
    outcome = (await gateway.get_match(table.match_id)).outcome
    assert outcome is not None
    winners = outcome.winners or (0, 1)
    assert review.curve[-1].expected == tuple(
        1000 // len(winners) if seat in winners else 0 for seat in range(2)
    )
    assert [step async for step in gateway.review(table.match_id, 0)] == [review]
    with pytest.raises(Refused) as refused:
        await anext(gateway.review(table.match_id, 5))
    assert refused.value.reason == "INVALID_FIELD"
    await gateway.close()


async def looked_through(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Review]:
    """A finished match with its review, and from now on nobody can make another."""
    gateway = on(folder)
    match_id = (await opened(gateway)).match_id
    await play_out(gateway, match_id, random.Random(1))
    *_, review = [step async for step in gateway.review(match_id, 0)]
    assert isinstance(review, Review)
    assert review.decisions
    await gateway.close()
    monkeypatch.setattr(local_advice, "look_through", None)
    return match_id, review


async def test_a_review_is_there_at_once_after_a_start_of_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, review = await looked_through(tmp_path, monkeypatch)
    gateway = on(tmp_path)
    assert [step async for step in gateway.review(match_id, 0)] == [review]
    with pytest.raises(Refused) as refused:  # With other eyes it is another one.
        [step async for step in gateway.review(match_id, 1)]
    assert refused.value.reason == "NO_ADVICE"
    await gateway.close()


def _cut(text: str) -> str:
    return text[: len(text) // 2]


def _of_another_match(text: str) -> str:
    message = pb.Review.FromString(zlib.decompress(base64.b64decode(text)))
    message.match_id = "here-another"
    return local_reviews.packed(message)


def _of_fewer_seats(text: str) -> str:
    message = pb.Review.FromString(zlib.decompress(base64.b64decode(text)))
    del message.luck[1]
    return local_reviews.packed(message)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda reviews: {"0": _cut(reviews["0"])},
        lambda reviews: {"0": "ä" + reviews["0"]},
        lambda _: {"0": base64.b64encode(b"no review").decode()},
        lambda reviews: {"0": _of_another_match(reviews["0"])},
        lambda reviews: {"0": _of_fewer_seats(reviews["0"])},
        lambda _: {"0": local_reviews.packed(pb.Review())},
        lambda _: {"0": 7, "one": "x"},
        lambda _: {},
        lambda _: "nonsense",
        lambda _: None,
    ],
)
async def test_a_broken_review_is_made_again_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Any], Any]
) -> None:
    with monkeypatch.context() as patched:
        match_id, review = await looked_through(tmp_path, patched)
    store = Store(tmp_path)
    spoilt = store.read(match_id)
    spoilt["reviews"] = spoil(spoilt["reviews"])
    if spoilt["reviews"] is None:
        del spoilt["reviews"]  # as an app of before kept it
    store.write(match_id, spoilt)
    gateway = on(tmp_path)
    assert (await gateway.get_match(match_id)).outcome is not None
    *progress, again = [step async for step in gateway.review(match_id, 0)]
    assert progress
    assert isinstance(again, Review)
    assert [one.played for one in again.decisions] == [one.played for one in review.decisions]
    kept_again = on(tmp_path)
    assert [step async for step in kept_again.review(match_id, 0)] == [again]
    await gateway.close()
    await kept_again.close()


async def test_without_room_a_review_is_shown_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = on(tmp_path)
    match_id = (await opened(gateway)).match_id
    await play_out(gateway, match_id, random.Random(1))

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Store, "write", full)
    *_, review = [step async for step in gateway.review(match_id, 0)]
    assert isinstance(review, Review)
    assert [step async for step in gateway.review(match_id, 0)] == [review]
    await gateway.close()


async def test_a_match_with_an_undone_action_is_looked_through_too(tmp_path: Path) -> None:
    gateway = on(tmp_path)
    match = await begun(gateway)
    while not may_undo(match):
        await act(gateway, match, legal(match)[0])
        match = await gateway.get_match(match.match_id)
    await wish(gateway, match, Undo(match.revision))
    over = await play_out(gateway, match.match_id, random.Random(2))
    updates = [update async for update in gateway.review(match.match_id, 0)]
    review = updates[-1]
    assert isinstance(review, Review)
    assert review.curve[-1].revision == over.revision
    revisions = [one.revision for one in review.decisions]
    assert revisions == sorted(set(revisions))
    await gateway.close()
    restarted = on(tmp_path)
    assert [update async for update in restarted.review(match.match_id, 0)] == [review]
    await restarted.close()


async def test_a_look_back_that_nobody_waits_for_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def endless(_line: Any, _seat: int, _start: int, _s: float, now: Any, _rng: Any) -> Any:
        begun.set()
        try:
            while True:
                now()
        finally:
            ended.set()

    monkeypatch.setattr(local_advice, "look_through", endless)
    gateway = on(tmp_path)
    table = await opened(gateway)
    await play_out(gateway, table.match_id, random.Random(1))

    async def look() -> None:
        async for _ in gateway.review(table.match_id, 0):
            pass

    looking = asyncio.create_task(look())
    assert await asyncio.to_thread(begun.wait, 30)
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    assert await asyncio.to_thread(ended.wait, 30)
    await gateway.close()
