"""The app's own nouns: what a gateway answers with, already checked and free of wire formats.

A newer server may name things this app does not know. Every enumeration therefore has an
UNKNOWN, and screens show it as such instead of failing (row 28 of the field failures).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from app.model.hide_and_seek import HideAndSeekAct, HideAndSeekView
from app.model.sock_monsters import SockMonstersAct, SockMonstersView
from app.model.socker import SockerAct, SockerView
from app.model.terms import USUAL, Ask, Clock, Said, SeatState, Terms
from services.engine.core.options import OptionValue
from services.engine.core.types import CHANCE, SPECTATOR, Outcome

__all__ = ["CHANCE", "SPECTATOR", "Outcome"]


class TableStatus(Enum):
    """Whether a table still waits for people."""

    UNKNOWN = "unknown"
    OPEN = "open"
    STARTING = "starting"
    STARTED = "started"
    CLOSED = "closed"


class MatchStatus(Enum):
    """Whether a match goes on. A table that has not started has UNKNOWN."""

    UNKNOWN = "unknown"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class UnknownAct:
    """An action this app cannot read: of a newer game, or hidden from this seat."""


@dataclass(frozen=True, slots=True)
class UnknownView:
    """An observation this app cannot read."""


Act: TypeAlias = SockerAct | SockMonstersAct | HideAndSeekAct | UnknownAct
View: TypeAlias = SockerView | SockMonstersView | HideAndSeekView | UnknownView


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays on this device."""

    player_id: str
    display_name: str
    picture: str = ""
    """The picture they chose, by name."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Proof of who calls; times are milliseconds since 1970 UTC by the server's clock."""

    access: str
    access_expires_ms: int
    refresh: str
    refresh_expires_ms: int


@dataclass(frozen=True, slots=True)
class Agent:
    """A computer opponent; `level` is 1 (kindest) upwards."""

    name: str
    game: str
    level: int


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits, or is to sit, on a seat. Nobody (an open seat) has neither id nor agent."""

    player_id: str = ""
    agent: str = ""
    display_name: str = ""
    state: SeatState = SeatState.UNKNOWN
    sitter: str = ""
    """The agent that acts for a person, by name; "" while the person does."""

    @property
    def is_open(self) -> bool:
        """Whether the seat waits for somebody."""
        return not (self.player_id or self.agent)


class SeatWish(Enum):
    """Whom a seat of a new table is for, when it is not for an agent."""

    ME = "me"
    FRIEND = "friend"


@dataclass(frozen=True, slots=True)
class Here:
    """A seat of a new table for somebody else on this device, called `name`."""

    name: str


SeatRequest: TypeAlias = SeatWish | Here | Agent


@dataclass(frozen=True, slots=True)
class Table:
    """A table before its match, and a handle on the match afterwards."""

    table_id: str
    invitation_code: str
    game: str
    seats: tuple[Occupant, ...]
    status: TableStatus
    match_id: str
    opened_at_ms: int
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)
    terms: Terms = USUAL
    listed: bool = False
    """Whether strangers find it."""
    link: str = ""
    """The invitation as a link that opens the app."""
    promise: str = ""
    """SHA-256 of the seed its match will draw by, in hexadecimal; "" where none is promised, and
    nothing can be added to it."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A friend's invitation to a table that waits."""

    table: Table
    inviter: Player
    invited_at_ms: int
    seen: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat sees and may do now; `legal` is empty unless it is to act."""

    seat: int
    view: View
    legal: tuple[Act, ...]
    may_undo: bool = False
    """Whether its last action can be undone now."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match as the seats of this device see it."""

    match_id: str
    game: str
    seats: tuple[Occupant, ...]
    revision: int
    status: MatchStatus
    actor: int | None
    views: tuple[SeatView, ...]
    outcome: Outcome | None
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)
    promise: str = ""
    """SHA-256 of the seed of its dice, in hexadecimal; "" where none was promised."""
    terms: Terms = USUAL
    clock: Clock | None = None
    """None on this device, where nobody waits, and after the end."""
    ask: Ask | None = None
    """What is asked of its people now."""
    watchers: int = 0
    """How many watch who play no seat of it."""

    @property
    def position(self) -> str:
        """The position's notation as the first of these seats sees it; "" when unknown."""
        view = self.views[0].view if self.views else UnknownView()
        return "" if isinstance(view, UnknownView) else view.position

    def position_of(self, seat: int) -> str:
        """The position's notation as `seat` of this device sees it; "" when unknown."""
        view = next((one.view for one in self.views if one.seat == seat), UnknownView())
        return "" if isinstance(view, UnknownView) else view.position

    @property
    def acting_view(self) -> SeatView | None:
        """The view of the seat to act, if its person is on this device and no agent acts for it."""
        if self.actor is not None and self.actor >= 0 and self.seats[self.actor].sitter:
            return None
        return next((view for view in self.views if view.seat == self.actor), None)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: it took the match from `revision` to `revision + 1`."""

    revision: int
    actor: int
    act: Act
    committed_at_ms: int = 0
    origin: str = ""
    said: Said | None = None
    """What happened beside the game instead of an action."""
    to_revision: int | None = None
    """After an undo or a takeback: as of which revision the match stands again."""

    @property
    def notation(self) -> str:
        """The action's notation; "" when it can't be read."""
        return "" if isinstance(self.act, UnknownAct) else self.act.notation


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The stream lives."""

    now_ms: int
    watchers: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The match is over and everything has been sent."""

    outcome: Outcome | None


Update: TypeAlias = Event | Match | Heartbeat | Finished


@dataclass(frozen=True, slots=True)
class Applied:
    """The answer to an action: where it was applied and how far the match is now."""

    applied_revision: int
    revision: int


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A table or match of the player, for a list."""

    table: Table
    my_seats: tuple[int, ...]
    revision: int
    status: MatchStatus
    actor: int | None
    outcome: Outcome | None
    deadline_ms: int | None = None
    """When the time of the seat to act is up, by the server's clock; None: never."""
