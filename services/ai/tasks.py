"""What a worker does with a job: ids in, one action out, or nothing if nobody waits any more."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, cast

import grpc
import structlog
from celery import shared_task
from celery.signals import worker_process_init

from oddsocks.rules.v1.rules_internal_service_pb2_grpc import RulesInternalServiceStub
from oddsocks.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from services.ai import answers
from services.ai.celery_app import ACT
from services.ai.plan import Key, Mode
from services.ai.settings import WorkerSettings
from services.ai.think import Answer, Question, think_or_play_on
from services.common.auth import ServiceTokens, read_secret
from services.common.clock import system_clock
from services.common.process import die_with_parent

_log = structlog.get_logger("tasks")

CALL_S: Final = 2.0
"""Deadline of a call to rules. Two calls and the thinking fit into the soft limit."""


@shared_task(name=ACT)
def act(match_id: str, seat: int, revision: int, mode: str) -> None:
    """Find and hand in the action of an agent's seat at a revision.

    A failure is logged and forgotten: the sweep sees that the seat still waits and asks again.
    """
    key = Key(match_id, seat, revision)
    log = _log.bind(**key._asdict(), mode=mode)
    try:
        question = _rules().question(key)
        answer = think_or_play_on(question, Mode(mode))
        _rules().hand_in(key, question, answer)
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


class _Rules:
    """The calls of one worker process to rules."""

    def __init__(self, settings: WorkerSettings) -> None:
        channel = grpc.insecure_channel(settings.rules_address)
        self._tokens = ServiceTokens(
            answers.SERVICE, read_secret(settings.service_secret_file), system_clock
        )
        self._internal = RulesInternalServiceStub(channel)
        self._public = RulesServiceStub(channel)

    def question(self, key: Key) -> Question:
        """What the seat knows; raises grpc.RpcError, with a status of MOVED_ON if it has acted."""
        response = self._internal.GetInformationState(
            answers.question_request(key), timeout=CALL_S, metadata=self._metadata()
        )
        return answers.question(response)

    def hand_in(self, key: Key, question: Question, answer: Answer) -> None:
        """Submit the action; raises grpc.RpcError."""
        self._public.SubmitAction(
            answers.answer_request(key, question, answer),
            timeout=CALL_S,
            metadata=self._metadata(),
        )

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self._tokens.current()}"),)


@cache
def _rules() -> _Rules:
    # Opened by the first job of each process: a channel does not survive a fork.
    return _Rules(WorkerSettings())


@worker_process_init.connect
def _tie_to_worker(**_: Any) -> None:
    """A worker that is killed takes its processes along, whatever they are thinking about."""
    die_with_parent()
