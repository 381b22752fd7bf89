"""What a worker does with the job of a hint or of a part of a review."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final, cast

import grpc
import structlog
from celery import shared_task

from oddsocks.ai.v1 import jobs_internal_service_pb2 as pb
from oddsocks.rules.v1 import rules_service_pb2 as rules
from services.advice.hint import find_hint
from services.advice.line import Line, read_line
from services.advice.review import look_through
from services.ai.celery_app import REVIEW, SUGGEST
from services.ai.worker_calls import worker_calls

_log = structlog.get_logger("advice")

CALL_S: Final = 2.0
"""Deadline of a call."""
LINES: Final = 4
"""Records that a process keeps in mind: it often gets several parts of a review."""


@shared_task(name=SUGGEST)
def suggest(hint_id: str) -> None:
    """Find and hand in a hint."""
    with _logged(hint_id=hint_id):
        calls = worker_calls()
        wanted = calls.jobs.TakeHint(
            pb.TakeHintRequest(hint_id=hint_id), timeout=CALL_S, metadata=calls.metadata()
        )
        hint = find_hint(wanted.game, wanted.information)
        calls.jobs.FinishHint(
            pb.FinishHintRequest(hint_id=hint_id, hint=hint),
            timeout=CALL_S,
            metadata=calls.metadata(),
        )


@shared_task(name=REVIEW)
def review(review_id: str, start: int) -> None:
    """Make and hand in a part of a review."""
    with _logged(review_id=review_id, start=start):
        calls = worker_calls()
        wanted = calls.jobs.TakeReviewPart(
            pb.TakeReviewPartRequest(review_id=review_id, start=start),
            timeout=CALL_S,
            metadata=calls.metadata(),
        )
        line = _line(wanted.match_id)
        part = look_through(
            line, wanted.seat, start, wanted.search_ms / 1_000, time.monotonic, random.Random()
        )
        calls.jobs.FinishReviewPart(
            pb.FinishReviewPartRequest(
                review_id=review_id,
                start=start,
                next=part.next,
                total=part.total,
                part=part.found,
                strayed=part.strayed,
                quiet_steps=part.quiet,
            ),
            timeout=CALL_S,
            metadata=calls.metadata(),
        )


@lru_cache(maxsize=LINES)
def _line(match_id: str) -> Line:
    """A finished match, which never changes."""
    calls = worker_calls()
    parts = calls.rules.ExportMatch(
        rules.ExportMatchRequest(match_id=match_id), timeout=CALL_S, metadata=calls.metadata()
    )
    return read_line(json.loads("".join(message.part for message in parts)))


@contextmanager
def _logged(**job: object) -> Iterator[None]:
    """Failures are logged and forgotten: whoever waits asks again."""
    log = _log.bind(**job)
    try:
        yield
        log.info("answered")
    except grpc.RpcError as error:
        status = cast(grpc.Call, error).code()  # errors of sync calls are calls, too
        if status is grpc.StatusCode.NOT_FOUND:
            log.info("nobody waits")
        else:
            log.warning("a service did not take part", status=status.name)
    except Exception as error:
        # The type only: what it says may tell what is hidden.
        log.error("no advice found", error=type(error).__name__)
