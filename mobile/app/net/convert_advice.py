"""Between the messages of the ai service and the app's own values: hints and reviews."""

from __future__ import annotations

from app.model.advice import (
    Decision,
    Hint,
    Luck,
    Point,
    Progress,
    Reason,
    Review,
    Reviewing,
)
from app.net import convert
from oddsocks.ai.v1 import advice_pb2 as pb
from oddsocks.ai.v1 import ai_service_pb2 as ai

_PREFIX = "HINT_REASON_"
_REASONS = {pb.HintReason.Value(_PREFIX + reason.value.upper()): reason for reason in Reason}


def hint(message: pb.Hint, used: int) -> Hint:
    """`used`: how many hints the seat has had."""
    return Hint(
        act=convert.act(message.action),
        reasons=tuple(_REASONS.get(code, Reason.UNSPECIFIED) for code in message.reasons),
        used=used,
        expected=message.expected_permille if message.HasField("expected_permille") else None,
    )


def review(message: pb.Review) -> Review:
    decisions = (
        Decision(
            number,
            one.revision,
            convert.act(one.played),
            convert.act(one.best),
            max(0, one.loss_permille),
        )
        for number, one in enumerate(message.decisions, 1)
    )
    luck = sorted(message.luck, key=lambda one: one.seat)
    return Review(
        seat=message.seat,
        agent=message.agent,
        decisions=tuple(decisions),
        curve=tuple(Point(one.revision, tuple(one.expected_permille)) for one in message.curve),
        luck=tuple(Luck(one.luck_permille, one.error_permille) for one in luck),
        hints_used=tuple(message.hints_used),
        lucky=len(message.chances),
    )


def update(response: ai.ReviewMatchResponse) -> Reviewing:
    """One step of the stream; a kind this app does not know says nothing new."""
    if response.WhichOneof("update") == "review":
        return review(response.review)
    return Progress(response.progress.done, response.progress.total)
