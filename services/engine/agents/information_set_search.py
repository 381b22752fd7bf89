"""Information-set Monte Carlo tree search with one observer, for games on kernels.

Each iteration deals what the seat does not know anew, in agreement with what it knows, and walks
down a single tree whose branches are actions together with what that seat sees of them (Cowling,
Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012). Whoever acts chooses for
their own good; chance is drawn by its weights. What a game has to bring is in `Lines`: a module of
kernel functions, so that the part that costs time can be compiled.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from math import inf, log, sqrt
from random import Random
from typing import Any, Final, Protocol, TypeAlias

from services.engine.agents.base import Analysis, Budget, Clock, Meter, Stop, Weighed
from services.engine.core import Action, Ruleset
from services.engine.core.generator import generator
from services.engine.core.vec import i64, vec

CHANCE: Final = -1
OVER: Final = -3
MOST: Final = 1000
"""The value of a won game; a shared one is worth that share of it, a lost one 0."""

_CURIOSITY: Final = 0.45  # weight of what was tried little, for values from 0 to 1
_LOOKS: Final = 8  # iterations between two looks at the clock and the stop flag

Deals: TypeAlias = Callable[[], vec[i64]]
"""Makes a position that agrees with what is known, freshly sampled; the caller may change it."""


class Lines(Protocol):
    """The lines of play of one game: a module of functions on a kernel's buffer.

    What `candidates` lists, and what seats do in `play_out`, depends on nothing that the seat to
    act can't know there: lines in which somebody knows a secret would promise too much.
    """

    def buffer(self, words: list[int]) -> vec[i64]:
        """A buffer of the kernel's kind."""

    def room(self) -> i64:
        """How many words `out` needs."""

    def actor(self, s: vec[i64]) -> i64:
        """The seat to act, CHANCE or OVER."""

    def turn(self, s: vec[i64]) -> i64:
        """The number of the turn: rises by 1 with each turn of whatever seat."""

    def candidates(self, s: vec[i64], out: vec[i64]) -> i64:
        """Write the actions worth a try into `out`, the most promising first; their number > 0."""

    def chance(self, s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
        """Draw an outcome by its weight."""

    def take(self, s: vec[i64], action: i64, observer: i64) -> i64:
        """Carry out an action; returns it together with what `observer` sees, as one number."""

    def play_out(self, s: vec[i64], rng: vec[i64], out: vec[i64], until: i64) -> None:
        """Play on by simple habits to the beginning of turn `until`, or to the end."""

    def judge(self, s: vec[i64], values: vec[i64]) -> None:
        """Write into `values` what the position is worth to each seat, from 0 to `MOST`."""


class _Arm:
    """One action at one node: how often it could be taken, was taken, and what came of it."""

    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.available = self.visits = self.total = 0

    def score(self) -> float:
        if self.visits == 0:
            return inf
        mean = self.total / (MOST * self.visits)
        return mean + _CURIOSITY * sqrt(log(self.available) / self.visits)


class _Node:
    """What one seat knows at one point of the lines looked at."""

    __slots__ = ("after", "arms")

    def __init__(self) -> None:
        self.arms: dict[int, _Arm] = {}
        self.after: dict[int, _Node] = {}

    def follow(self, seen: int) -> _Node:
        node = self.after.get(seen)
        if node is None:
            node = self.after[seen] = _Node()
        return node

    def select(self, actions: list[int]) -> int:
        """The first action not tried yet, else the best by the rule UCB1 with availability."""
        best, best_score = -1, -1.0
        for action in actions:
            arm = self.arms.get(action)
            if arm is None:
                arm = self.arms[action] = _Arm()
            arm.available += 1
            score = arm.score()
            if score > best_score:
                best, best_score = action, score
        return best


class InformationSetSearch(ABC):
    """A search over what is not known. One iteration is one line of play, from a fresh deal to its
    value.

    `attention` and `fade` as in a `Level`.
    """

    lines: Lines
    horizon: int
    """Turns looked ahead, the one that runs included."""

    def __init__(self, attention: float = 1.0, fade: float = 0.0) -> None:
        self._attention, self._fade = attention, fade

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
        tree = _Tree(self.lines, self.deals(ruleset, information, rng), self.horizon, rng)
        if self._attention < 1:
            tree.overlook(self._attention, rng)
        if len(tree.root_actions) > 1:
            tree.iterate()
            while not meter.spent():
                tree.iterate()
        return Action(tree.best())

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
        tree = _Tree(self.lines, self.deals(ruleset, information, rng), self.horizon, rng)
        tree.include(also)
        tree.iterate()
        while not meter.spent():
            tree.iterate()
        seats, best = ruleset.seats(sample), tree.best()
        weighed = [
            Weighed(action, *tree.results(int(action), seats))
            for action in ruleset.legal_actions(sample)
        ]
        weighed.sort(key=lambda each: (each.action != best, -each.visits))
        return Analysis(tree.observer, tuple(weighed), meter.iterations + 1)


class _Tree:
    """The tree of one decision, and the buffers that all its iterations share."""

    def __init__(self, lines: Lines, deal: Deals, horizon: int, rng: Random) -> None:
        self._lines, self._deal = lines, deal
        self._rng = generator(rng.getrandbits(32))
        self._out = lines.buffer([0] * lines.room())
        self._values = lines.buffer([0] * 4)
        self._root = _Node()
        self._sums: dict[int, list[int]] = {}  # results of each seat, by root action
        s = deal()
        self.observer = int(lines.actor(s))
        self._until = lines.turn(s) + horizon
        self.root_actions = self._candidates(s)

    def overlook(self, attention: float, rng: Random) -> None:
        """Keep each action of the root with this chance, but at least one."""
        kept = [action for action in self.root_actions if rng.random() < attention]
        self.root_actions = kept or [rng.choice(self.root_actions)]

    def include(self, also: Sequence[Action]) -> None:
        """Try these actions at the root as well."""
        listed = {*self.root_actions}
        self.root_actions += [int(action) for action in also if int(action) not in listed]

    def _candidates(self, s: vec[i64]) -> list[int]:
        number = self._lines.candidates(s, self._out)
        return [int(self._out[i]) for i in range(number)]

    def iterate(self) -> None:
        """Deal, walk down the tree to an action never taken, play on from there, learn."""
        lines, s, node = self._lines, self._deal(), self._root
        path: list[tuple[int, _Arm]] = []
        first = -1
        while (actor := lines.actor(s)) != OVER and lines.turn(s) < self._until:
            if actor == CHANCE:
                action = lines.chance(s, self._rng, self._out)
            else:
                at_root = first < 0
                action = node.select(self.root_actions if at_root else self._candidates(s))
                arm = node.arms[action]
                path.append((actor, arm))
                if at_root:
                    first = action
            seen = lines.take(s, action, self.observer)
            if actor != CHANCE and arm.visits == 0:
                break
            node = node.follow(seen)
        lines.play_out(s, self._rng, self._out, self._until)
        lines.judge(s, self._values)
        for actor, arm in path:
            arm.visits += 1
            arm.total += int(self._values[actor])
        sums = self._sums.setdefault(first, [0, 0, 0, 0])
        for seat in range(4):
            sums[seat] += int(self._values[seat])

    def best(self) -> int:
        """The action taken most often, of equal ones the most promising."""
        arms = self._root.arms
        return max(self.root_actions, key=lambda a: arms[a].visits if a in arms else 0)

    def results(self, action: int, seats: int) -> tuple[int, tuple[float, ...]]:
        """How often the root tried an action, and the mean result of each seat."""
        arm = self._root.arms.get(action)
        if arm is None or arm.visits == 0:
            return 0, ()
        sums = self._sums[action]
        return arm.visits, tuple(sums[seat] / (MOST * arm.visits) for seat in range(seats))
