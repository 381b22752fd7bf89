"""What a game's typed contract is made of, and the words with which its reading fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf import text_format
from google.protobuf.message import Message

from services.engine.core import Action, InvalidNotation


@dataclass(frozen=True, slots=True)
class Codec:
    """One game between engine and protobuf. What reads raises `InvalidNotation`."""

    write_action: Callable[[Action], Message]
    """An action that may be seen whole."""
    read_action: Callable[[Any], Action]
    """The action a message names, not yet checked against a position."""
    write_observation: Callable[[Any], Message]
    """What a seat sees; nothing that the observation's notation does not hold."""
    read_observation: Callable[[Any], Any]
    """The observation a message holds."""
    write_partly: Callable[[str], Message | None] = lambda _: None
    """An action of which a seat sees a part, by its notation; None where there is no such thing."""


def unreadable(problem: str, part: str, message: Message) -> InvalidNotation:
    """The error for a `part` of a typed `message`, both named as the contract names them."""
    text = text_format.MessageToString(message, as_one_line=True)
    return InvalidNotation(problem, part=part, text=text)


def read_typed_cell(
    message: Any, field: str, part: str, *, columns: int, rows: int
) -> tuple[int, int]:
    """(column, row) of the cell in `message.field`; raises `InvalidNotation` naming `part`."""
    if not message.HasField(field):
        raise unreadable("missing", part, message)
    cell = getattr(message, field)
    for name, value, size in (("column", cell.column, columns), ("row", cell.row, rows)):
        if not 0 <= value < size:
            raise unreadable(f"must be 0 to {size - 1}", f"{part}.{name}", message)
    return cell.column, cell.row
