"""A worker for round_trip.py: it says how long it searched, and has a task that does nothing."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import Final

from celery import shared_task

from services.ai import tasks, worker
from services.ai.celery_app import app
from services.ai.plan import Mode
from services.ai.settings import WorkerSettings
from services.ai.think import Answer, Question, think_or_play_on

EMPTY: Final = "oddsocks.bench.empty"


@shared_task(name=EMPTY, ignore_result=False)
def empty() -> None:
    """Nothing; that it is done is told through Redis."""


def timed(question: Question, mode: Mode) -> Answer:
    """The answer, whose origin says how many seconds were spent from what is known to it."""
    start = time.perf_counter()
    answer = think_or_play_on(question, mode)
    return replace(answer, origin=f"{time.perf_counter() - start:.6f}")


if __name__ == "__main__":
    tasks.think_or_play_on = timed  # type: ignore[attr-defined]  # it imports the name
    app.conf.update(result_backend=WorkerSettings().redis_url)
    sys.exit(worker.main())
