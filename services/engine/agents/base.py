"""What a computer opponent is: information in, action out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeAlias

from services.engine.core import Action, EngineError, Ruleset, Seat
from services.engine.core.errors import clip

Clock: TypeAlias = Callable[[], float]
"""Seconds on a clock that never goes back, such as `time.monotonic`."""

Stop: TypeAlias = Callable[[], bool]
"""Asked now and then; True tells the agent to answer at once with the best it has."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much an agent may think: whichever bound is reached first; None for no such bound.

    `seconds` by the clock given to `choose`; `iterations` in the agent's own unit of work, so that
    tests and measured levels do not depend on the machine. Both are > 0.
    """

    seconds: float | None = 0.4
    iterations: int | None = None


class Agent(Protocol):
    """A computer opponent. It holds no state: all it knows of a match is the information."""

    name: str

    def choose(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Any,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
    ) -> Action:
        """An action that is legal for the seat to act, which is the seat that `information` is of.

        Always answers, with whatever it has when the budget ends; overruns it by one small step
        at most.
        """


@dataclass(frozen=True, slots=True)
class Weighed:
    """A legal action: how often a search tried it, and what came of it.

    `results`: the expected share of the win of each seat, from 0 to 1; empty if never tried.
    """

    action: Action
    visits: int
    results: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search found out about one decision.

    `seat`: who decides. `weighed`: all legal actions, the one that the search would take first,
    then by visits. `results`: what each seat can expect when that one is taken; empty if
    the budget was too small to try any.
    """

    seat: Seat
    weighed: tuple[Weighed, ...]
    iterations: int

    @property
    def best(self) -> Action:
        """What the search would do."""
        return self.weighed[0].action

    @property
    def results(self) -> tuple[float, ...]:
        """The expected results of `best`."""
        return self.weighed[0].results

    def of(self, action: Action) -> Weighed | None:
        """What is known of one action; None if it is not legal."""
        return next((each for each in self.weighed if each.action == action), None)


class Search(Protocol):
    """What agents think with."""

    def choose(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Any,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
    ) -> Action:
        """See `Agent.choose`."""

    def analyse(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Any,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
        also: Sequence[Action] = (),
    ) -> Analysis:
        """Weigh the legal actions of the seat to act by what it knows.

        Tries what the search takes for promising, and `also` these, which have to be legal.
        """


class UnknownAgent(EngineError):
    """An agent that is not on the shelf."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        super().__init__(f"unknown agent: '{clip(agent)}'")


class Meter:
    """Counts what a budget allows. `spent` looks at the clock every `looks` iterations only."""

    def __init__(self, budget: Budget, stop: Stop, now: Clock, looks: int = 32) -> None:
        self._looks = looks
        self._stop, self._now = stop, now
        self._end = None if budget.seconds is None else now() + budget.seconds
        self._most = budget.iterations
        self.iterations = 0
        self._over = False

    def spent(self) -> bool:
        """Count one iteration; whether it is time to answer."""
        self.iterations += 1
        if self._most is not None and self.iterations >= self._most:
            self._over = True
        elif not self._over and self.iterations % self._looks == 0:
            self._over = self._stop() or (self._end is not None and self._now() >= self._end)
        return self._over
