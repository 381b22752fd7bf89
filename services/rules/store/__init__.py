"""Where matches are kept. SQL is the truth; everything in memory or in Redis is a copy.

Two ways in, for they need different things (docs/adr/0020):

- `SubmitPath` is the hot one: one action, once, durably. `submit_sqlite` and `submit_postgres`.
- `MatchStore` is all the rest, through SQLAlchemy, for both databases: `sql`.

What fails, everywhere: a database that does not answer raises `RefusedError` UNAVAILABLE. A
write that raised may have happened all the same (the answer was lost): repeat it with the same
request id, which tells what became of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError
from services.engine.core import Outcome, Seat
from services.rules.life import ALL_THERE, Life
from services.rules.match import MatchEvent, MatchInfo, Step

SNAPSHOT_EVERY: Final = 64
"""A position is stored at least this often, so that loading a match replays no more events."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request id was answered: the SHA-256 of what was asked, and the reply's bytes."""

    payload: bytes
    reply: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks, under which id. `account` is a player or an agent's seat."""

    account: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Commit:
    """All that one action changes. `snapshot` is the position's notation when one is due."""

    info: MatchInfo
    expected_revision: int
    step: Step
    request: Request
    answer: Answer
    snapshot: str | None


@dataclass(frozen=True, slots=True)
class Committed:
    """It is durable."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Nothing changed: the match is no longer at the expected revision."""


Result: TypeAlias = Committed | Answer | Moved
"""An `Answer` means: nothing changed, this request id has been answered before."""


class SubmitPath(Protocol):
    """Applies an action exactly once."""

    async def submit(self, commit: Commit) -> Result:
        """Write all of the commit, or nothing.

        The request id is looked up first, then the revision compared, in one transaction. Returns
        `Committed` only when a crash of process or machine can no longer undo it.
        Raises `RefusedError` UNAVAILABLE; then it may or may not have been written.
        Cancelling the caller does not stop a write that is on its way.
        """

    async def close(self) -> None:
        """Finish what is on its way, then let go of the database."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a match stands. `actor` is None once it is over.

    `clock` is the JSON of its clock, None in a match from before there were clocks; `deadline_ms`
    is in served milliseconds, see `turn_clock`.
    """

    match_id: str
    revision: int
    draws: int
    actor: Seat | None
    acting_since_ms: int
    outcome: Outcome | None
    clock: str | None = None
    deadline_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A stored position: its notation, and what belongs to it beside the game."""

    revision: int
    draws: int
    acting_since_ms: int
    position: str
    life: Life = ALL_THERE


@dataclass(frozen=True, slots=True)
class Waiting:
    """An agent's seat that is to act."""

    match_id: str
    seat: Seat
    revision: int
    game: str
    agent: str
    pace: int
    since_ms: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match; `sequence` rises by one with each, in the order of their commits.

    `agents_acted`: for a seat of their own, or for a person's.
    """

    sequence: int
    match_id: str
    outcome: Outcome
    finished_at_ms: int
    agents_acted: bool = False


class MatchStore(Protocol):
    """Everything but submitting. All of it raises `RefusedError` UNAVAILABLE and nothing else."""

    async def create(self, info: MatchInfo, step: Step, request: Request, payload: bytes) -> Answer:
        """Store a new match with its first events, or nothing if the request id is known.

        Either way the answer's reply is the id of the match that the request id made, in UTF-8.
        """

    async def promise_seed(self, request: Request, seed: bytes, now_ms: int) -> bytes:
        """Keep a seed for the match that the request will make; the one kept already, if any."""

    async def promised_seed(self, request: Request) -> bytes | None:
        """The seed kept for a request; None: there is none."""

    async def info(self, match_id: str) -> MatchInfo | None:
        """What never changes about a match; None when there is none.

        Raises `RefusedError` GAME_NOT_FOUND when this version can't play the match's rules.
        """

    async def head(self, match_id: str) -> Head:
        """Where an existing match stands."""

    async def heads(self, match_ids: Sequence[str]) -> Mapping[str, Head]:
        """Where matches stand, by id; unknown ones are left out."""

    async def answer(self, match_id: str, request: Request) -> Answer | None:
        """What a request id was answered; None when it is new."""

    async def events(self, match_id: str, start: int, limit: int) -> Sequence[MatchEvent]:
        """At most `limit` events from revision `start` on, ascending."""

    async def snapshot(self, match_id: str) -> Snapshot:
        """The newest stored position of an existing match."""

    async def waiting(self, after: tuple[int, str] | None, limit: int) -> Sequence[Waiting]:
        """Agents' seats to act, oldest first, those after (since_ms, match_id) only."""

    async def finished(self, cursor: int, limit: int) -> Sequence[Finished]:
        """Finished matches with a sequence above `cursor`, ascending."""


def unavailable() -> RefusedError:
    """The refusal when the database does not answer. Says nothing of the cause: the log does."""
    return RefusedError(
        ErrorReason.ERROR_REASON_UNAVAILABLE, "the matches can't be reached now; try again"
    )
