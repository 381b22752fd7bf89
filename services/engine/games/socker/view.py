"""What is seen and known of a match of Socker. There are no secrets: everybody sees everything."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final

from services.engine.core import CHANCE, Outcome, Seat
from services.engine.games.socker.actions import Cell, to_cell, to_number
from services.engine.games.socker.layout import (
    ACTOR,
    BALL,
    BOARD,
    CELL,
    CELLS,
    EDGE,
    GOALS,
    GOALS_TO_WIN,
    IGNORES_MOVER,
    INTO_GOAL,
    IS_EDGE,
    LEFT,
    LIMIT,
    LYING,
    MOVER,
    NO_LIMIT,
    NOBODY,
    OFF,
    OVER,
    PHASE,
    PICK,
    PLACED,
    REASON,
    REASONS,
    SEEN,
    SEEN_WORDS,
    SOCKERS,
    SUDDEN,
    SUDDEN_CAP,
    THE_BALL,
    TURN_CAP,
    TURN_LIMIT,
    TURNS,
    USED,
)
from services.engine.games.socker.state import State, blank

STAGES: Final = ("toss", "setup", "turn", "pick", "over")
"""The names of the kernel's phases."""


@dataclass(frozen=True, slots=True)
class Socker:
    """One socker on the board."""

    seat: Seat
    cell: Cell
    lying: bool


@dataclass(frozen=True, slots=True)
class Settings:
    """The table options of the match (RULINGS 2.8 to 2.10)."""

    goals_to_win: int
    turn_limit: int  # 0: none
    turn_cap: int
    sudden_cap: int
    recentre_into_goal: bool
    repetition_ignores_mover: bool

    def options(self) -> dict[str, bool | int | str]:
        """As the options of the ruleset, in their order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True)
class Observation:
    """The table as all see it.

    `sockers`: sorted by seat, row, column. `ball`: None while a pick is pending.
    `mover`: whose turn it is, in a setup who places and moves first, else None.
    `used`, `allowed`: actions taken in this turn and allowed in all (3 or 4), 0 outside turns.
    `edge_limit`: how many of the mover's sockers may be on the edge when this turn ends; None
    for any number. `pick`: the column-e cell that is occupied while the owner of the socker
    there picks a cell for the ball. `goals`, `turns`: South's and North's; turns count from the
    toss of sudden death when `sudden`. `reason`: why the match is over.
    """

    settings: Settings
    stage: str
    sockers: tuple[Socker, ...]
    ball: Cell | None
    mover: Seat | None
    used: int
    allowed: int
    edge_limit: int | None
    pick: Cell | None
    goals: tuple[int, int]
    turns: tuple[int, int]
    sudden: bool
    reason: str | None

    @property
    def sockers_each(self) -> int:
        """How many sockers a seat places."""
        return 2 if self.sudden else 5

    @property
    def actor(self) -> Seat | None:
        """The seat to act, `CHANCE`, or None when the match is over."""
        if self.stage == "toss":
            return CHANCE
        if self.stage == "setup" and self.mover is not None:
            placed = sum(socker.seat == self.mover for socker in self.sockers)
            return self.mover if placed < self.sockers_each else 1 - self.mover
        if self.stage == "pick":
            return next(socker.seat for socker in self.sockers if socker.cell == self.pick)
        return self.mover

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended: who leads has won."""
        if self.reason is None:
            return None
        south, north = self.goals
        winners = () if south == north else (0,) if south > north else (1,)
        return Outcome(self.reason, winners, self.goals)


@dataclass(frozen=True, slots=True)
class Information:
    """What a seat knows with perfect memory.

    `seen`: the starts of turns since the last setup, as (first word, second word) of the kernel,
    sorted; they decide who gets a fourth action (RULINGS 2.9).
    """

    observation: Observation
    seen: tuple[tuple[int, int], ...]


def settings_of(words: tuple[int, ...]) -> Settings:
    """The table options in a state."""
    return _settings(
        words[GOALS_TO_WIN],
        words[TURN_LIMIT],
        words[TURN_CAP],
        words[SUDDEN_CAP],
        words[INTO_GOAL] == 1,
        words[IGNORES_MOVER] == 1,
    )


# Both are the same few again and again, and a position is looked at for each seat.
_settings: Final = lru_cache(maxsize=256)(Settings)


@lru_cache(maxsize=4 * CELLS)
def _socker(seat: Seat, number: int, lying: bool) -> Socker:
    return Socker(seat, to_cell(number), lying)


def observe(state: State) -> Observation:
    """The table in `state`."""
    words = state.words
    stage = STAGES[words[PHASE]]
    limit = words[LIMIT]
    return Observation(
        settings=settings_of(words),
        stage=stage,
        sockers=tuple(
            _socker(slot // 5, words[CELL + slot], words[LYING + slot] == 1)
            for slot in range(10)
            if words[CELL + slot] != OFF
        ),
        ball=None if words[BALL] == OFF else to_cell(words[BALL]),
        mover=words[MOVER] if stage in ("setup", "turn", "pick") else None,
        used=words[USED],
        allowed=words[USED] + words[LEFT],
        edge_limit=None if limit == NO_LIMIT else limit,
        pick=None if words[PICK] == OFF else to_cell(words[PICK]),
        goals=(words[GOALS], words[GOALS + 1]),
        turns=(words[TURNS], words[TURNS + 1]),
        sudden=words[SUDDEN] == 1,
        reason=REASONS[words[REASON]] if words[PHASE] == OVER else None,
    )


def inform(state: State) -> Information:
    """What everybody knows in `state`."""
    end = SEEN_WORDS + 2 * state.words[SEEN]
    seen = zip(state.words[SEEN_WORDS:end:2], state.words[SEEN_WORDS + 1 : end : 2], strict=True)
    return Information(observe(state), tuple(seen))


def rebuild(information: Information) -> State:
    """The state that everybody knows: the opposite of `inform`."""
    seen = information.observation
    words = blank(seen.settings.options())
    for seat in (0, 1):
        own = [socker for socker in seen.sockers if socker.seat == seat]
        words[PLACED + seat] = len(own)
        for slot, socker in enumerate(own, 5 * seat):
            cell = to_number(socker.cell)
            words[CELL + slot], words[LYING + slot] = cell, int(socker.lying)
            words[BOARD + cell] = slot + 1
            words[EDGE + seat] += IS_EDGE[cell]
        words[GOALS + seat], words[TURNS + seat] = seen.goals[seat], seen.turns[seat]
    if seen.ball is not None:
        words[BALL] = to_number(seen.ball)
        words[BOARD + words[BALL]] = THE_BALL
    actor = seen.actor
    words[PHASE] = STAGES.index(seen.stage)
    words[ACTOR] = NOBODY if actor is None else actor
    words[MOVER] = seen.mover or 0
    words[USED], words[LEFT] = seen.used, seen.allowed - seen.used
    words[LIMIT] = NO_LIMIT if seen.edge_limit is None else seen.edge_limit
    words[PICK] = OFF if seen.pick is None else to_number(seen.pick)
    words[SUDDEN], words[SOCKERS] = int(seen.sudden), seen.sockers_each
    words[REASON] = 0 if seen.reason is None else REASONS.index(seen.reason)
    words[SEEN] = len(information.seen)
    words += [word for pair in information.seen for word in pair]
    return State(tuple(words))
