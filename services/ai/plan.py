"""What to do about each waiting seat, now. Pure: takes rows and a time, gives rows and tries.

A seat that waits is asked of a worker, asked again when no answer comes, each time with less
thinking, and in the end decided here: a game never stalls because of a dead worker or queue. How
much thinking there is, is one ladder under one deadline, whoever thinks (`rung`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, NamedTuple


class Mode(Enum):
    """How much thinking an action is worth by now."""

    AGENT = "agent"
    """As the agent likes it."""
    QUICK = "quick"
    """The same agent in a hurry."""
    LEGAL = "legal"
    """Any action that the rules allow."""


class Key(NamedTuple):
    """What an answer is wanted for: one seat at one revision of a match."""

    match_id: str
    seat: int
    revision: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A seat that waits for its agent, as rules lists it."""

    key: Key
    live: bool


@dataclass(frozen=True, slots=True)
class Row:
    """What was tried for a waiting seat so far. Times are milliseconds since 1970 UTC."""

    key: Key
    attempts: int
    first_try_ms: int
    next_try_ms: int


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for workers, in milliseconds."""

    retry_ms: int
    """After this long without an answer a job counts as lost; doubles with each attempt."""
    decide_ms: int
    """After this long in all the action is found here."""
    silent_ms: int
    """The same while no worker has been heard since the last action found here."""


STRONG_SHARE: Final = 0.25
"""Of the time to the deadline, in which an action is worth all the thinking its agent likes."""
QUICK_SHARE: Final = 0.5
"""Of the same time, after which any action will do: what is left is for all those that wait."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """When a job was first asked for, and when it is decided without workers; milliseconds since
    1970 UTC.
    """

    asked_ms: int
    until_ms: int

    def rung(self, mode: Mode, now_ms: int) -> Mode:
        """How much thinking is left of `mode` by now.

        So a queue too long for its workers is worked off in time: a turn that waited loses
        strength, never its place.
        """
        share = (now_ms - self.asked_ms) / max(1, self.until_ms - self.asked_ms)
        least = Mode.AGENT if share < STRONG_SHARE else Mode.QUICK
        if share >= QUICK_SHARE:
            least = Mode.LEGAL
        ladder = list(Mode)
        return max(mode, least, key=ladder.index)


HERE_MS: Final = 5_000
"""What the service may take to decide by itself: a turn is decided by `decide_ms` and this."""
LIVE: Final = Patience(retry_ms=3_000, decide_ms=10_000, silent_ms=2_000)
SLOW: Final = Patience(retry_ms=10_000, decide_ms=25_000, silent_ms=10_000)

FULL_ATTEMPTS: Final = 2
"""A job that always kills its worker must not do so for ever: from the third on it is quick."""
HERE_AFTER: Final = 3
"""Attempts that workers get within the patience."""
MAX_PAUSE_MS: Final = 30_000


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt to get an action. `mode` is None where the action is to be found here."""

    row: Row
    live: bool
    mode: Mode | None

    @property
    def deadline(self) -> Deadline:
        """The same for all attempts."""
        patience = LIVE if self.live else SLOW
        return Deadline(self.row.first_try_ms, self.row.first_try_ms + patience.decide_ms)


@dataclass(slots=True)
class Plan:
    """What a round does: `put` and `drop` are rows to store before anything is tried.
    `next_try_ms` is when the next try is due, as far as is known now.
    """

    put: list[Row] = field(default_factory=list)
    drop: list[Row] = field(default_factory=list)
    tries: list[Try] = field(default_factory=list)
    next_try_ms: int | None = None


def make_plan(
    waiting: Sequence[Waiting],
    rows: Mapping[Key, Row],
    now_ms: int,
    *,
    workers_silent: bool = False,
    queue: bool = True,
) -> Plan:
    """Decide about every waiting seat, in the order given.

    Rows whose seat waits no longer are dropped: they were answered, by whomever. Without a
    `queue` every action is found here at once.
    """
    plan = Plan()
    due: list[int] = []
    for seat in waiting:
        row = _timely(rows.get(seat.key) or Row(seat.key, 0, now_ms, now_ms), now_ms)
        if now_ms < row.next_try_ms:
            due.append(row.next_try_ms)
            continue
        patience = LIVE if seat.live else SLOW
        limit_ms = patience.silent_ms if workers_silent else patience.decide_ms
        here = not queue or now_ms - row.first_try_ms >= limit_ms
        # What fails here fails with rules, who may be back soon: doubling starts anew.
        doublings = max(0, row.attempts - HERE_AFTER) if here else row.attempts
        pause_ms = min(patience.retry_ms << doublings, MAX_PAUSE_MS)
        if not here:
            # The pause ends when the patience does, so that nobody waits longer than promised.
            pause_ms = min(pause_ms, row.first_try_ms + limit_ms - now_ms)
        row = replace(row, attempts=row.attempts + 1, next_try_ms=now_ms + pause_ms)
        mode = Mode.AGENT if row.attempts <= FULL_ATTEMPTS else Mode.QUICK
        due.append(row.next_try_ms)
        plan.put.append(row)
        plan.tries.append(Try(row, seat.live, None if here else mode))
    plan.next_try_ms = min(due, default=None)
    still = {seat.key for seat in waiting}
    plan.drop = [row for key, row in rows.items() if key not in still]
    return plan


def _timely(row: Row, now_ms: int) -> Row:
    """The row; from now on anew if its times can only come from before the clock was set back."""
    if row.first_try_ms <= now_ms and row.next_try_ms <= now_ms + MAX_PAUSE_MS:
        return row
    return replace(row, first_try_ms=now_ms, next_try_ms=now_ms)
