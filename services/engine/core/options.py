"""Table options: what the people at a table may choose before they sit down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from services.engine.core.errors import InvalidOption

OptionValue: TypeAlias = bool | int | str
Options: TypeAlias = Mapping[str, OptionValue]
"""Every option of the game with its value; made by `resolve`, so complete and in range."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One table option.

    `default` fixes the type: bool, int (within `minimum` to `maximum`, both inclusive; None for
    an option whose absence has a meaning is written as 0) or str (one of `choices`).
    `summary` is one English line shown beside the option.
    """

    name: str
    default: OptionValue
    summary: str
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()

    def check(self, value: OptionValue) -> OptionValue:
        """Return `value`, or raise `InvalidOption` naming the option and the value."""
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise InvalidOption("must be true or false", name=self.name, value=str(value))
        elif isinstance(self.default, int):
            if isinstance(value, bool) or not isinstance(value, int):
                raise InvalidOption("must be a whole number", name=self.name, value=str(value))
            if not self.minimum <= value <= self.maximum:
                raise InvalidOption(
                    f"must be {self.minimum} to {self.maximum}", name=self.name, value=str(value)
                )
        elif value not in self.choices:
            raise InvalidOption(
                f"must be one of {', '.join(self.choices)}", name=self.name, value=str(value)
            )
        return value

    def parse(self, text: str) -> OptionValue:
        """Read the notation of a value: `true`/`false`, decimal digits, or a choice."""
        if isinstance(self.default, bool):
            if text not in ("true", "false"):
                raise InvalidOption("must be true or false", name=self.name, value=text)
            return text == "true"
        if isinstance(self.default, int):
            if not (text.isascii() and text.isdigit() and len(text) <= 9):
                raise InvalidOption("must be a whole number", name=self.name, value=text)
            return self.check(int(text))
        return self.check(text)


def format_value(value: OptionValue) -> str:
    """The notation of an option's value; the opposite of `OptionSpec.parse`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def resolve(specs: tuple[OptionSpec, ...], chosen: Options) -> dict[str, OptionValue]:
    """All options in the order of `specs`: the chosen values, checked, and defaults for the rest.

    Raises `InvalidOption` on an unknown name or a value out of range.
    """
    known = {spec.name for spec in specs}
    for name in chosen:
        if name not in known:
            raise InvalidOption("unknown option", name=name)
    return {
        spec.name: spec.check(chosen[spec.name]) if spec.name in chosen else spec.default
        for spec in specs
    }
