"""Information-set Monte Carlo tree search with one observer, for games on kernels.

Each iteration deals what the seat does not know anew, in agreement with what it knows, and walks
down a single tree whose branches are actions together with what that seat sees of them (Cowling,
Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012). Whoever acts chooses for
their own good; chance is drawn by its weights. What a game has to bring is in `tree.Lines`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, TypeAlias

from services.engine.agents import tree
from services.engine.agents.base import Analysis, Budget, Clock, Meter, Stop, Weighed
from services.engine.core import Action, Ruleset
from services.engine.core.generator import generator
from services.engine.core.vec import i64, vec

_LOOKS: Final = 8  # iterations between two looks at the clock and the stop flag
_DEPTH: Final = 60  # decisions in one line of play that the tree can hold

Deals: TypeAlias = Callable[[], vec[i64]]
"""Makes a position that agrees with what is known, freshly sampled; the caller may change it."""

_TREES: Final[list[vec[i64]]] = []
"""Room for trees that nobody uses now: made once in a worker, as large as a tree may become."""


class InformationSetSearch(ABC):
    """A search over what is not known. One iteration is one line of play, from a fresh deal to its
    value.

    `attention` and `fade` as in a `Level`.
    """

    lines: tree.Lines
    horizon: int
    """Turns looked ahead, the one that runs included."""

    def __init__(self, attention: float = 1.0, fade: float = 0.0) -> None:
        self._attention, self._fade = attention, fade

    def sensible(self, sample: Any, legal: Sequence[Action]) -> Sequence[Action]:
        """The legal actions, in a position that agrees with what is known, but those that nobody
        takes however little they think; one at least."""
        del sample
        return legal

    @abstractmethod
    def recall(self, information: Any, fade: float, rng: Random) -> Any:
        """The information without what has been forgotten."""

    @abstractmethod
    def deals(self, ruleset: Ruleset[Any, Any, Any], information: Any, rng: Random) -> Deals:
        """What makes positions that agree with the information."""

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
        meter = Meter(budget, stop, now, looks=_LOOKS)
        if self._fade > 0:
            information = self.recall(information, self._fade, rng)
        grown = _Tree(self.lines, self.deals(ruleset, information, rng), self.horizon, rng)
        try:
            if self._attention < 1 and len(grown.actions) > 1:
                sample = ruleset.determinize(information, rng)
                sensible = self.sensible(sample, ruleset.legal_actions(sample))
                grown.actions = noticed(sensible, self._attention, rng)
            if len(grown.actions) > 1:
                grown.grow(meter)
            return Action(grown.best())
        finally:
            grown.release()

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
        """See `Search.analyse`."""
        meter = Meter(budget, stop, now, looks=_LOOKS)
        sample = ruleset.determinize(information, rng)
        grown = _Tree(self.lines, self.deals(ruleset, information, rng), self.horizon, rng)
        try:
            grown.include(also)
            grown.grow(meter)
            seats, best = ruleset.seats(sample), grown.best()
            weighed = [
                Weighed(action, *grown.results(int(action), seats))
                for action in ruleset.legal_actions(sample)
            ]
            weighed.sort(key=lambda each: (each.action != best, -each.visits))
            return Analysis(grown.observer, tuple(weighed), meter.iterations)
        finally:
            grown.release()


def noticed(actions: Sequence[Action], attention: float, rng: Random) -> list[int]:
    """Those actions that come to mind, each with this chance, one at least, in any order."""
    found = [int(action) for action in actions if rng.random() < attention]
    rng.shuffle(found)
    return found or [int(rng.choice(actions))]


class _Tree:
    """The tree of one decision, and the buffers that all its iterations share."""

    def __init__(self, lines: tree.Lines, deal: Deals, horizon: int, rng: Random) -> None:
        self._lines, self._deal = lines, deal
        self._rng = generator(rng.getrandbits(32))
        self._out = lines.buffer([0] * lines.room())
        self._values = lines.buffer([0] * (4 + 2 * _DEPTH))
        try:
            self._t = _TREES.pop()
        except IndexError:  # the first search in this process, or one beside another
            self._t = tree.new_tree()
        tree.plant(self._t)
        s = deal()
        self.observer = int(lines.actor(s))
        self._until = lines.turn(s) + horizon
        number = lines.candidates(s, self._out)
        self.actions = [int(self._out[i]) for i in range(number)]

    def release(self) -> None:
        """Let the next search have the room."""
        _TREES.append(self._t)

    def include(self, also: Sequence[Action]) -> None:
        """Try these actions at the root as well."""
        listed = {*self.actions}
        self.actions += [int(action) for action in also if int(action) not in listed]

    def grow(self, meter: Meter) -> None:
        """Iterate until the budget is spent, once at least."""
        root = self._lines.buffer(self.actions)
        while True:
            tree.iterate(
                self._lines,
                self._t,
                self._deal(),
                root,
                self._rng,
                self._out,
                self._values,
                self.observer,
                self._until,
            )
            if meter.spent():
                break

    def best(self) -> int:
        """The action taken most often, of equal ones the first."""
        return max(self.actions, key=lambda a: tree.of_root(self._t, a, self._values))

    def results(self, action: int, seats: int) -> tuple[int, tuple[float, ...]]:
        """How often the root tried an action, and the mean result of each seat."""
        visits = tree.of_root(self._t, action, self._values)
        if visits == 0:
            return 0, ()
        means = (int(self._values[seat]) / (tree.MOST * int(visits)) for seat in range(seats))
        return int(visits), tuple(means)
