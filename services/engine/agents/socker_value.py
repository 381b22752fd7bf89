"""What a position of Socker is worth at first sight, on the kernel's buffer."""

from __future__ import annotations

from services.engine.core.vec import i64, vec
from services.engine.games.socker.layout import (
    BALL,
    CELL,
    COLUMNS,
    LYING,
    OFF,
    ROWS,
)


def value(s: vec[i64], seat: i64) -> i64:
    """How the end of a turn of `seat` looks to it, in tenths of a row the ball is ahead."""
    row = s[BALL] // COLUMNS
    north = ROWS - 1 - row  # rows from where South scores
    mine = north if seat == 0 else row
    theirs = row if seat == 0 else north
    ahead = 10 * (theirs - mine) + 6 * (_near(mine) - _near(theirs))
    return ahead + 3 * _reach(s, 1 - seat) - 4 * _reach(s, seat) + _lying(s, 1 - seat)


def _near(rows: i64) -> i64:
    """A ball close to a goal row matters more than its rows say."""
    return 4 - rows if rows < 4 else 0


def _reach(s: vec[i64], seat: i64) -> i64:
    """Steps of the nearest standing socker of `seat` to a cell from which it kicks forward."""
    column = s[BALL] % COLUMNS
    behind = s[BALL] // COLUMNS
    behind += -1 if seat == 0 else 1
    nearest: i64 = 9
    slot: i64
    for slot in range(5 * seat, 5 * seat + 5):
        at = s[CELL + slot]
        if at == OFF or s[LYING + slot] == 1:
            continue
        across = at % COLUMNS - column
        if across < 0:
            across = -across
        along = at // COLUMNS - behind
        if along < 0:
            along = -along
        steps = along if along > across - 1 else across - 1
        if steps < nearest:
            nearest = steps
    return nearest


def _lying(s: vec[i64], seat: i64) -> i64:
    """What it is worth that sockers of `seat` can't act in their next turn, most near the ball."""
    column = s[BALL] % COLUMNS
    row = s[BALL] // COLUMNS
    worth: i64 = 0
    slot: i64
    for slot in range(5 * seat, 5 * seat + 5):
        if s[LYING + slot] == 1:
            across = s[CELL + slot] % COLUMNS - column
            if across < 0:
                across = -across
            along = s[CELL + slot] // COLUMNS - row
            if along < 0:
                along = -along
            away = across if across > along else along
            worth += 6 - away if away < 5 else 1
    return worth
