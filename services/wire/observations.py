"""Observations on the wire: typed where the game has a typed contract, else their notation."""

from __future__ import annotations

from typing import Any

from oddsocks.play.v1 import play_pb2
from services.engine.core import InvalidNotation, Ruleset
from services.wire.codecs import CODECS


def observation_to_message(
    ruleset: Ruleset[Any, Any, Any], observation: Any
) -> play_pb2.Observation:
    """What a seat sees, as a message."""
    codec = CODECS.get(ruleset.game)
    if codec is None:
        return play_pb2.Observation(text=ruleset.format_observation(observation))
    arm: dict[str, Any] = {ruleset.game: codec.write_observation(observation)}
    return play_pb2.Observation(**arm)


def observation_from_message(ruleset: Ruleset[Any, Any, Any], message: play_pb2.Observation) -> Any:
    """The observation a message holds; raises `InvalidNotation`."""
    arm = message.WhichOneof("observation")
    if arm == "text":
        return ruleset.parse_observation(message.text)
    if arm is not None and arm == ruleset.game:
        return CODECS[arm].read_observation(getattr(message, arm))
    raise InvalidNotation(f"not an observation of {ruleset.game}", part=arm or "", text=arm or "")
