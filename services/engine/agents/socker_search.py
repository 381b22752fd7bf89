"""The search of Socker: looks through its own turn and at what the other seat could do next.

It takes a goal when there is one, else widens the best few lines of its turn action by action, and
of the ends that look best prefers those after which the other seat can't score at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, Final, TypeAlias

from services.engine.agents.base import Analysis, Budget, Clock, Meter, Stop, Weighed
from services.engine.agents.socker_lines import (
    STUCK,
    rows_to_goal,
    scoring_line,
    take_back,
    try_action,
)
from services.engine.core import Action, Ruleset
from services.engine.core.vec import i64, vec
from services.engine.games.socker import kernel
from services.engine.games.socker.actions import to_cell
from services.engine.games.socker.kernel_board import possible
from services.engine.games.socker.kernel_edge import keeps_limit
from services.engine.games.socker.layout import (
    ACTOR,
    BALL,
    CELL,
    COLUMNS,
    EDGE,
    END,
    IS_EDGE,
    LEFT,
    LIMIT,
    LYING,
    MOVER,
    NOTHING,
    OFF,
    PAIR,
    PAIRS,
    PHASE,
    PICKING,
    PICKS,
    PLACED,
    PLACES,
    ROWS,
    SETUP,
    TURN,
    USED,
)
from services.engine.games.socker.state import thaw
from services.engine.games.socker.view import Information, rebuild

_WIDTH: Final = 8  # lines kept after each action
_CHECKED: Final = 6  # ends of turn for which the answer is looked at
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
        noticed = {int(a) for a in legal if rng.random() < self._attention} or {
            int(rng.choice(legal))
        }
        turn = _Turn(s, meter, rng, noticed)
        chosen = turn.best()
        # Only a budget too small for a single position leaves nothing.
        return Action(chosen) if chosen in legal else rng.choice(legal)

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
        self._noticed = noticed
        self._also = also or set()
        self.values: dict[int, float] = {}

    def best(self) -> int:
        """The action to take; -1 if the budget was too small to look at any."""
        s, meter = self._s, self._meter
        goal = scoring_line(s, s[LEFT])
        if goal >= 0 and goal in self._noticed:
            self.values[goal] = _GOAL
            return goal
        ends = self._ends()
        for line in ends:
            self.values.setdefault(line.first, line.value)
        ahead = ends[:_CHECKED] + [
            next(line for line in ends if line.first == action)
            for action in self._also & {*self.values}
        ]
        return self._safest(ahead, meter) if ends else -1

    def _ends(self) -> list[Line]:
        """How the turn may end, the best first."""
        s, meter = self._s, self._meter
        seat = int(s[MOVER])
        ends: list[Line] = []
        if s[USED] > 0 and s[EDGE + seat] <= s[LIMIT]:
            ends.append(Line(_value(s, seat), (), END))
        lines = [Line(0.0, (), -1)]
        seen: set[tuple[int, ...]] = set()
        for depth in range(s[LEFT]):
            longer: list[Line] = []
            for line in lines:
                longer += _widen(s, line, seen, meter, self._rng)
                if meter.spent():
                    break
            if depth == 0:
                longer = [line for line in longer if line.first in self._noticed]
            longer.sort(key=lambda line: -line.value)
            lines = longer[:_WIDTH] + [line for line in longer[_WIDTH:] if line.first in self._also]
            ends += [line for line in lines if _may_end(s, line)]
            if meter.spent():
                break
        ends.sort(key=lambda line: -line.value)
        return ends

    def _safest(self, ends: list[Line], meter: Meter) -> int:
        """The first action to the best end after which the other seat can't score, if there is
        one."""
        for line in ends:
            if not _can_be_answered(self._s, line):
                return line.first
            if self.values[line.first] == line.value:
                self.values[line.first] -= _ANSWERED
            if meter.spent():
                break
        return ends[0].first


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
                value = _value(s, seat) + rng.random() * _NOISE
                first = line.first if line.steps else action
                found.append(Line(value, (*line.steps, (slot, direction, kind)), first))
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


def _can_be_answered(s: vec[i64], line: Line) -> bool:
    """Whether the other seat scores in the turn after this line."""
    tokens = _walk(s, line.steps)
    seat, used, left = s[MOVER], s[USED], s[LEFT]
    s[MOVER], s[USED], s[LEFT] = 1 - seat, 0, 3
    answered = scoring_line(s, 3) >= 0
    s[MOVER], s[USED], s[LEFT] = seat, used, left
    _walk_back(s, line.steps, tokens)
    return answered


# --- what a position is worth -----------------------------------------------------------------


def _value(s: vec[i64], seat: int) -> int:
    """How the end of a turn of `seat` looks to it, in tenths of a row the ball is ahead."""
    mine, theirs = int(rows_to_goal(s, seat)), int(rows_to_goal(s, 1 - seat))
    ahead = 10 * (theirs - mine) + 6 * (_near(mine) - _near(theirs))
    return ahead + 3 * _reach(s, 1 - seat) - 4 * _reach(s, seat) + _lying(s, 1 - seat)


def _near(rows: int) -> int:
    """A ball close to a goal row matters more than its rows say."""
    return max(0, 4 - rows)


def _reach(s: vec[i64], seat: int) -> int:
    """Steps of the nearest standing socker of `seat` to a cell from which it kicks forward."""
    column, row = to_cell(int(s[BALL]))
    behind = row - 1 if seat == 0 else row + 1
    nearest = 9
    for slot in range(5 * seat, 5 * seat + 5):
        at = int(s[CELL + slot])
        if at == OFF or s[LYING + slot] == 1:
            continue
        across, along = abs(at % COLUMNS - column), abs(at // COLUMNS - behind)
        nearest = min(nearest, max(across - 1, along))
    return nearest


def _lying(s: vec[i64], seat: int) -> int:
    """What it is worth that sockers of `seat` can't act in their next turn, most near the ball."""
    column, row = to_cell(int(s[BALL]))
    worth = 0
    for slot in range(5 * seat, 5 * seat + 5):
        if s[LYING + slot] == 1:
            at = int(s[CELL + slot])
            away = max(abs(at % COLUMNS - column), abs(at // COLUMNS - row))
            worth += max(1, 6 - away)
    return worth


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
    worth = _value(s, seat) + rng.random() * _NOISE
    s[BALL] = ball
    return worth
