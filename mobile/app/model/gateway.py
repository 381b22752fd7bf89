"""The one door to tables and matches. Screens can't tell which gateway stands behind it.

The protocol belongs to those who call it, so it lives beside the model; app.net holds what
implements it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Protocol

from app.model.advice import Hint, Reviewing
from app.model.terms import USUAL, Terms, Wish
from app.model.values import (
    Act,
    Agent,
    Applied,
    Event,
    Match,
    MyMatch,
    Player,
    SeatRequest,
    Table,
    Update,
)
from services.engine.core.options import OptionValue


class GatewayError(Exception):
    """Base of everything a gateway raises."""


class Offline(GatewayError):
    """No answer: no network, a restart, a deadline passed. Trying again is right."""


class Untrusted(GatewayError):
    """The server could not prove who it is. Never tried again in plain text."""


class Refused(GatewayError):
    """The server answered no. `reason` is a name of ErrorReason less its prefix, or "" when the
    answer carried none; `details` are the metadata of that reason. Trying again is useless."""

    def __init__(self, reason: str, message: str, details: Mapping[str, str]) -> None:
        self.reason, self.details = reason, dict(details)
        super().__init__(message or reason)


class Gateway(Protocol):
    """Every call may raise `Offline`, `Untrusted` or `Refused`, and nothing else.

    Request ids are the caller's: repeating a call with the same id is always safe.
    """

    async def sign_in(self) -> Player:
        """Who plays here; makes a guest account on first use."""
        ...

    async def list_agents(self, game: str) -> tuple[Agent, ...]:
        """The computer opponents of `game`, kindest first."""
        ...

    async def open_table(
        self,
        request_id: str,
        game: str,
        seats: Sequence[SeatRequest],
        options: Mapping[str, OptionValue],
        terms: Terms = USUAL,
        *,
        listed: bool = False,
    ) -> Table:
        """A new table; one without open seats starts at once. `listed`: strangers find it."""
        ...

    async def get_table(self, table_id: str) -> Table:
        """A table of the player."""
        ...

    async def join_table(self, request_id: str, invitation_code: str) -> Table:
        """Take an open seat."""
        ...

    async def leave_table(self, table_id: str) -> None:
        """Leave a table that has not started."""
        ...

    async def rematch(self, request_id: str, match_id: str) -> Table:
        """Play a finished match again with the seats rotated."""
        ...

    async def list_my_matches(self) -> tuple[MyMatch, ...]:
        """Tables and matches of the player, newest first; at most some hundreds."""
        ...

    async def get_match(self, match_id: str) -> Match:
        """A match as all seats of the player see it."""
        ...

    async def get_ply(self, match_id: str, revision: int) -> Match:
        """A match as it stood at a revision, as all seats of the player saw it then."""
        ...

    async def submit_action(
        self, match_id: str, seat: int, request_id: str, expected_revision: int, act: Act
    ) -> Applied:
        """Apply an action exactly once."""
        ...

    async def control(self, match_id: str, seat: int, request_id: str, wish: Wish) -> Applied:
        """Do something beside the game, exactly once."""
        ...

    def watch_match(self, match_id: str, from_revision: int) -> AsyncGenerator[Update, None]:
        """All events from a revision on and the match after each batch; ends after `Finished`."""
        ...

    async def list_events(self, match_id: str) -> tuple[Event, ...]:
        """The whole history."""
        ...

    async def export_match(self, match_id: str) -> str:
        """The record of a finished match with its seed, as docs/export.md describes it; `Refused`
        with MATCH_RUNNING before the end, with NOT_PROMISED for one whose dice have no seed."""
        ...

    async def suggest(self, match_id: str, seat: int, revision: int) -> Hint:
        """What the strongest agent would do in a seat of this player that is to act at `revision`,
        by what that seat knows; takes seconds. Asked again about the same, it counts once.
        `Refused` with TABLE_FORBIDS where the table has no hints, with STALE_REVISION when the
        match has moved on."""
        ...

    def review(self, match_id: str, seat: int) -> AsyncGenerator[Reviewing, None]:
        """How far the review of a finished match is, with the eyes of `seat`, and the review last;
        `Refused` with MATCH_RUNNING before the end."""
        ...

    def rest(self) -> None:
        """The app is about to be paused: stop at once what goes on by itself on this device."""
        ...

    async def close(self) -> None:
        """Let go of connections; the gateway can't be used afterwards."""
        ...
