"""What every game has in common: the `Ruleset` interface, its value types and its errors."""

from services.engine.core.errors import (
    EngineError,
    IllegalAction,
    InvalidNotation,
    InvalidOption,
    UnknownGame,
)
from services.engine.core.options import Options, OptionSpec, OptionValue
from services.engine.core.ruleset import Ruleset
from services.engine.core.types import (
    CHANCE,
    SPECTATOR,
    Action,
    Outcome,
    Seat,
    WeightedAction,
)

__all__ = [
    "CHANCE",
    "SPECTATOR",
    "Action",
    "EngineError",
    "IllegalAction",
    "InvalidNotation",
    "InvalidOption",
    "OptionSpec",
    "OptionValue",
    "Options",
    "Outcome",
    "Ruleset",
    "Seat",
    "UnknownGame",
    "WeightedAction",
]
