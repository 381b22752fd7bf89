"""The search of Socker: looks through its own turn and at what the other seat could do next.

It takes a goal when there is one, else widens the best few lines of its turn action by action, and
looks in the same way at the answers to the ends that look best, as far as the budget goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf
from random import Random
from typing import Any, Final, TypeAlias

from services.engine.agents.base import Analysis, Budget, Clock, Meter, Stop, Weighed
from services.engine.agents.information_set_search import noticed
from services.engine.agents.socker_lines import (
    STUCK,
    scoring_line,
    take_back,
    try_action,
)
from services.engine.agents.socker_value import value
from services.engine.core import Action, Ruleset
from services.engine.core.vec import i64, vec
from services.engine.games.socker import kernel
from services.engine.games.socker.kernel_board import possible
from services.engine.games.socker.kernel_edge import keeps_limit
from services.engine.games.socker.layout import (
    ACTOR,
    BALL,
    CELL,
    COLUMNS,
    EDGE,
    EDGE_LIMIT,
    END,
    ENTRY,
    IS_EDGE,
    IS_GOAL,
    KICKS,
    LEFT,
    LIMIT,
    LYING,
    MOVER,
    NEIGHBOUR,
    NOTHING,
    PAIR,
    PAIRS,
    PHASE,
    PICKING,
    PICKS,
    PLACED,
    PLACES,
    ROWS,
    SEEN,
    SETUP,
    SOCKS,
    TURN,
    USED,
)
from services.engine.games.socker.state import thaw
from services.engine.games.socker.view import Information, rebuild

_WIDTH: Final = 8  # lines kept after each action
_NARROW: Final = 3  # likewise in the other seat's turn
_CHECKED: Final = 6  # ends of turn for which the answer is looked at in any case
_GOAL: Final = 1000.0
_NOISE: Final = 0.25  # in tenths of a row: enough to vary, too little to matter

Step: TypeAlias = tuple[int, int, int]
"""A slot, a direction and a kind."""


_ANSWERED: Final = 60.0  # what it costs, in the same unit, that the other seat can score next
_SPREAD: Final = 30.0  # a value of that much is about 3 : 1
_SURE: Final = 0.98


@dataclass(frozen=True, slots=True)
class Line:
    """Actions from here, and how the position after them looks to the mover."""

    value: float
    steps: tuple[Step, ...]
    first: int  # id of the first action


class SockerSearch:
    """Looks through its own turn. One iteration is one position looked at.

    There is nothing to forget: everything lies open.
    """

    def __init__(self, attention: float = 1.0, fade: float = 0.0) -> None:
        self._attention = attention
        del fade

    def choose(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Information,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
    ) -> Action:
        """See `Agent.choose`."""
        state = rebuild(information)
        legal = ruleset.legal_actions(state)
        if len(legal) == 1:
            return legal[0]
        s = thaw(state)
        meter = Meter(budget, stop, now)
        if s[PHASE] == SETUP:
            return _place(legal, s, rng)
        if s[PHASE] == PICKING:
            return max(legal, key=lambda action: _worth_of_pick(s, action, rng))
        sensible = [action for action in legal if not _own_goal(s, int(action))] or [*legal]
        seen = [int(action) for action in sensible]
        if self._attention < 1:
            seen = noticed(sensible, self._attention, rng)
        chosen = _Turn(s, meter, rng, {*seen}).best()
        # Nothing is left by too small a budget, or where somebody else is to pick a cell.
        return Action(chosen if chosen in seen else rng.choice(seen))

    def analyse(
        self,
        ruleset: Ruleset[Any, Any, Any],
        information: Information,
        budget: Budget,
        rng: Random,
        stop: Stop,
        now: Clock,
        also: Sequence[Action] = (),
    ) -> Analysis:
        """See `Search.analyse`. Results are estimates from how the turn can end."""
        state = rebuild(information)
        legal = ruleset.legal_actions(state)
        s = thaw(state)
        seat = int(s[ACTOR])
        meter = Meter(budget, stop, now)
        if s[PHASE] == TURN:
            turn = _Turn(s, meter, rng, {int(action) for action in legal}, {int(a) for a in also})
            best = turn.best()
            values = turn.values
        elif s[PHASE] == PICKING:
            values = {int(action): _worth_of_pick(s, action, rng) for action in legal}
            best = max(values, key=lambda action: values[action])
        else:
            best, values = int(_place(legal, s, rng)), {}
        weighed = [
            Weighed(action, int(int(action) in values), _results(values.get(int(action)), seat))
            for action in legal
        ]
        weighed.sort(key=lambda each: (each.action != best, -values.get(int(each.action), -1e9)))
        return Analysis(seat, tuple(weighed), meter.iterations)


def _results(value: float | None, seat: int) -> tuple[float, ...]:
    """A value in tenths of a row as shares of the win."""
    if value is None:
        return ()
    share = 1 / (1 + exp(-value / _SPREAD))
    mine = min(max(share, 1 - _SURE), _SURE) if abs(value) < _GOAL else float(value > 0)
    return (mine, 1 - mine) if seat == 0 else (1 - mine, mine)


def _own_goal(s: vec[i64], action: int) -> bool:
    """Whether an action of a turn is a kick into the goal of whoever takes it."""
    if not KICKS <= action < SOCKS:
        return False
    entry = ENTRY[action % PAIRS]
    beyond = NEIGHBOUR[NEIGHBOUR[entry] * 8 + entry % 8]
    return IS_GOAL[beyond] == 1 and (beyond < COLUMNS) == (s[MOVER] == 0)


# --- the turn ---------------------------------------------------------------------------------


class _Turn:
    """The search through one turn. `values`: the best end found after each first action."""

    def __init__(
        self,
        s: vec[i64],
        meter: Meter,
        rng: Random,
        noticed: set[int],
        also: set[int] | None = None,
    ) -> None:
        self._s, self._meter, self._rng = s, meter, rng
        self._noticed, self._also = noticed, also or set()
        self.values: dict[int, float] = {}

    def best(self) -> int:
        """The action to take; -1 if the budget was too small to look at any."""
        s = self._s
        goal = scoring_line(s, s[LEFT])
        if goal >= 0 and goal in self._noticed:
            self.values[goal] = _GOAL
            if not self._also:
                return goal
        ends = _ends(s, _WIDTH, self._meter, self._rng, self._noticed, self._also)
        for line in ends:
            self.values.setdefault(line.first, line.value)
        if goal in self.values:
            return goal
        return self._answered(ends) if ends else -1

    def _answered(self, ends: list[Line]) -> int:
        """The first action to the end that is best after the other seat's best turn.

        With little budget left only whether that seat can score counts, and only for a few ends.
        """
        firsts = {line.first: line for line in reversed(ends)}
        ahead = ends[:_CHECKED] + [firsts[a] for a in sorted(self._also & {*firsts})]
        ahead += [line for line in ends[_CHECKED:] if line.first not in self._also]
        best, best_value, looked = ends[0].first, -inf, dict[int, float]()
        for number, line in enumerate(ahead):
            if number >= _CHECKED and self._meter.spent():
                break
            value = _after_answer(self._s, line, self._meter, self._rng)
            looked[line.first] = max(value, looked.get(line.first, -inf))
            if value > best_value:
                best, best_value = line.first, value
        self.values.update(looked)
        return best


def _after_answer(s: vec[i64], line: Line, meter: Meter, rng: Random) -> float:
    """What the end of a line is worth once the other seat has had its turn.

    Its value at first sight if there is no budget to look at that turn, but for goals.
    """
    tokens = _walk(s, line.steps)
    seat, used, left, limit = s[MOVER], s[USED], s[LEFT], s[LIMIT]
    lying = [s[LYING + slot] for slot in range(5 * seat, 5 * seat + 5)]
    for slot in range(5 * seat, 5 * seat + 5):
        s[LYING + slot] = 0
    s[MOVER], s[USED], s[LIMIT] = 1 - seat, 0, EDGE_LIMIT
    if kernel.see(s):
        s[SEEN] -= 1  # it is not really played
        s[LEFT] = 3
    else:
        s[LEFT] = 4  # a repetition gives a fourth action (RULINGS 2.9)
    if scoring_line(s, s[LEFT]) >= 0:
        value = line.value - _ANSWERED
    elif meter.spent():
        value = line.value
    else:
        answers = _ends(s, _NARROW, meter, rng)
        value = -answers[0].value if answers else line.value
    s[MOVER], s[USED], s[LEFT], s[LIMIT] = seat, used, left, limit
    for slot, flag in enumerate(lying, 5 * int(seat)):
        s[LYING + slot] = flag
    _walk_back(s, line.steps, tokens)
    return value


def _ends(
    s: vec[i64],
    width: int,
    meter: Meter,
    rng: Random,
    noticed: set[int] | None = None,
    also: set[int] | None = None,
) -> list[Line]:
    """How the turn may end, the best first: after each action the best `width` lines are kept.

    `noticed`: the first actions that come to mind, all if None; `also` these are kept in any case.
    """
    seat = int(s[MOVER])
    kept = also or set()
    ends: list[Line] = []
    # Stopping comes to mind like any other action. Were it always weighed, whatever looks worse
    # would be rejected, and who thinks of one action only would play too well.
    stopping = noticed is None or END in noticed
    if stopping and s[USED] > 0 and s[EDGE + seat] <= s[LIMIT]:
        ends.append(Line(float(value(s, seat)), (), END))
    lines = [Line(0.0, (), -1)]
    seen: set[tuple[int, ...]] = set()
    for depth in range(s[LEFT]):
        longer: list[Line] = []
        for line in lines:
            longer += _widen(s, line, seen, meter, rng)
            if meter.spent():
                break
        if depth == 0 and noticed is not None:
            longer = [line for line in longer if line.first in noticed]
        longer.sort(key=lambda line: -line.value)
        lines = longer[:width] + [line for line in longer[width:] if line.first in kept]
        ends += [line for line in lines if _may_end(s, line)]
        if meter.spent():
            break
    ends.sort(key=lambda line: -line.value)
    return ends


def _widen(
    s: vec[i64], line: Line, seen: set[tuple[int, ...]], meter: Meter, rng: Random
) -> list[Line]:
    """The line with each action added that leads to a position not seen yet."""
    tokens = _walk(s, line.steps)
    seat = int(s[MOVER])
    found: list[Line] = []
    for slot in range(5 * seat, 5 * seat + 5):
        if s[LYING + slot] == 1:
            continue
        for direction in range(8):
            kind = possible(s, slot, direction)
            if kind == NOTHING or not keeps_limit(s, slot, direction, kind):
                continue
            action = (kind - 1) * PAIRS + PAIR[s[CELL + slot] * 8 + direction]
            token = try_action(s, slot, direction, kind)
            if token == STUCK:
                continue
            position = (kernel.row_key(s, 0), kernel.row_key(s, 5), s[BALL])
            if position not in seen:
                seen.add(position)
                worth = int(value(s, seat)) + rng.random() * _NOISE
                first = line.first if line.steps else action
                found.append(Line(worth, (*line.steps, (slot, direction, kind)), first))
                meter.spent()
            take_back(s, slot, direction, kind, token)
    _walk_back(s, line.steps, tokens)
    return found


def _walk(s: vec[i64], steps: tuple[Step, ...]) -> list[int]:
    return [try_action(s, *step) for step in steps]


def _walk_back(s: vec[i64], steps: tuple[Step, ...], tokens: list[int]) -> None:
    for step, token in zip(reversed(steps), reversed(tokens), strict=True):
        take_back(s, *step, token)


def _may_end(s: vec[i64], line: Line) -> bool:
    tokens = _walk(s, line.steps)
    allowed = s[EDGE + s[MOVER]] <= s[LIMIT]
    _walk_back(s, line.steps, tokens)
    return allowed


# --- setup and picks --------------------------------------------------------------------------

# Where South likes to stand, best first; North mirrors it.
_FORMATION: Final = ((4, 3), (2, 4), (6, 4), (3, 2), (5, 1))


def _place(legal: tuple[Action, ...], s: vec[i64], rng: Random) -> Action:
    """The next free place of the formation, one cell off now and then."""
    seat = int(s[ACTOR])
    wanted = _FORMATION[s[PLACED + seat]]
    column, row = wanted if seat == 0 else (wanted[0], ROWS - 1 - wanted[1])

    def away(action: Action) -> float:
        cell = int(action) - PLACES
        distance = abs(cell % COLUMNS - column) + abs(cell // COLUMNS - row)
        return distance + 3 * int(IS_EDGE[cell]) + rng.random() * 1.5

    return min(legal, key=away)


def _worth_of_pick(s: vec[i64], action: Action, rng: Random) -> float:
    """The ball on this cell, seen from the picker at the end of a turn."""
    seat, cell, ball = int(s[ACTOR]), int(action) - PICKS, s[BALL]
    if IS_EDGE[cell] == 1:
        return _GOAL if cell // COLUMNS == (ROWS - 1 if seat == 0 else 0) else -_GOAL
    s[BALL] = cell
    worth = int(value(s, seat)) + rng.random() * _NOISE
    s[BALL] = ball
    return worth
