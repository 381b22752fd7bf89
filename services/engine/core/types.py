"""The words every game speaks: seats, actions and the end of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NewType

Seat = int
"""Index of a place at the table, 0 to n - 1, or one of the two below."""

CHANCE: Final[Seat] = -1
"""The actor of dice, draws, shuffles and tosses."""

SPECTATOR: Final[Seat] = -2
"""Somebody who watches: sees what is public and never acts."""

Action = NewType("Action", int)
"""An action of one game: an id in `range(ruleset.action_count)`; its text is in the notation."""


@dataclass(frozen=True, slots=True)
class WeightedAction:
    """One thing chance may do; probability = weight / sum of the weights, all weights >= 1."""

    action: Action
    weight: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `winners` is sorted and empty for a draw without winners; a shared win names several seats.
    `scores` has one entry a seat, in the game's own unit (goals, pairs, stars).
    """

    reason: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
