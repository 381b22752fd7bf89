"""Table options and games on the wire."""

from __future__ import annotations

from typing import Any

from oddsocks.play.v1 import play_pb2
from services.engine.core import InvalidOption, OptionSpec, OptionValue, Ruleset


def value_to_message(value: OptionValue) -> play_pb2.OptionValue:
    """One option's value."""
    if isinstance(value, bool):
        return play_pb2.OptionValue(flag=value)
    if isinstance(value, int):
        return play_pb2.OptionValue(number=value)
    return play_pb2.OptionValue(choice=value)


def options_to_message(options: dict[str, OptionValue]) -> play_pb2.Options:
    """All options."""
    return play_pb2.Options(
        values={name: value_to_message(value) for name, value in options.items()}
    )


def options_from_message(message: play_pb2.Options) -> dict[str, OptionValue]:
    """The options a client chose, unchecked; raises `InvalidOption` for one without a value."""
    chosen: dict[str, OptionValue] = {}
    for name, value in message.values.items():
        match value.WhichOneof("value"):
            case "flag":
                chosen[name] = value.flag
            case "number":
                chosen[name] = value.number
            case "choice":
                chosen[name] = value.choice
            case _:
                raise InvalidOption("has no value", name=name)
    return chosen


def game_to_message(ruleset: Ruleset[Any, Any, Any]) -> play_pb2.Game:
    """A game with its options, as the shelf lists it."""
    return play_pb2.Game(
        name=ruleset.game,
        ruleset_version=ruleset.version,
        min_seats=ruleset.min_seats,
        max_seats=ruleset.max_seats,
        options=[_spec_to_message(spec) for spec in ruleset.option_specs],
    )


def _spec_to_message(spec: OptionSpec) -> play_pb2.OptionSpec:
    return play_pb2.OptionSpec(
        name=spec.name,
        default=value_to_message(spec.default),
        summary=spec.summary,
        minimum=spec.minimum,
        maximum=spec.maximum,
        choices=spec.choices,
    )
