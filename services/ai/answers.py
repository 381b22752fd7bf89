"""The two calls an answer takes, as messages: ask rules what a seat knows, hand in its action."""

from __future__ import annotations

import hashlib
from typing import Final

import grpc

from oddsocks.play.v1 import play_pb2
from oddsocks.rules.v1 import rules_internal_service_pb2 as internal
from oddsocks.rules.v1 import rules_service_pb2 as rules
from services.ai.plan import Key
from services.ai.think import Answer, Question

SERVICE: Final = "ai"
"""By this name the service and its workers call rules."""

MOVED_ON: Final = frozenset(
    {
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.PERMISSION_DENIED,  # its person has taken the seat back
    }
)
"""Statuses that say: nobody waits for this answer any more."""


def question_request(key: Key) -> internal.GetInformationStateRequest:
    """Ask what the seat knows."""
    return internal.GetInformationStateRequest(**key._asdict())


def question(response: internal.GetInformationStateResponse) -> Question:
    """What the seat knows."""
    live = response.pace != play_pb2.PACE_DAYS
    return Question(response.game, response.agent, response.information, live)


def answer_request(key: Key, question: Question, answer: Answer) -> rules.SubmitActionRequest:
    """Hand in the action. The request id says what it answers, so it counts once, whoever and
    however many find one: the first is played, the others get the same reply.

    The hash is of what was thought about, here: so that it can be shown later that it was no more
    than the seat knew.
    """
    return rules.SubmitActionRequest(
        match_id=key.match_id,
        seat=key.seat,
        request_id=f"{key.match_id}:{key.seat}:{key.revision}",
        expected_revision=key.revision,
        action=play_pb2.Action(text=answer.action),
        origin=answer.origin,
        information_sha256=hashlib.sha256(question.information.encode()).hexdigest(),
    )
