"""The frame around every game's notation, and the helpers that read its parts.

    position = game "/" version " " seats { " " option "=" value } " | " body

`socker/1 2 goals_to_win=3 | …`. The header names the options that differ from their defaults,
in the ruleset's order; the body is the game's own. docs/notation.md describes all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.engine.core.errors import InvalidNotation, InvalidOption
from services.engine.core.options import OptionSpec, OptionValue, format_value, resolve

if TYPE_CHECKING:
    from typing import Any

    from services.engine.core.ruleset import Ruleset

MAX_LENGTH = 65_536
"""Longest text any reader of notation accepts, in characters."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The header of a position, read."""

    seats: int
    options: dict[str, OptionValue]
    body: str


def check_length(text: str) -> str:
    """Return `text`, or raise `InvalidNotation` when it is longer than any position can be."""
    if len(text) > MAX_LENGTH:
        raise InvalidNotation(f"longer than {MAX_LENGTH} characters", part=text, text=text)
    return text


def game_of(text: str) -> str:
    """The name of the game a position, observation or information state belongs to."""
    name, slash, _ = check_length(text).partition("/")
    if not slash:
        raise InvalidNotation("no game before '/'", part=text, text=text)
    return name.strip()


def write_frame(
    ruleset: Ruleset[Any, Any, Any], seats: int, options: dict[str, OptionValue], body: str
) -> str:
    """Put the header before `body`."""
    words = [f"{ruleset.game}/{ruleset.version}", str(seats)]
    words += [
        f"{spec.name}={format_value(options[spec.name])}"
        for spec in ruleset.option_specs
        if options[spec.name] != spec.default
    ]
    return f"{' '.join(words)} | {body}"


def read_frame(ruleset: Ruleset[Any, Any, Any], text: str) -> Frame:
    """Take the header off `text`; raises `InvalidNotation` naming the part at fault."""
    head, bar, body = check_length(text).partition("|")
    words = head.split()
    if not bar or len(words) < 2:
        raise InvalidNotation("expected 'game/version seats … | position'", part=text, text=text)
    if words[0] != f"{ruleset.game}/{ruleset.version}":
        raise InvalidNotation(
            f"expected '{ruleset.game}/{ruleset.version}'", part=words[0], text=text
        )
    seats = read_int(words[1], ruleset.min_seats, ruleset.max_seats, what="seats", text=text)
    specs: dict[str, OptionSpec] = {spec.name: spec for spec in ruleset.option_specs}
    chosen: dict[str, OptionValue] = {}
    for word in words[2:]:
        name, _, value = word.partition("=")
        if name not in specs or name in chosen:
            raise InvalidNotation("unknown or repeated option", part=word, text=text)
        try:
            chosen[name] = specs[name].parse(value)
        except InvalidOption as error:
            raise InvalidNotation(error.problem, part=word, text=text) from error
    return Frame(seats, resolve(ruleset.option_specs, chosen), body.strip())


def read_int(word: str, minimum: int, maximum: int, *, what: str, text: str) -> int:
    """Read a decimal number in range; raises `InvalidNotation` that says what it was meant for."""
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        raise InvalidNotation(f"{what} must be a whole number", part=word, text=text)
    value = int(word)
    if not minimum <= value <= maximum:
        raise InvalidNotation(f"{what} must be {minimum} to {maximum}", part=word, text=text)
    return value


def cell_name(column: int, row: int) -> str:
    """`a1` for column 0, row 0: bottom left, row 1 nearest the first seat."""
    return f"{chr(ord('a') + column)}{row + 1}"


def read_cell(word: str, columns: int, rows: int, *, text: str) -> tuple[int, int]:
    """(column, row), both from 0; raises `InvalidNotation` for anything off the board."""
    number = word[1:]
    if word[:1].isascii() and word[:1].isalpha() and number.isascii() and number.isdigit():
        column, row = ord(word[0]) - ord("a"), int(number[:3]) - 1
        if 0 <= column < columns and 0 <= row < rows and number == str(row + 1):
            return column, row
    raise InvalidNotation("no such cell", part=word, text=text)
