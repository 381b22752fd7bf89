"""What matchmaking talks about: tables and who sits at them, games, matches from afar. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, TypeVar

from oddsocks.play.v1.errors_pb2 import ErrorReason
from oddsocks.play.v1.play_pb2 import Event
from services.common.errors import RefusedError, invalid_field
from services.engine.core import InvalidOption, OptionSpec, OptionValue, Outcome
from services.engine.core.options import resolve

Item = TypeVar("Item")


class Status(Enum):
    """Whether a table still waits.

    OPEN → STARTING (full; rules is being asked for the match) → STARTED; OPEN or STARTING → CLOSED
    (the host left, or rules refused for good). Nothing leads back, except that a leaver's seat
    opens again.
    """

    OPEN = "open"
    STARTING = "starting"
    STARTED = "started"
    CLOSED = "closed"


class Pace(Enum):
    """How fast a match is played."""

    LIVE = "live"
    DAYS = "days"


@dataclass(frozen=True, slots=True)
class Person:
    """A player on a seat. One player may hold several: a family on one device."""

    player_id: str
    display_name: str


@dataclass(frozen=True, slots=True)
class Computer:
    """An agent on a seat."""

    agent: str


@dataclass(frozen=True, slots=True)
class Free:
    """An open seat; of a rematch kept for the person who is to sit there."""

    kept_for: Person | None = None


Occupant: TypeAlias = Person | Computer | Free


@dataclass(frozen=True, slots=True)
class Table:
    """A table before, and a handle on, its match.

    `options` holds every option, defaults included; `opened_at_ms` is milliseconds since 1970 UTC;
    `match_id` is empty until it has started, `code` when no seat was ever open, `rematch_of`
    (a match id) when it is no rematch. `rules` is what is agreed beside the options (agreed.py);
    `listed` tables may be found by strangers. `seed_sha256` is the hash of the seed that rules has
    promised, `nonces` what each seat has added to it since; empty: nothing.
    """

    table_id: str
    host_id: str
    game: str
    options: Mapping[str, OptionValue]
    seats: tuple[Occupant, ...]
    pace: Pace
    opened_at_ms: int
    status: Status
    code: str = ""
    match_id: str = ""
    rematch_of: str = ""
    rules: str = "{}"
    listed: bool = False
    seed_sha256: bytes = b""
    nonces: tuple[bytes, ...] = ()

    @property
    def edition(self) -> str:
        """The printing of the game that is played; empty for games that have but one."""
        return edition(self.options)

    @property
    def people(self) -> set[str]:
        """The ids of all who sit here."""
        return {who.player_id for who in self.seats if isinstance(who, Person)}

    @property
    def company(self) -> set[str]:
        """The ids of all whom somebody meets here: who sits here, and the host, seat or no seat."""
        return self.people | {self.host_id}

    @property
    def awaited(self) -> set[str]:
        """The ids of all for whom a seat is kept."""
        return {
            who.kept_for.player_id for who in self.seats if isinstance(who, Free) and who.kept_for
        }

    @property
    def involved(self) -> set[str]:
        """The ids of the host and of all who sit here or are to sit here."""
        return self.company | self.awaited

    def seats_of(self, player_id: str) -> list[int]:
        """The seats a player holds, ascending."""
        return [
            index
            for index, who in enumerate(self.seats)
            if isinstance(who, Person) and who.player_id == player_id
        ]

    def kept_for(self, player_id: str) -> dict[int, Person]:
        """The free seats that are kept for a player, with who is to sit there."""
        return {
            index: who.kept_for
            for index, who in enumerate(self.seats)
            if isinstance(who, Free) and who.kept_for and who.kept_for.player_id == player_id
        }

    def concerns(self, player_id: str) -> bool:
        """Whether a player sits here or opened the table; nobody else may know of it."""
        return self.host_id == player_id or bool(self.seats_of(player_id))


@dataclass(frozen=True, slots=True)
class Wish:
    """A table somebody wants to open; `options` holds what they chose, unchecked."""

    game: str
    options: Mapping[str, OptionValue]
    seats: tuple[Occupant, ...]
    pace: Pace
    rules: str = "{}"
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Fill:
    """An agent takes the seats that are left once a ticket has waited for `after_ms`."""

    agent: str
    after_ms: int


@dataclass(frozen=True, slots=True)
class TicketWish:
    """What somebody wants to play with whoever comes; `options` are unchecked."""

    game: str
    options: Mapping[str, OptionValue]
    rules: str
    pace: Pace
    seats: int
    fill: Fill | None


@dataclass(frozen=True, slots=True)
class Game:
    """A game on the shelf of rules."""

    name: str
    min_seats: int
    max_seats: int
    options: tuple[OptionSpec, ...]

    def check_seats(self, seats: tuple[Occupant, ...]) -> None:
        """Raise `RefusedError` INVALID_FIELD unless the game has that many seats."""
        if not self.min_seats <= len(seats) <= self.max_seats:
            raise invalid_field(
                "seats",
                f"{self.name} has {self.min_seats} to {self.max_seats} seats, not {len(seats)}",
            )

    def resolve(self, chosen: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """All options, defaults included; raises `RefusedError` INVALID_OPTION."""
        try:
            return resolve(self.options, chosen)
        except InvalidOption as error:
            raise invalid_option(error) from error


def edition(options: Mapping[str, OptionValue]) -> str:
    """The printing of the game that options choose; empty for games that have but one."""
    chosen = options.get("edition", "")
    return chosen if isinstance(chosen, str) else ""


def invalid_option(error: InvalidOption) -> RefusedError:
    """The refusal of an option."""
    return RefusedError(ErrorReason.ERROR_REASON_INVALID_OPTION, str(error), option=error.name[:80])


@dataclass(frozen=True, slots=True)
class Summary:
    """Where a match stands; `actor` and `outcome` are None when they don't apply.

    Since when `actor` is to act, and until when (None: for ever), in milliseconds since 1970 UTC.
    """

    revision: int
    running: bool
    actor: int | None
    outcome: Outcome | None
    acting_since_ms: int = 0
    deadline_ms: int | None = None


@dataclass(frozen=True, slots=True)
class News:
    """Where a player's match stands, and what happened in it, as rules tells.

    `seats` are the player's that were not given up; `events` are as those see them.
    """

    summary: Summary
    seats: tuple[int, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over; `finished_at_ms` is milliseconds since 1970 UTC.

    `agents_acted`: for their own seats, or for somebody who was absent.
    """

    match_id: str
    outcome: Outcome
    finished_at_ms: int
    agents_acted: bool = False


@dataclass(frozen=True, slots=True)
class MyMatch:
    """One of a player's tables; `summary` is None before its match, or when nobody knows.

    `news` are the latest events since those that the player's device has seen.
    """

    table: Table
    my_seats: tuple[int, ...]
    summary: Summary | None
    news: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Invitation:
    """A friend's invitation to a table that waits; `picture` is the inviter's."""

    table: Table
    inviter: Person
    picture: str
    invited_at_ms: int
    seen: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a list that is newest first: the last row before it."""

    opened_at_ms: int
    table_id: str

    @staticmethod
    def of(table: Table) -> Position:
        """Where a table stands among others."""
        return Position(table.opened_at_ms, table.table_id)


def page_of(
    found: Sequence[Item], size: int, place: Callable[[Item], Position]
) -> tuple[list[Item], Position | None]:
    """A page of a list of which one row more than that was looked for, and where the next begins:
    behind the `place` of its last row; None: it is the last page.
    """
    page = list(found[:size])
    return page, place(page[-1]) if len(found) > size else None
