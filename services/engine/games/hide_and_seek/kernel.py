"""The rules of Monster Hide and Seek, in place on one flat buffer (RULINGS 3).

Fast and plain: no names, no text, no checks of its input. `layout` says what stands where; the
ruleset in this package is the door for everybody else. The same source runs compiled by mypyc and
uncompiled; buffers are made here (`buffer`), so that both find the kind they expect.
"""

from __future__ import annotations

from services.engine.core.vec import i64, vec
from services.engine.games.hide_and_seek.layout import (
    A_BOTH,
    A_CANDY,
    A_DEAL,
    A_DEAL_CANDY,
    A_FLIP,
    A_STOP,
    ACTION_COUNT,
    CANDY,
    CANDY_KIND,
    CELLS,
    DEALT,
    END_ON_DEADLOCK,
    FIRST_OF,
    FIRST_SEAT,
    FLIPPED,
    GAP,
    HIDDEN,
    HIGH_OF,
    IDLE,
    IDLE_CAP,
    KIND,
    KINDS,
    KNOWN,
    LOW_OF,
    MAY_STOP,
    MONSTERS,
    MOVER,
    P_AGAIN,
    P_DEAL,
    P_FIRST,
    P_OVER,
    P_PAIRED,
    P_SECOND,
    PHASE,
    PILE,
    R_CAP,
    R_DEADLOCK,
    R_NORMAL,
    RAY_LENGTH,
    RAYS,
    REASON,
    SEATS,
    SECOND_OF,
    SHOWN,
    TOGETHER,
    TURN_CAP,
    TURNS,
    TYPES,
    TYPES_MOST,
    UNDEALT,
)

_FIRST_OF = vec[i64](FIRST_OF)
_SECOND_OF = vec[i64](SECOND_OF)
_KIND = vec[i64](KIND)
_LOW_OF = vec[i64](LOW_OF)
_HIGH_OF = vec[i64](HIGH_OF)
_RAYS = vec[i64](RAYS)


def buffer(items: list[int]) -> vec[i64]:
    """A buffer of this kernel's kind."""
    return vec[i64](items)


def left_of_kind(s: vec[i64], kind: i64) -> i64:
    """How many cards of `kind` are not dealt yet (RULINGS 3.1: two of each mixed pair, one
    double, and one candy for three types, two for four, three for five).
    """
    types = s[TYPES]
    left: i64 = 0
    if kind == CANDY_KIND:
        left = types - 2
    elif _HIGH_OF[kind] < types:
        left = 1 if _LOW_OF[kind] == _HIGH_OF[kind] else 2
    cell: i64
    for cell in range(CELLS):
        shown = s[SHOWN + cell]
        if shown == CANDY:
            if kind == CANDY_KIND:
                left -= 1
        elif shown < CANDY and _KIND[shown * TYPES_MOST + s[HIDDEN + cell]] == kind:
            left -= 1
    pile: i64
    for pile in range(4):
        left -= s[PILE + pile * KINDS + kind]
    return left


def deal_weight(s: vec[i64], action: i64) -> i64:
    """In how many of the labelled ways the next card is `action`: copies left x sides up so."""
    if action == A_DEAL_CANDY:
        return 2 * left_of_kind(s, CANDY_KIND)
    shown = action // TYPES_MOST
    hidden = action % TYPES_MOST
    if shown >= s[TYPES] or hidden >= s[TYPES]:
        return 0
    sides: i64 = 2 if shown == hidden else 1
    return sides * left_of_kind(s, _KIND[action])


def legal(s: vec[i64], out: vec[i64]) -> i64:
    """Write the ids of all legal actions to `out`, ascending; return their number.

    `out` has room for ACTION_COUNT ids.
    """
    n: i64 = 0
    action: i64
    cell: i64
    phase = s[PHASE]
    if phase == P_DEAL:
        for action in range(A_DEAL, A_DEAL_CANDY + 1):
            if deal_weight(s, action) > 0:
                out[n] = action
                n += 1
        return n
    if phase == P_OVER:
        return 0
    together = s[TOGETHER] == 1
    if not together:
        flipped = s[FLIPPED]
        for cell in range(CELLS):
            if s[SHOWN + cell] < CANDY and cell != flipped:
                out[n] = A_FLIP + cell
                n += 1
    if phase == P_FIRST:
        for cell in range(CELLS):
            if s[SHOWN + cell] == CANDY:
                out[n] = A_CANDY + cell
                n += 1
    if phase == P_AGAIN and s[MAY_STOP] == 1:
        out[n] = A_STOP
        n += 1
    if together:
        for action in range(ACTION_COUNT - A_BOTH):
            if s[SHOWN + _FIRST_OF[action]] < CANDY and s[SHOWN + _SECOND_OF[action]] < CANDY:
                out[n] = A_BOTH + action
                n += 1
    return n


def is_legal(s: vec[i64], action: i64) -> bool:
    """Whether `action` may be applied; any integer may be asked."""
    phase = s[PHASE]
    if action < 0 or action >= ACTION_COUNT or phase == P_OVER:
        return False
    if phase == P_DEAL:
        return action <= A_DEAL_CANDY and deal_weight(s, action) > 0
    if action <= A_DEAL_CANDY:
        return False
    if action < A_CANDY:
        cell = action - A_FLIP
        return s[TOGETHER] == 0 and s[SHOWN + cell] < CANDY and cell != s[FLIPPED]
    if action < A_STOP:
        return phase == P_FIRST and s[SHOWN + action - A_CANDY] == CANDY
    if action == A_STOP:
        return phase == P_AGAIN and s[MAY_STOP] == 1
    pair = action - A_BOTH
    return (
        s[TOGETHER] == 1
        and s[SHOWN + _FIRST_OF[pair]] < CANDY
        and s[SHOWN + _SECOND_OF[pair]] < CANDY
    )


def apply(s: vec[i64], action: i64) -> None:
    """Carry out a legal action in place."""
    if action <= A_DEAL_CANDY:
        _deal(s, action)
    elif action < A_CANDY:
        cell = action - A_FLIP
        _flip(s, cell)
        first = s[FLIPPED]
        if first < 0:
            s[FLIPPED] = cell
            s[PHASE] = P_SECOND if s[PHASE] == P_FIRST else P_PAIRED
        else:
            _compare(s, first, cell)
    elif action < A_STOP:
        _take_candy(s, action - A_CANDY)
    elif action == A_STOP:
        _end_turn(s, True)
    else:
        first = _FIRST_OF[action - A_BOTH]
        second = _SECOND_OF[action - A_BOTH]
        _flip(s, first)
        _flip(s, second)
        _compare(s, first, second)


def _deal(s: vec[i64], action: i64) -> None:
    cell = next_cell(s)
    if action == A_DEAL_CANDY:
        s[SHOWN + cell] = CANDY
        s[HIDDEN + cell] = CANDY
        s[KNOWN + cell] = 1
    else:
        s[SHOWN + cell] = action // TYPES_MOST
        s[HIDDEN + cell] = action % TYPES_MOST
        s[MONSTERS] += 1
    s[DEALT] += 1
    if next_cell(s) < 0:
        s[PHASE] = P_FIRST


def next_cell(s: vec[i64]) -> i64:
    """The cell the next card goes to, or -1 when all are dealt."""
    cell: i64
    for cell in range(CELLS):
        if s[SHOWN + cell] == UNDEALT:
            return cell
    return -1


def _flip(s: vec[i64], cell: i64) -> None:
    shown = s[SHOWN + cell]
    s[SHOWN + cell] = s[HIDDEN + cell]
    s[HIDDEN + cell] = shown
    s[KNOWN + cell] = 1


def _collect(s: vec[i64], cell: i64) -> None:
    shown = s[SHOWN + cell]
    kind: i64 = CANDY_KIND
    if shown != CANDY:
        kind = _KIND[shown * TYPES_MOST + s[HIDDEN + cell]]
        s[MONSTERS] -= 1
    s[PILE + s[MOVER] * KINDS + kind] += 1
    s[SHOWN + cell] = GAP
    s[HIDDEN + cell] = GAP
    s[KNOWN + cell] = 1


def _compare(s: vec[i64], first: i64, second: i64) -> None:
    """After two flips: collect and go on, or leave both and end the turn (RULINGS 3.3-3.5)."""
    collected = s[PHASE] == P_PAIRED or s[PHASE] == P_AGAIN
    s[FLIPPED] = -1
    if s[SHOWN + first] != s[SHOWN + second]:
        _end_turn(s, collected)
        return
    _collect(s, first)
    _collect(s, second)
    s[PHASE] = P_AGAIN
    if s[MONSTERS] < 2:
        _end_turn(s, True)
    elif s[END_ON_DEADLOCK] == 1 and is_deadlock(s):
        _finish(s, R_DEADLOCK)


def _take_candy(s: vec[i64], cell: i64) -> None:
    """Collect a candy; the closest monster in each direction flips (RULINGS 3.6)."""
    _collect(s, cell)
    ray: i64
    step: i64
    for ray in range(4):
        for step in range(RAY_LENGTH):
            seen = _RAYS[(cell * 4 + ray) * RAY_LENGTH + step]
            if seen < 0:
                break
            if s[SHOWN + seen] < CANDY:
                _flip(s, seen)
                break
    _end_turn(s, True)


def _end_turn(s: vec[i64], collected: bool) -> None:
    """Count the turn, then end the game by the first reason that applies (RULINGS 3.7)."""
    s[TURNS] += 1
    s[IDLE] = 0 if collected else s[IDLE] + 1
    s[FLIPPED] = -1
    if s[MONSTERS] <= 2:
        _finish(s, R_NORMAL)
    elif s[IDLE] >= idle_cap(s) or s[TURNS] >= s[TURN_CAP]:
        _finish(s, R_CAP)
    else:
        s[PHASE] = P_FIRST
        s[MOVER] = (s[MOVER] + 1) % s[SEATS]


def idle_cap(s: vec[i64]) -> i64:
    """Turns in a row without a collected card after which the game ends."""
    return s[IDLE_CAP] if s[IDLE_CAP] > 0 else 8 * s[TYPES]


def _finish(s: vec[i64], reason: i64) -> None:
    s[PHASE] = P_OVER
    s[REASON] = reason
    s[MOVER] = s[FIRST_SEAT]  # nobody's turn: the value it has before the first one


def is_deadlock(s: vec[i64]) -> bool:
    """Three or more monsters lie there, no two of which have a type in common (RULINGS 3.7)."""
    if s[MONSTERS] < 3:
        return False
    seen: i64 = 0  # a bit for each type met so far
    cell: i64
    for cell in range(CELLS):
        shown = s[SHOWN + cell]
        if shown < CANDY:
            card = (1 << shown) | (1 << s[HIDDEN + cell])
            if seen & card:
                return False
            seen |= card
    return True
