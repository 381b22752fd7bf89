"""The rules of Socker, in place on one flat buffer (RULINGS 2).

Fast and plain: no names, no text, no checks of its input. `layout` says what stands where; the
ruleset in this package is the door for everybody else. The same source runs compiled by mypyc and
uncompiled; buffers are made here (`buffer`), so that both find the kind they expect.
"""

from __future__ import annotations

from services.engine.core.vec import i64, vec
from services.engine.games.socker.kernel_board import (
    can_act,
    can_pick,
    lift_ball,
    pick_distance,
    possible,
    put_ball,
    shift,
)
from services.engine.games.socker.kernel_edge import keeps_limit, limit_of_turn, pick_keeps_limit
from services.engine.games.socker.layout import (
    ACTION_COUNT,
    ACTOR,
    BALL,
    BOARD,
    BY_DRAW,
    BY_GOALS,
    BY_SUDDEN_DEATH,
    BY_TURN_CAP,
    BY_TURN_LIMIT,
    CELL,
    CELLS,
    CENTRE,
    CENTRE_COLUMN,
    CHANCE,
    COLUMNS,
    EDGE,
    EDGE_LIMIT,
    EMPTY,
    END,
    ENTRY,
    GOALS,
    GOALS_TO_WIN,
    IGNORES_MOVER,
    IS_EDGE,
    IS_GOAL,
    LEFT,
    LIMIT,
    LYING,
    MOVE,
    MOVER,
    NEIGHBOUR,
    NOBODY,
    NOTHING,
    OFF,
    OVER,
    PAIR,
    PAIRS,
    PASS,
    PHASE,
    PICK,
    PICKING,
    PICKS,
    PLACED,
    PLACES,
    REASON,
    ROWS,
    SEEN,
    SEEN_WORDS,
    SETUP,
    SOCK,
    SOCKERS,
    SUDDEN,
    SUDDEN_CAP,
    TOSS,
    TOSSES,
    TURN,
    TURN_CAP,
    TURN_LIMIT,
    TURNS,
    USED,
)


def buffer(words: list[int], room: int) -> vec[i64]:
    """A buffer with these words and room for `room` more starts of turns."""
    return vec[i64](words + [0] * (2 * room))


def can_place(s: vec[i64], cell: i64) -> bool:
    """Own half, not next to the ball, at most three on the edge (RULINGS 2.2)."""
    seat = s[ACTOR]
    row = cell // COLUMNS if seat == 0 else ROWS - 1 - cell // COLUMNS
    if row > 4 or s[BOARD + cell] != EMPTY:
        return False
    column = cell % COLUMNS
    if row == 4 and CENTRE_COLUMN - 1 <= column <= CENTRE_COLUMN + 1:
        return False
    return IS_EDGE[cell] == 0 or s[EDGE + seat] < EDGE_LIMIT


def legal(s: vec[i64], out: vec[i64]) -> i64:
    """Write the legal ids to `out` (no order), 128 at most; return how many."""
    phase = s[PHASE]
    n: i64 = 0
    cell: i64
    if phase == TURN:
        return _legal_in_turn(s, out)
    if phase == SETUP:
        for cell in range(CELLS):
            if can_place(s, cell):
                out[n] = PLACES + cell
                n += 1
    elif phase == PICKING:
        distance = pick_distance(s, s[PICK])
        for cell in range(CELLS):
            if can_pick(s, s[PICK], distance, cell) and pick_keeps_limit(s, cell):
                out[n] = PICKS + cell
                n += 1
    elif phase == TOSS:
        out[0] = TOSSES
        out[1] = TOSSES + 1
        n = 2
    return n


def _legal_in_turn(s: vec[i64], out: vec[i64]) -> i64:
    n: i64 = 0
    slot: i64
    direction: i64
    first = s[MOVER] * 5
    for slot in range(first, first + 5):
        if s[LYING + slot] == 1:
            continue
        for direction in range(8):
            kind = possible(s, slot, direction)
            if kind != NOTHING and keeps_limit(s, slot, direction, kind):
                out[n] = (kind - 1) * PAIRS + PAIR[s[CELL + slot] * 8 + direction]
                n += 1
    if s[USED] > 0:
        if s[EDGE + s[MOVER]] <= s[LIMIT]:
            out[n] = END
            n += 1
    elif n == 0:
        out[n] = PASS
        n += 1
    return n


def is_legal(s: vec[i64], action: i64) -> bool:
    """Whether `action`, any number, is legal."""
    phase = s[PHASE]
    if action < 0 or action >= ACTION_COUNT:
        return False
    if action >= TOSSES:
        return phase == TOSS
    if action == END:
        return phase == TURN and s[USED] > 0 and s[EDGE + s[MOVER]] <= s[LIMIT]
    if action == PASS:
        return phase == TURN and s[USED] == 0 and not can_act(s)
    if action >= PICKS:
        cell = action - PICKS
        return (
            phase == PICKING
            and can_pick(s, s[PICK], pick_distance(s, s[PICK]), cell)
            and pick_keeps_limit(s, cell)
        )
    if action >= PLACES:
        return phase == SETUP and can_place(s, action - PLACES)
    if phase != TURN:
        return False
    entry = ENTRY[action % PAIRS]
    what = s[BOARD + entry // 8]
    if what == EMPTY or what > 10 or (what > 5) != (s[MOVER] == 1) or s[LYING + what - 1] == 1:
        return False
    kind = possible(s, what - 1, entry % 8)
    return kind == action // PAIRS + 1 and keeps_limit(s, what - 1, entry % 8, kind)


def apply(s: vec[i64], action: i64) -> None:
    """Take a legal action."""
    if action < PLACES:
        entry = ENTRY[action % PAIRS]
        act(s, s[BOARD + entry // 8] - 1, entry % 8, action // PAIRS + 1)
    elif action < PICKS:
        _place(s, action - PLACES)
    elif action < END:
        _pick(s, action - PICKS)
    elif action < TOSSES:
        _end_turn(s)
    else:
        _set_up(s, action - TOSSES)


def act(s: vec[i64], slot: i64, direction: i64, kind: i64) -> None:
    """Move, kick or sock (RULINGS 2.4), then end the turn if that was its last action."""
    to = NEIGHBOUR[s[CELL + slot] * 8 + direction]
    beyond = NEIGHBOUR[to * 8 + direction]
    s[USED] += 1
    s[LEFT] -= 1
    if kind == MOVE:
        shift(s, slot, to)
    elif kind == SOCK:
        victim = s[BOARD + to] - 1
        shift(s, victim, beyond)
        s[LYING + victim] = 1
    else:
        lift_ball(s)
        if IS_GOAL[beyond] == 1:
            _score(s, beyond)
            return
        if IS_EDGE[beyond] == 1:
            centre = beyond - beyond % COLUMNS + CENTRE_COLUMN
            what = s[BOARD + centre]
            if what != EMPTY:
                s[PHASE] = PICKING
                s[PICK] = centre
                s[ACTOR] = 1 if what > 5 else 0
                return
            beyond = centre
        put_ball(s, beyond)
    if s[LEFT] == 0:
        _end_turn(s)


def _pick(s: vec[i64], cell: i64) -> None:
    s[PHASE] = TURN
    s[PICK] = OFF
    s[ACTOR] = s[MOVER]
    if IS_GOAL[cell] == 1:
        _score(s, cell)
        return
    put_ball(s, cell)
    if s[LEFT] == 0:
        _end_turn(s)


def _place(s: vec[i64], cell: i64) -> None:
    seat = s[ACTOR]
    slot = seat * 5 + s[PLACED + seat]
    s[PLACED + seat] += 1
    s[CELL + slot] = cell
    s[BOARD + cell] = slot + 1
    s[EDGE + seat] += IS_EDGE[cell]
    if s[PLACED + seat] == s[SOCKERS]:
        if seat == s[MOVER]:
            s[ACTOR] = 1 - seat
        else:
            start_turn(s, s[MOVER])


def _clear(s: vec[i64]) -> None:
    """An empty board with the ball in the middle, nothing seen, no turn."""
    i: i64
    for i in range(CELLS):
        s[BOARD + i] = EMPTY
    for i in range(10):
        s[CELL + i] = OFF
        s[LYING + i] = 0
    s[PLACED] = 0
    s[PLACED + 1] = 0
    s[EDGE] = 0
    s[EDGE + 1] = 0
    put_ball(s, CENTRE)
    _no_turn(s)


def _no_turn(s: vec[i64]) -> None:
    s[MOVER] = 0
    s[USED] = 0
    s[LEFT] = 0
    s[LIMIT] = EDGE_LIMIT
    s[PICK] = OFF
    s[SEEN] = 0


def toss(s: vec[i64], sudden: i64) -> None:
    """Wait for the toss before the first round, or before sudden death (RULINGS 2.10)."""
    _clear(s)
    s[PHASE] = TOSS
    s[ACTOR] = CHANCE
    s[SUDDEN] = sudden
    s[SOCKERS] = 2 if sudden == 1 else 5
    s[TURNS] = 0
    s[TURNS + 1] = 0


def _set_up(s: vec[i64], first: i64) -> None:
    _clear(s)
    s[PHASE] = SETUP
    s[MOVER] = first
    s[ACTOR] = first


def _score(s: vec[i64], cell: i64) -> None:
    """The ball has come to a goal row: a point for the seat whose far row it is (RULINGS 2.7)."""
    scorer: i64 = 1 if cell < COLUMNS else 0
    s[GOALS + scorer] += 1
    s[TURNS + s[MOVER]] += 1
    put_ball(s, cell)
    if s[SUDDEN] == 1:
        _finish(s, BY_SUDDEN_DEATH)
    elif s[TURN_LIMIT] == 0 and s[GOALS + scorer] >= s[GOALS_TO_WIN]:
        _finish(s, BY_GOALS)
    elif not _limit_reached(s):
        _set_up(s, 1 - scorer)


def _end_turn(s: vec[i64]) -> None:
    mover = s[MOVER]
    slot: i64
    for slot in range(mover * 5, mover * 5 + 5):
        s[LYING + slot] = 0
    s[TURNS + mover] += 1
    if not _limit_reached(s):
        start_turn(s, 1 - mover)


def _limit_reached(s: vec[i64]) -> bool:
    """Between turns: end the match, or toss for sudden death, if a limit or cap is reached by
    both, or by one twice over: whoever concedes goes first, so a side that kicks own goals without
    end would take all the turns (RULINGS 2.10)."""
    taken, most = s[TURNS], s[TURNS + 1]
    if taken > most:
        taken, most = most, taken
    if s[SUDDEN] == 1:
        if taken < s[SUDDEN_CAP]:
            return False
        _finish(s, BY_DRAW)
        return True
    limit = s[TURN_LIMIT] if s[TURN_LIMIT] > 0 else s[TURN_CAP]
    if taken < limit and most < 2 * limit:
        return False
    if s[GOALS] == s[GOALS + 1]:
        toss(s, 1)
    else:
        _finish(s, BY_TURN_LIMIT if s[TURN_LIMIT] > 0 else BY_TURN_CAP)
    return True


def _finish(s: vec[i64], reason: i64) -> None:
    _no_turn(s)
    s[PHASE] = OVER
    s[ACTOR] = NOBODY
    s[REASON] = reason


def start_turn(s: vec[i64], seat: i64) -> None:
    """Start a turn: a fourth action if this position was seen before (RULINGS 2.9)."""
    s[PHASE] = TURN
    s[ACTOR] = seat
    s[MOVER] = seat
    s[USED] = 0
    s[LEFT] = 3 if see(s) else 4
    s[LIMIT] = limit_of_turn(s)


def see(s: vec[i64]) -> bool:
    """Add this start of a turn to those seen; False if it was seen before."""
    one = row_key(s, 0) + (s[BALL] << 40)
    if s[IGNORES_MOVER] == 0:
        one += s[MOVER] << 48
    two = row_key(s, 5)
    end = SEEN_WORDS + 2 * s[SEEN]
    at: i64
    for at in range(SEEN_WORDS, end, 2):
        if s[at] == one and s[at + 1] == two:
            return False
    s[end] = one
    s[end + 1] = two
    s[SEEN] += 1
    return True


def row_key(s: vec[i64], first: i64) -> i64:
    """Five sockers as one number, whichever slots they are in: cell * 2 + lying, sorted, in
    8 bits each."""
    a = s[CELL + first] * 2 + s[LYING + first]
    b = s[CELL + first + 1] * 2 + s[LYING + first + 1]
    c = s[CELL + first + 2] * 2 + s[LYING + first + 2]
    d = s[CELL + first + 3] * 2 + s[LYING + first + 3]
    e = s[CELL + first + 4] * 2 + s[LYING + first + 4]
    if a > b:
        a, b = b, a
    if d > e:
        d, e = e, d
    if c > e:
        c, e = e, c
    if c > d:
        c, d = d, c
    if b > e:
        b, e = e, b
    if a > d:
        a, d = d, a
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    if b > c:
        b, c = c, b
    return a + (b << 8) + (c << 16) + (d << 24) + (e << 32)
