"""What is agreed at a table beside its game's options, and how a match stands beside its game:
clocks, who is away, what is asked. Free of Kivy and of wire formats."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Pace(Enum):
    """How fast a match is played; its value is what screens pass on."""

    LIVE = "live"
    DAYS = "days"


class Absence(Enum):
    """What happens when a turn's time is up."""

    SITTER = "sitter"
    PASS = "pass"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed. Zero and None stand for what the server takes where nobody chose."""

    pace: Pace = Pace.LIVE
    turn_seconds: int = 0
    """Live: 10 to 3600. In a running match 0 means that turns have no end."""
    reserve_seconds: int | None = None
    """Live: 0 to 7200, for the whole match."""
    turn_days: int = 0
    """Days: 1 to 14."""
    absence: Absence = Absence.SITTER
    sitter: str = ""
    """The agent that plays for somebody absent."""
    vacation_days: int | None = None
    """Days: 0 to 28, for the whole match."""
    spectators: bool = False
    undo: bool = True
    takeback: bool = True
    hints: bool = True


USUAL = Terms()


class SeatState(Enum):
    """Who acts for a seat."""

    UNKNOWN = "unknown"
    """An agent's seat, or one at a table."""
    PRESENT = "present"
    SITTER = "sitter"
    """An agent, until its person is back."""
    RETURNING = "returning"
    """An agent, until the seat's next turn."""
    GIVEN_UP = "given_up"
    """An agent, to the end."""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """What a seat has left, milliseconds; times are by the server's clock."""

    seat: int
    reserve_left_ms: int = 0
    vacation_until_ms: int | None = None
    vacation_left_ms: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the seat to act; milliseconds since 1970 UTC by the server's clock."""

    deadline_ms: int | None
    """None: the turn has no end."""
    reserve_from_ms: int | None
    """When the turn's own time is up; None without a reserve."""
    now_ms: int
    """When the server said all this."""
    seats: tuple[SeatClock, ...] = ()


class Said(Enum):
    """What can happen in a match beside its game."""

    UNKNOWN = "unknown"
    UNDO = "undo"
    ASK_TAKEBACK = "ask_takeback"
    OFFER_END = "offer_end"
    AGREE = "agree"
    DECLINE = "decline"
    TAKEBACK = "takeback"
    END = "end"
    RESIGN = "resign"
    ABANDON = "abandon"
    SIT = "sit"
    RETURN = "return"
    FORFEIT = "forfeit"
    VACATION = "vacation"


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to all people of a match: ASK_TAKEBACK or OFFER_END."""

    kind: Said
    seat: int
    revision: int
    """Answers name it."""
    waiting: tuple[int, ...]
    """Seats whose people have yet to answer."""


# --- what a person wants beside the game ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Undo:
    """One's own last action is undone, at `revision`."""

    revision: int


@dataclass(frozen=True, slots=True)
class AskTakeback:
    """The others are asked to let the seat's last action be taken back, and all since."""

    revision: int


@dataclass(frozen=True, slots=True)
class OfferEnd:
    """The others are asked to end the match without a winner."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Yes or no to the question asked at `revision`; "no" of who asked takes it back."""

    revision: int
    agree: bool


@dataclass(frozen=True, slots=True)
class Resign:
    """The seat is given up."""


@dataclass(frozen=True, slots=True)
class TakeSeatBack:
    """Its person is back."""


@dataclass(frozen=True, slots=True)
class Vacation:
    """Its person is away for `days`; 0: back from it."""

    days: int


Wish: TypeAlias = Undo | AskTakeback | OfferEnd | Answer | Resign | TakeSeatBack | Vacation
