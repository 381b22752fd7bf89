"""Socker's kernel: the edge limit (RULINGS 2.6).

At most three of the mover's sockers may be on goal rows and side columns when the turn ends, and no
action may be taken after which that can't be reached. Cheap where it matters: the count after an
action is nearly always within the limit, and only otherwise lines of play are tried, in place.
"""

from __future__ import annotations

from services.engine.core.vec import i64, vec
from services.engine.games.socker.kernel_board import (
    can_pick,
    lift_ball,
    pick_distance,
    possible,
    put_ball,
    shift,
)
from services.engine.games.socker.layout import (
    ACTOR,
    BOARD,
    CELL,
    CELLS,
    CENTRE_COLUMN,
    COLUMNS,
    EDGE,
    EDGE_LIMIT,
    EMPTY,
    IS_EDGE,
    IS_GOAL,
    KICK,
    LEFT,
    LIMIT,
    LYING,
    MOVE,
    MOVER,
    NEIGHBOUR,
    NO_LIMIT,
    NOTHING,
    PHASE,
    PICK,
    PICKING,
    SOCK,
)


def keeps_limit(s: vec[i64], slot: i64, direction: i64, kind: i64) -> bool:
    """Whether the turn can still be brought to a legal end after this action (RULINGS 2.6)."""
    count = s[EDGE + s[MOVER]]
    if kind == MOVE:
        cell = s[CELL + slot]
        count += IS_EDGE[NEIGHBOUR[cell * 8 + direction]] - IS_EDGE[cell]
    if count <= s[LIMIT]:
        return True
    return line_reaches(s, slot, direction, kind, s[LEFT] - 1, s[LIMIT], True)


def pick_keeps_limit(s: vec[i64], cell: i64) -> bool:
    """As `keeps_limit`, for a pick; the opponent's pick is never restricted."""
    if s[ACTOR] != s[MOVER] or s[EDGE + s[MOVER]] <= s[LIMIT] or IS_GOAL[cell] == 1:
        return True
    put_ball(s, cell)
    found = _reaches(s, s[LEFT], s[LIMIT], True)
    lift_ball(s)
    return found


def limit_of_turn(s: vec[i64]) -> i64:
    """The edge limit of the turn that starts here."""
    mover = s[MOVER]
    count = s[EDGE + mover]
    first = mover * 5
    left = s[LEFT] - 1
    slot: i64
    direction: i64
    limit: i64
    acts = False
    for slot in range(first, first + 5):
        if s[LYING + slot] == 1:
            continue
        cell = s[CELL + slot]
        for direction in range(8):
            kind = possible(s, slot, direction)
            if kind == NOTHING:
                continue
            acts = True
            if kind == MOVE:
                to = NEIGHBOUR[cell * 8 + direction]
                if count + IS_EDGE[to] - IS_EDGE[cell] <= EDGE_LIMIT:
                    return EDGE_LIMIT
    if not acts:
        return EDGE_LIMIT  # a pass is never checked
    for limit in range(EDGE_LIMIT, 6):
        for slot in range(first, first + 5):
            if s[LYING + slot] == 1:
                continue
            for direction in range(8):
                kind = possible(s, slot, direction)
                if kind != NOTHING and line_reaches(s, slot, direction, kind, left, limit, False):
                    return limit
    return NO_LIMIT


def can_end(s: vec[i64]) -> bool:
    """Whether a turn under way can be brought to a legal end; true in all positions of play."""
    if s[PHASE] != PICKING:
        return _reaches(s, s[LEFT], s[LIMIT], True)
    return _recentre_reaches(s, s[PICK], s[LEFT], s[LIMIT], True)


def line_reaches(
    s: vec[i64], slot: i64, direction: i64, kind: i64, left: i64, limit: i64, goals: bool
) -> bool:
    """As `_reaches`, after this action. Who lies among the opponents makes no difference."""
    cell = s[CELL + slot]
    to = NEIGHBOUR[cell * 8 + direction]
    if kind == MOVE:
        shift(s, slot, to)
        found = _reaches(s, left, limit, goals)
        shift(s, slot, cell)
        return found
    beyond = NEIGHBOUR[to * 8 + direction]
    if kind == SOCK:
        victim = s[BOARD + to] - 1
        shift(s, victim, beyond)
        found = _reaches(s, left, limit, goals)
        shift(s, victim, to)
        return found
    if IS_GOAL[beyond] == 1:
        return goals
    lift_ball(s)
    if IS_EDGE[beyond] == 0:
        found = _ball_reaches(s, beyond, left, limit, goals)
    else:
        found = _recentre_reaches(s, beyond, left, limit, goals)
    put_ball(s, to)
    return found


def _reaches(s: vec[i64], left: i64, limit: i64, goals: bool) -> bool:
    """Whether the mover, with `left` more actions, can be sure of an end of the turn at `limit`.

    `goals`: whether a goal counts as such an end. Looks at everything only when the count is
    above the limit, which is rare; leaves the buffer as it was.
    """
    mover = s[MOVER]
    above = s[EDGE + mover] - limit
    if above <= 0:
        return True
    if left == 0 or (above > left and not goals):
        return False
    first = mover * 5
    slot: i64
    direction: i64
    if above == 1:
        for slot in range(first, first + 5):
            cell = s[CELL + slot]
            if s[LYING + slot] == 0 and IS_EDGE[cell] == 1:
                for direction in range(8):
                    to = NEIGHBOUR[cell * 8 + direction]
                    if s[BOARD + to] == EMPTY and IS_EDGE[to] == 0:
                        return True
    if left == 1 and not goals:
        return False
    for slot in range(first, first + 5):
        if s[LYING + slot] == 1:
            continue
        for direction in range(8):
            kind = possible(s, slot, direction)
            # With the last action only a goal helps, now that no single step off the edge does.
            if kind == NOTHING or (left == 1 and kind != KICK):
                continue
            if line_reaches(s, slot, direction, kind, left - 1, limit, goals):
                return True
    return False


def _ball_reaches(s: vec[i64], cell: i64, left: i64, limit: i64, goals: bool) -> bool:
    """As `_reaches`, with the ball in hand put onto `cell`."""
    if IS_GOAL[cell] == 1:
        return goals
    put_ball(s, cell)
    found = _reaches(s, left, limit, goals)
    lift_ball(s)
    return found


def _recentre_reaches(s: vec[i64], side: i64, left: i64, limit: i64, goals: bool) -> bool:
    """As `_reaches`, with the ball in hand kicked onto a side cell: the mover's pick is the best
    one, the opponent's the worst one."""
    centre = side - side % COLUMNS + CENTRE_COLUMN
    what = s[BOARD + centre]
    if what == EMPTY:
        return _ball_reaches(s, centre, left, limit, goals)
    own = (what > 5) == (s[MOVER] == 1)
    distance = pick_distance(s, centre)
    cell: i64
    for cell in range(CELLS):
        if (
            can_pick(s, centre, distance, cell)
            and _ball_reaches(s, cell, left, limit, goals) == own
        ):
            return own
    return not own
