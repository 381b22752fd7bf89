"""What only a server has: other people. Its nouns, and the door to them beside that to matches."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

from app.model.gateway import Gateway
from app.model.terms import Terms
from app.model.values import Invitation, MyMatch, Player, Table
from services.engine.core.options import OptionValue


@dataclass(frozen=True, slots=True)
class Profile:
    """What a player chose to be to others, and what there is to choose from."""

    player: Player
    pictures: tuple[str, ...] = ()
    has_recovery_code: bool = False


class TicketStatus(Enum):
    """What has become of a ticket."""

    UNKNOWN = "unknown"
    WAITING = "waiting"
    SEATED = "seated"
    LAPSED = "lapsed"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Fill:
    """The agent called `agent` sits down where nobody came for `after_s` seconds."""

    agent: str
    after_s: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """A place in the queue of quick match. Times by the server's clock."""

    ticket_id: str
    game: str
    seats: int
    status: TicketStatus
    rating_window: int | None = None
    """How far away in skill another player may be; None: anybody will do."""
    agents_at_ms: int = 0
    """When agents take the seats that are left; 0: never."""
    poll_after_ms: int = 2000
    table: Table | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Rating:
    """How well somebody plays a game, in an edition."""

    game: str
    edition: str
    points: int
    matches: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a leaderboard; equal points share a place."""

    place: int
    player: Player
    rating: Rating


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The best, best first, and the player's own row."""

    standings: tuple[Standing, ...]
    mine: Standing | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """One of the few things players can say to each other."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class SaidPhrase:
    """A phrase somebody said in a match."""

    sequence: int
    match_id: str
    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class GoneTable:
    """A table that is the player's no longer."""

    table_id: str


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """All that was there before has been told; also a sign of life. `now_ms` 0: not said."""

    now_ms: int = 0


InboxUpdate: TypeAlias = MyMatch | Invitation | GoneTable | SaidPhrase | CaughtUp


class Online(Gateway, Protocol):
    """A gateway to a server. All calls raise what those of `Gateway` raise."""

    # --- who I am ---------------------------------------------------------------------------------

    async def profile(self) -> Profile:
        """The player's own."""
        ...

    async def change_profile(self, *, name: str | None, picture: str | None) -> Player:
        """Change name or picture; None leaves as it is."""
        ...

    async def make_recovery_code(self) -> str:
        """A code that gives this account back on any device; told this once."""
        ...

    async def recover(self, code: str) -> Player:
        """Be the player of a recovery code from now on, on this device."""
        ...

    async def make_link_code(self) -> str:
        """A short code for one other device, good for some minutes."""
        ...

    async def link(self, request_id: str, code: str) -> Player:
        """Be the player of a link code from now on, on this device."""
        ...

    async def sign_out_everywhere(self) -> None:
        """End the sessions of all other devices."""
        ...

    async def delete_account(self) -> None:
        """Delete the account for good; the next call makes a new guest."""
        ...

    # --- whom I know ------------------------------------------------------------------------------

    async def friend_code(self, *, fresh: bool = False) -> str:
        """The player's friend code; `fresh`: another one, and the one before is no good."""
        ...

    async def add_friend(self, code: str) -> Player:
        """Become friends with the player of a code."""
        ...

    async def friends(self) -> tuple[Player, ...]:
        """Newest first."""
        ...

    async def remove_friend(self, player_id: str) -> None:
        """Be friends no more."""
        ...

    async def block(self, player_id: str) -> None:
        """Have nothing more to do with a player; they are not told."""
        ...

    async def unblock(self, player_id: str) -> None:
        """Take a block back."""
        ...

    async def blocked(self) -> tuple[Player, ...]:
        """Newest first."""
        ...

    # --- where I may play -------------------------------------------------------------------------

    async def find_table(self, code: str) -> Table:
        """The table of an invitation code or link, to look before sitting down."""
        ...

    async def sit_down(
        self,
        request_id: str,
        *,
        code: str = "",
        table_id: str = "",
        persons: Sequence[str] = (),
        nonce: bytes = b"",
    ) -> Table:
        """Take open seats, for all `persons` of this device or for none; empty: the player alone,
        and an empty name is the player's own. `nonce`, 16 to 32 random bytes, is added to the seed
        that the table has promised; empty: nothing."""
        ...

    async def give_nonce(self, table_id: str, nonce: bytes) -> Table:
        """The same for who sits at a table already and has added nothing yet."""
        ...

    async def open_tables(self, game: str = "") -> tuple[Table, ...]:
        """Tables that anybody may join, newest first."""
        ...

    async def watchable(self) -> tuple[Table, ...]:
        """Matches that anybody may watch, newest first."""
        ...

    async def invite(self, table_id: str, player_id: str) -> None:
        """Invite a friend to a table."""
        ...

    async def decline(self, table_id: str) -> None:
        """Turn an invitation down."""
        ...

    async def mark_seen(self, table_ids: Sequence[str]) -> None:
        """These invitations have been seen."""
        ...

    async def open_ticket(
        self,
        request_id: str,
        game: str,
        seats: int,
        options: Mapping[str, OptionValue],
        terms: Terms,
        fill: Fill | None,
    ) -> Ticket:
        """Queue for a game; one ticket a game."""
        ...

    async def get_ticket(self, ticket_id: str) -> Ticket:
        """How a ticket stands; also the sign of life."""
        ...

    async def close_ticket(self, ticket_id: str) -> Ticket:
        """Give a ticket back; one that is seated stays so."""
        ...

    # --- how I play -------------------------------------------------------------------------------

    async def ratings(self) -> tuple[Rating, ...]:
        """The player's own."""
        ...

    async def leaderboard(self, game: str, edition: str) -> Leaderboard:
        """The best of a game."""
        ...

    # --- what comes in ----------------------------------------------------------------------------

    def watch_inbox(self, phrases_after: int) -> AsyncGenerator[InboxUpdate, None]:
        """All that concerns the player: how everything stands and what was said after a phrase, by
        its sequence; then `CaughtUp`, then each change."""
        ...

    async def register_device(
        self, push_token: str, time_zone: str, quiet_from: int, quiet_until: int
    ) -> None:
        """Call this device for this player from now on, and for nobody else; not between two
        minutes of the day there. `time_zone` is a name of the IANA database."""
        ...

    async def forget_device(self, push_token: str) -> None:
        """Call this device no more."""
        ...

    async def phrases(self, language: str) -> tuple[Phrase, ...]:
        """What can be said, in the order in which it is offered."""
        ...

    async def say(self, request_id: str, match_id: str, seat: int, number: int) -> None:
        """Say a phrase in a match."""
        ...
