"""When a part of a review is asked for again: by what is known of the one that did not come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio

from services.ai.advice.reviews import RETRY_MS, TAKEN_MS, UNSENT_MS, Reviews
from services.ai.advice.store import AdviceStore
from services.ai.celery_app import HARD_LIMIT_S
from services.ai.fallback import Children
from services.ai.publish import Publisher
from services.ai.store import MIGRATIONS
from services.common.database import connect, migrate
from services.common.errors import RefusedError

START_MS = 1_000_000


@dataclass
class Desk:
    """A review that was asked for, and the queue of its parts: (step, attempt), as they are sent.

    `away`: the queue does not answer. `at_once`: a worker takes a part before the sender goes on.
    """

    reviews: Reviews = field(init=False)
    review_id: str = ""
    now_ms: int = START_MS
    sent: list[tuple[int, int]] = field(default_factory=list)
    away: bool = False
    at_once: bool = False

    async def send_review(self, review_id: str, start: int, attempt: int) -> bool:
        """As `Publisher.send_review`."""
        assert review_id == self.review_id
        self.sent.append((start, attempt))
        if self.at_once:
            await self.reviews.part(review_id, start)
        return not self.away

    async def after(self, milliseconds: int) -> list[tuple[int, int]]:
        """What is sent in a round that much later than the last one."""
        self.now_ms += milliseconds
        self.sent.clear()
        await self.reviews.round()
        return [*self.sent]


@pytest_asyncio.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """A review whose first part is due."""
    engine = connect(f"sqlite:///{tmp_path}/ai.db")
    await migrate(engine, MIGRATIONS)
    desk, nobody = Desk(), cast(Any, None)
    desk.reviews = Reviews(
        asking=nobody,
        rules=nobody,
        tokens=nobody,
        store=AdviceStore(engine),
        publisher=cast(Publisher, desk),
        children=Children(1),
        clock=lambda: desk.now_ms,
        draining=asyncio.Event(),
        search_s=1.0,
    )
    row = await desk.reviews.store.ask_for("match", 0, desk.now_ms, "hilda")
    desk.review_id = row.review_id
    yield desk
    await engine.dispose()


async def test_a_part_that_may_be_in_the_queue_is_waited_for(desk: Desk) -> None:
    assert await desk.after(0) == [(0, 1)]
    assert await desk.after(RETRY_MS - 1) == []
    assert await desk.after(1) == [(0, 2)]


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_part_that_was_taken_is_asked_for_again_once_its_worker_is_gone(
    desk: Desk, at_once: bool
) -> None:
    desk.at_once = at_once
    assert await desk.after(0) == [(0, 1)]
    if not at_once:
        assert await desk.after(5_000) == []
        await desk.reviews.part(desk.review_id, 0)
    # No job outlives the hard limit, so until then the worker may still hand it in.
    assert await desk.after(round(HARD_LIMIT_S * 1_000)) == []
    assert await desk.after(TAKEN_MS - round(HARD_LIMIT_S * 1_000)) == [(0, 2)]
    assert TAKEN_MS < RETRY_MS / 10


async def test_who_takes_a_part_again_and_again_does_not_hold_it_up(desk: Desk) -> None:
    await desk.after(0)
    for _ in range(4):
        await desk.reviews.part(desk.review_id, 0)
        desk.now_ms += TAKEN_MS // 4
    assert await desk.after(0) == [(0, 2)]


async def test_a_part_that_is_not_the_next_one_changes_nothing(desk: Desk) -> None:
    await desk.after(0)
    with pytest.raises(RefusedError):
        await desk.reviews.part(desk.review_id, 1)
    assert await desk.after(TAKEN_MS) == []


async def test_a_queue_that_is_away_is_tried_again_soon(desk: Desk) -> None:
    desk.away = True
    assert await desk.after(0) == [(0, 1)]
    assert await desk.after(UNSENT_MS - 1) == []
    assert await desk.after(1) == [(0, 2)]
