"""What a worker does with a job: ids in, one action out, or nothing if nobody waits any more."""

from __future__ import annotations

from typing import Any, Final, cast

import grpc
import structlog
from celery import shared_task
from celery.signals import worker_process_init

from services.ai import answers
from services.ai.celery_app import ACT
from services.ai.plan import Deadline, Key, Mode
from services.ai.think import think_or_play_on
from services.ai.worker_calls import worker_calls
from services.common.clock import system_clock
from services.common.process import die_with_parent

_log = structlog.get_logger("tasks")

CALL_S: Final = 2.0
"""Deadline of a call to rules. Two calls and the thinking fit into the soft limit."""


@shared_task(name=ACT)
def act(match_id: str, seat: int, revision: int, mode: str, asked_ms: int, until_ms: int) -> None:
    """Find and hand in the action of an agent's seat at a revision.

    With the effort of `mode`, or less if by now less time is left before `until_ms`. A failure is
    logged and forgotten: the sweep sees that the seat still waits and asks again.
    """
    key = Key(match_id, seat, revision)
    rung = Deadline(asked_ms, until_ms).rung(Mode(mode), system_clock())
    log = _log.bind(**key._asdict(), mode=rung.value)
    calls = worker_calls()
    try:
        response = calls.internal.GetInformationState(
            answers.question_request(key), timeout=CALL_S, metadata=calls.metadata()
        )
        question = answers.question(response)
        answer = think_or_play_on(question, rung)
        calls.rules.SubmitAction(
            answers.answer_request(key, question, answer),
            timeout=CALL_S,
            metadata=calls.metadata(),
        )
        log.info("answered", origin=answer.origin)
    except grpc.RpcError as error:
        status = cast(grpc.Call, error).code()  # errors of sync calls are calls, too
        if status in answers.MOVED_ON:
            log.info("moved on")
        else:
            log.warning("rules did not take part", status=status.name)
    except Exception as error:
        # Celery would log what it says, which may tell what is hidden.
        log.error("no action found", error=type(error).__name__)


@worker_process_init.connect
def _tie_to_worker(**_: Any) -> None:
    """A worker that is killed takes its processes along, whatever they are thinking about."""
    die_with_parent()
