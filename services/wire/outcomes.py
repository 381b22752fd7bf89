"""The end of a match on the wire."""

from __future__ import annotations

from oddsocks.play.v1 import play_pb2
from services.engine.core import Outcome


def outcome_to_message(outcome: Outcome) -> play_pb2.Outcome:
    """An outcome as a message."""
    return play_pb2.Outcome(reason=outcome.reason, winners=outcome.winners, scores=outcome.scores)


def outcome_from_message(message: play_pb2.Outcome) -> Outcome:
    """An outcome from a message."""
    return Outcome(message.reason, tuple(message.winners), tuple(message.scores))
