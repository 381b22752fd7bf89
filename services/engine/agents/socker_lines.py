"""Lines of play within one turn of Socker, tried on a kernel buffer and taken back."""

from __future__ import annotations

from services.engine.core.vec import i64, vec
from services.engine.games.socker.kernel_board import lift_ball, possible, put_ball, shift
from services.engine.games.socker.layout import (
    BALL,
    BOARD,
    CELL,
    CENTRE_COLUMN,
    COLUMNS,
    EMPTY,
    IS_EDGE,
    IS_GOAL,
    KICK,
    LEFT,
    LYING,
    MOVE,
    MOVER,
    NEIGHBOUR,
    NOTHING,
    PAIR,
    PAIRS,
    ROWS,
    SOCK,
    USED,
)

STUCK = -1
"""Instead of a token: the action can't be tried here."""


def try_action(s: vec[i64], slot: i64, direction: i64, kind: i64) -> i64:
    """Take an action without ending the turn; returns a token for `take_back`.

    `STUCK`, and nothing done, for a kick into a goal row or one after which somebody picks.
    """
    to = NEIGHBOUR[s[CELL + slot] * 8 + direction]
    beyond = NEIGHBOUR[to * 8 + direction]
    token: i64 = 0
    if kind == MOVE:
        token = s[CELL + slot]
        shift(s, slot, to)
    elif kind == SOCK:
        victim = s[BOARD + to] - 1
        token = victim * 2 + s[LYING + victim]
        shift(s, victim, beyond)
        s[LYING + victim] = 1
    else:
        if IS_GOAL[beyond] == 1:
            return STUCK
        if IS_EDGE[beyond] == 1:
            beyond = beyond - beyond % COLUMNS + CENTRE_COLUMN
            if s[BOARD + beyond] != EMPTY:
                return STUCK
        token = to
        lift_ball(s)
        put_ball(s, beyond)
    s[USED] += 1
    s[LEFT] -= 1
    return token


def take_back(s: vec[i64], slot: i64, direction: i64, kind: i64, token: i64) -> None:
    """Undo the `try_action` with these arguments, which must be the last one not undone."""
    s[USED] -= 1
    s[LEFT] += 1
    if kind == MOVE:
        shift(s, slot, token)
    elif kind == SOCK:
        shift(s, token // 2, NEIGHBOUR[s[CELL + slot] * 8 + direction])
        s[LYING + token // 2] = token % 2
    else:
        lift_ball(s)
        put_ball(s, token)


def rows_to_goal(s: vec[i64], seat: i64) -> i64:
    """How many rows the ball is away from where `seat` scores."""
    row = s[BALL] // COLUMNS
    return ROWS - 1 - row if seat == 0 else row


def scoring_line(s: vec[i64], left: i64) -> i64:
    """The id of the first of at most `left` actions by which the mover scores; -1 for none.

    Looks at all lines but those through a picked cell. The edge limit forbids none of them: a
    goal is a legal end (RULINGS 2.6).
    """
    rows = rows_to_goal(s, s[MOVER])
    if rows > left:
        return -1
    first = s[MOVER] * 5
    slot: i64
    direction: i64
    for slot in range(first, first + 5):
        if s[LYING + slot] == 1:
            continue
        for direction in range(8):
            kind = possible(s, slot, direction)
            # With as many rows as actions left every action must be a kick.
            if kind == NOTHING or (kind != KICK and rows == left):
                continue
            action = (kind - 1) * PAIRS + PAIR[s[CELL + slot] * 8 + direction]
            if kind == KICK and rows == 1 and _goes_in(s, slot, direction):
                return action
            if left == 1:
                continue
            token = try_action(s, slot, direction, kind)
            if token == STUCK:
                continue
            found = scoring_line(s, left - 1)
            take_back(s, slot, direction, kind, token)
            if found >= 0:
                return action
    return -1


def _goes_in(s: vec[i64], slot: i64, direction: i64) -> bool:
    to = NEIGHBOUR[s[CELL + slot] * 8 + direction]
    beyond = NEIGHBOUR[to * 8 + direction]
    return IS_GOAL[beyond] == 1 and (beyond >= COLUMNS) == (s[MOVER] == 0)
