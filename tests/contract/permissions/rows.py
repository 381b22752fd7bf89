"""The sorts of rows there are in the table of who may make which call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from google.protobuf.message import Message

from tests.contract.permissions.scene import Scene

Ask: TypeAlias = Callable[[Scene], Message]

NO_MATCH: Final = "MATCH_NOT_FOUND"
NO_SEAT: Final = "NOT_YOUR_SEAT"
INVALID: Final = "TOKEN_INVALID"
MISSING: Final = "UNIMPLEMENTED"


@dataclass(frozen=True, slots=True)
class Anybody:
    """A public method that needs no token."""

    method: str
    ask: Ask


@dataclass(frozen=True, slots=True)
class Players:
    """A public method that needs a player's token, and whose caller it says is `holder`.

    `right` is what the holder hears: "", or a refusal for another reason than who they are. The
    others are players, too: a `stranger` to the match, table or ticket; a `spectator` of the match
    who has no seat; one at another seat of it; a `former` holder of a seat. None: the request is
    about nothing but its caller, so they are no others. `service` is what a service hears that asks
    on the internal listener and has no seats.
    """

    method: str
    ask: Ask
    right: str = ""
    stranger: str | None = None
    spectator: str | None = None
    other_seat: str | None = None
    former: str | None = None
    service: str = INVALID


@dataclass(frozen=True, slots=True)
class Services:
    """A method of the internal listener; `by` is the one service that may, or any ("")."""

    method: str
    ask: Ask
    by: str = ""
    others: str = INVALID
    right: str = ""


Row: TypeAlias = Anybody | Players | Services
