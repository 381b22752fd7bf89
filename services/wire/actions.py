"""Actions on the wire: typed where the game has a typed contract, else its notation."""

from __future__ import annotations

from typing import Any, Final

from google.protobuf.message import Message

from oddsocks.play.v1 import play_pb2
from services.engine.core import Action, InvalidNotation, Ruleset
from services.wire.codecs import CODECS

MAX_TEXT: Final = 200
"""Longest notation of an action a request may carry, in characters."""

HIDDEN: Final = "?"
"""What `Ruleset.visible_action` answers for an action a seat may not see at all."""


def action_to_message(ruleset: Ruleset[Any, Any, Any], action: Action) -> play_pb2.Action:
    """An action that may be seen whole."""
    codec = CODECS.get(ruleset.game)
    if codec is None:
        return play_pb2.Action(text=ruleset.format_action(action))
    return _typed(ruleset.game, codec.write_action(action))


def visible_to_message(ruleset: Ruleset[Any, Any, Any], text: str) -> play_pb2.Action | None:
    """An action as `Ruleset.visible_action` lets a seat see it; None when it is hidden."""
    if text == HIDDEN:
        return None
    try:
        return action_to_message(ruleset, ruleset.parse_action(text))
    except InvalidNotation:  # partly hidden, such as a card of which one side is seen
        codec = CODECS.get(ruleset.game)
        part = codec.write_partly(text) if codec else None
        return play_pb2.Action(text=text) if part is None else _typed(ruleset.game, part)


def action_from_message(ruleset: Ruleset[Any, Any, Any], message: play_pb2.Action) -> Action:
    """The action a request names, not yet checked against a position.

    Raises `InvalidNotation` for text nobody can read, another game's arm, an arm newer than
    this server, or none at all.
    """
    arm = message.WhichOneof("action")
    if arm == "text":
        if len(message.text) > MAX_TEXT:
            raise InvalidNotation(
                f"longer than {MAX_TEXT} characters", part=message.text, text=message.text
            )
        return ruleset.parse_action(message.text)
    if arm is not None and arm == ruleset.game:
        return CODECS[arm].read_action(getattr(message, arm))
    problem = "no action this server knows" if arm is None else f"not an action of {ruleset.game}"
    raise InvalidNotation(problem, part=arm or "", text=arm or "")


def _typed(game: str, body: Message) -> play_pb2.Action:
    arm: dict[str, Any] = {game: body}
    return play_pb2.Action(**arm)
