"""What an agent says to people: a hint in mid-match, and a look through a finished match.

Results are a seat's share of the win in thousandths: 1000 is a win for certain. Free of Kivy and of
wire formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from app.model.values import Act

LEAST_LOSS: Final = 20
"""What a decision must have cost to be worth a word, thousandths: below it is noise."""
MOST_SHOWN: Final = 5


class Reason(Enum):
    """Why an action is suggested; its value is the contract's code."""

    ONLY_ACTION = "only_action"
    WINS = "wins"
    MAY_WIN = "may_win"
    SCORES = "scores"
    MAY_SCORE = "may_score"
    LOOKS = "looks"
    MUCH_BETTER = "much_better"
    AS_GOOD = "as_good"
    BEST_ON_AVERAGE = "best_on_average"
    UNSPECIFIED = "unspecified"
    """Newer than this app, too."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What the strongest agent would do, by what the seat knows."""

    act: Act
    reasons: tuple[Reason, ...]
    """The most telling first."""
    used: int
    """How many hints the seat has had in this match, this one included."""
    expected: int | None = None
    """What the seat can expect after it; None where nothing was to be weighed."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a review is, in steps of the match; `total` 0: not known yet."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the seat. `number` counts its decisions from 1; `loss` is 0 or more."""

    number: int
    revision: int
    played: Act
    best: Act
    loss: int


@dataclass(frozen=True, slots=True)
class Point:
    """What each seat could expect at a revision, by seat."""

    revision: int
    expected: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Luck:
    """What a seat got by what nobody decided, and the standard error of that."""

    amount: int = 0
    error: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """A finished match, looked through with the eyes of one seat."""

    seat: int
    agent: str
    decisions: tuple[Decision, ...]
    curve: tuple[Point, ...]
    """In order; the end last."""
    luck: tuple[Luck, ...]
    """By seat."""
    hints_used: tuple[int, ...]
    """By seat."""
    lucky: int = 0
    """How many things happened that nobody decided."""

    @property
    def costly(self) -> tuple[Decision, ...]:
        """The decisions that cost most, the worst first."""
        found = [one for one in self.decisions if one.loss >= LEAST_LOSS]
        return tuple(sorted(found, key=lambda one: -one.loss)[:MOST_SHOWN])


Reviewing: TypeAlias = Progress | Review
