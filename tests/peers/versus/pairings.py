"""Who meets whom with how much thinking, and what is kept of it. Needs no open-spiel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from services.engine.agents import Level, top_level
from services.engine.core.registry import game_names

BLOCK: Final = 4
"""Matches in a block: two deals, each played from both seats."""
MATCHES: Final = 100
"""Matches of a pairing: a fixed number, since its share is wanted whatever it is."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much either side may think about a decision: either seconds of processor time or
    simulations; the other is None."""

    seconds: float | None = None
    simulations: int | None = None

    @property
    def name(self) -> str:
        """Such as `time=30ms` or `simulations=100`."""
        if self.seconds is not None:
            return f"time={1000 * self.seconds:.0f}ms"
        return f"simulations={self.simulations}"


EFFORTS: Final = (Effort(seconds=0.03), Effort(simulations=100))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Our top level of a game and OpenSpiel's bot, both with the same effort."""

    game: str
    level: Level
    effort: Effort

    @property
    def name(self) -> str:
        """Such as `socker hilda time=30ms`."""
        return f"{self.game} {self.level.agent} {self.effort.name}"


@dataclass(frozen=True, slots=True)
class Thinking:
    """What a side did in decisions with more than one legal action, summed up.

    `seconds` of processor time; `simulations` in the side's own unit of work.
    """

    decisions: int
    simulations: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where OpenSpiel's bot was when it was looked at, now and then, while it thought: in the
    adapter, in our rules and kernels, or in its own code."""

    adapter: int
    rules: int
    openspiel: int


@dataclass(frozen=True, slots=True)
class Block:
    """Matches of a pairing. `results`: 1 where we won, 0.5 a draw or a shared win, 0 a loss."""

    number: int
    results: tuple[float, ...]
    ours: Thinking
    theirs: Thinking
    where: Whereabouts
    actions: int


def pairings(games: tuple[str, ...] = ()) -> list[Pairing]:
    """All that is to be played, of these games or of all that have levels."""
    levels = [(game, top_level(game)) for game in games or game_names()]
    return [Pairing(game, level, effort) for game, level in levels if level for effort in EFFORTS]
