"""Socker's kernel: the pieces on the board, and what they can do, the edge limit left aside."""

from __future__ import annotations

from services.engine.core.vec import i64, vec
from services.engine.games.socker.layout import (
    BALL,
    BOARD,
    CELL,
    CELLS,
    COLUMNS,
    EDGE,
    EMPTY,
    INTO_GOAL,
    IS_EDGE,
    IS_GOAL,
    KICK,
    LYING,
    MOVE,
    MOVER,
    NEIGHBOUR,
    NOTHING,
    OFF,
    SOCK,
    THE_BALL,
    WALL,
)


def possible(s: vec[i64], slot: i64, direction: i64) -> i64:
    """What a standing socker of the mover can do in a direction, the edge limit left aside."""
    to = NEIGHBOUR[s[CELL + slot] * 8 + direction]
    what = s[BOARD + to]
    if what == EMPTY:
        return MOVE
    if what == WALL or s[BOARD + NEIGHBOUR[to * 8 + direction]] != EMPTY:
        return NOTHING
    if what == THE_BALL:
        return KICK
    return NOTHING if (what > 5) == (slot > 4) else SOCK


def can_act(s: vec[i64]) -> bool:
    """Whether the mover has any move, kick or sock at all (RULINGS 2.3)."""
    first = s[MOVER] * 5
    slot: i64
    direction: i64
    for slot in range(first, first + 5):
        if s[LYING + slot] == 0:
            for direction in range(8):
                if possible(s, slot, direction) != NOTHING:
                    return True
    return False


def pick_distance(s: vec[i64], centre: i64) -> i64:
    """The king distance from the column-e cell at which the re-centred ball goes (RULINGS 2.8)."""
    distance: i64 = 1
    cell: i64
    while True:
        for cell in range(CELLS):
            if can_pick(s, centre, distance, cell):
                return distance
        distance += 1


def can_pick(s: vec[i64], centre: i64, distance: i64, cell: i64) -> bool:
    """Whether the ball may be picked onto `cell`, given `pick_distance`."""
    if s[BOARD + cell] != EMPTY:
        return False
    if IS_EDGE[cell] == 1 and not (IS_GOAL[cell] == 1 and s[INTO_GOAL] == 1 and distance == 1):
        return False
    across = cell % COLUMNS - centre % COLUMNS
    along = cell // COLUMNS - centre // COLUMNS
    across = -across if across < 0 else across
    along = -along if along < 0 else along
    return (across if across > along else along) == distance


def shift(s: vec[i64], slot: i64, to: i64) -> None:
    """Put a socker onto an empty cell."""
    cell = s[CELL + slot]
    s[BOARD + cell] = EMPTY
    s[BOARD + to] = slot + 1
    s[CELL + slot] = to
    owner = EDGE + 1 if slot > 4 else EDGE
    s[owner] += IS_EDGE[to] - IS_EDGE[cell]


def put_ball(s: vec[i64], cell: i64) -> None:
    """Put the ball in hand onto an empty cell."""
    s[BOARD + cell] = THE_BALL
    s[BALL] = cell


def lift_ball(s: vec[i64]) -> None:
    """Take the ball off the board."""
    s[BOARD + s[BALL]] = EMPTY
    s[BALL] = OFF
