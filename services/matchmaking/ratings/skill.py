"""How good players are, after Weng and Lin (openskill's Plackett-Luce). Pure.

What is kept are the model's own numbers, `mu` and `sigma`. People are shown whole numbers: the
skill that quick match goes by is 60·mu, so that everybody starts at 1500; the points of the
leaderboard are 60·(mu − 3·sigma), the skill that is as good as certain, which starts at 0.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

from services.engine.core import Outcome

_MODEL: Final = PlackettLuce()
_SCALE: Final = 60


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a player's skill at a game and edition, after so many rated matches."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    matches: int = 0

    @property
    def skill(self) -> int:
        """The best guess; starts at 1500."""
        return round(_SCALE * self.mu)

    @property
    def points(self) -> int:
        """The skill that is as good as certain, 0 upwards; starts at 0."""
        return max(0, round(_SCALE * (self.mu - 3 * self.sigma)))


def places(outcome: Outcome, seats: Collection[int]) -> dict[int, int]:
    """The place of each seat in a finished match, 0 for the best; equal ones share a place.

    Winners come first, whatever the scores say; the others follow by their scores. A draw is a
    shared first place. Scores that are not one a seat say nothing.
    """
    scores = outcome.scores if len(outcome.scores) == len(seats) else (0,) * len(seats)

    def worth(seat: int) -> tuple[bool, int]:
        if not outcome.winners:
            return (False, 0)
        won = seat in outcome.winners
        return (won, 0 if won else scores[seat])

    order = sorted({worth(seat) for seat in seats}, reverse=True)
    return {seat: order.index(worth(seat)) for seat in seats}


def rated(before: Mapping[str, Rating], finish: Sequence[tuple[str, int]]) -> dict[str, Rating]:
    """The ratings after a match, of players who finished in these places (0 is the best)."""
    teams = [[_MODEL.rating(before[who].mu, before[who].sigma)] for who, _ in finish]
    after = _MODEL.rate(teams, ranks=[float(place) for _, place in finish])
    return {
        who: Rating(team[0].mu, team[0].sigma, before[who].matches + 1)
        for (who, _), team in zip(finish, after, strict=True)
    }
