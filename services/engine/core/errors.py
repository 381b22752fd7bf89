"""What can be wrong with a request to the engine. Each error carries the offending text.

Kept apart, since callers answer them differently: text nobody can read (`InvalidNotation`), an
action that is readable but not allowed here (`IllegalAction`), a table option out of its range
(`InvalidOption`), and a game that is not on the shelf (`UnknownGame`).
"""

from __future__ import annotations

_SHOWN = 80


def clip(text: str, limit: int = _SHOWN) -> str:
    """Shorten `text` for a message, so that a megabyte of input is not echoed back."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


class EngineError(ValueError):
    """Base of all errors of the engine."""


class InvalidNotation(EngineError):
    """A position, action, observation or information state that can't be read.

    `text` is the whole input, `part` the piece at fault.
    """

    def __init__(self, problem: str, *, part: str, text: str) -> None:
        self.problem, self.part, self.text = problem, part, text
        where = "" if part == text else f" in '{clip(text)}'"
        super().__init__(f"{problem}: '{clip(part)}'{where}")


class IllegalAction(EngineError):
    """An action that the rules do not allow here. `position` is an observation of the actor."""

    def __init__(self, problem: str, *, action: str, position: str) -> None:
        self.problem, self.action, self.position = problem, action, position
        super().__init__(f"{problem}: '{clip(action)}' in '{clip(position, 400)}'")


class InvalidOption(EngineError):
    """A table option with an unknown name, or a value out of its range."""

    def __init__(self, problem: str, *, name: str, value: str = "") -> None:
        self.problem, self.name, self.value = problem, name, value
        shown = f"{clip(name)}={clip(value)}" if value else clip(name)
        super().__init__(f"{problem}: '{shown}'")


class UnknownGame(EngineError):
    """A game that no ruleset is registered for."""

    def __init__(self, game: str) -> None:
        self.game = game
        super().__init__(f"unknown game: '{clip(game)}'")
