"""Sock Monsters in place on a flat state: what an action or an outcome of chance changes.

The kernel of the game is this module, `legality` (what is legal), `reach` (where
figures go), `playouts` and `layout` (the state). Nothing here checks its input.
"""

from __future__ import annotations

from typing import Final

from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.layout import (
    A_BAG,
    A_DEAL,
    A_DRAW,
    A_EYE_OPEN,
    A_FIRST,
    A_GIFT,
    A_GO,
    A_KEEP,
    A_LAIR,
    A_LIFT,
    A_MOVE,
    A_PAIR,
    A_PAWN,
    A_PEEK,
    A_PICK,
    A_PLACE,
    A_ROLL,
    A_ROLL_ANY,
    A_STEAL,
    A_TAKE,
    A_THROW,
    BAG,
    BAG_TOTAL,
    BIT,
    BOOMERANG,
    CAP,
    CENTRE_CELL,
    COLOUR,
    COLOURS,
    COUNT,
    DEALT,
    EVERYBODY,
    FACE_UP,
    FIRST,
    FROM_LAIR,
    GERMAN,
    KINDS,
    LAIR,
    LOOSE,
    MONSTER,
    OCCUPIED,
    P_ACT,
    P_DEAL,
    P_DRAW,
    P_EYE,
    P_FIRST,
    P_GIFT,
    P_MOVE,
    P_OPEN,
    P_PAWN,
    P_PICK,
    P_PLACE,
    P_RAINBOW,
    P_ROLL,
    P_ROUND_CAP,
    P_TAKE,
    P_THREE_PAIRS,
    P_THROW,
    PAIR_KINDS,
    PAIRED,
    PAIRS,
    PAIRS_TO_WIN,
    PAWN,
    PHASE,
    POOL,
    RAINBOW,
    ROOM_CELL,
    ROOMS,
    ROUND,
    SEATS,
    SEEN,
    SHOWN,
    SHOWN_TO,
    SILLY,
    SMELLY,
    SOCKS,
    START,
    T_ACT,
    T_BOOMERANG,
    T_END,
    T_GIFT,
    T_NONE,
    T_PAWN,
    T_START,
    THEN,
    THEN_SEAT,
    THROWS,
    TILE,
    TOKENS,
    TURN,
    WHO,
)
from services.engine.games.sock_monsters.legality import awake_can_act, can_pair
from services.engine.games.sock_monsters.reach import any_can_move, can_move

CHANCE: Final = -1
OVER: Final = -3


def buffer(words: list[int]) -> vec[i64]:
    """A buffer with these words: a state, or room for a list of actions."""
    return vec[i64](words)


def actor(s: vec[i64]) -> i64:
    """The seat to act, CHANCE, or OVER when the game is over."""
    phase = s[PHASE]
    if phase <= P_THROW:
        return CHANCE
    if phase <= P_RAINBOW:
        return s[WHO]
    return s[TURN] if phase <= P_TAKE else OVER


def apply(s: vec[i64], action: i64) -> None:
    """Change `s` by a legal action."""
    phase = s[PHASE]
    if action < A_PLACE:
        _apply_chance(s, phase, action)
        return
    s[SHOWN] = -1  # what was turned over is in view until a seat acts again
    s[SHOWN_TO] = -1
    if A_PAIR <= action < A_KEEP:
        _pair(s, s[WHO] if phase == P_RAINBOW else s[TURN], action - A_PAIR)
    elif phase == P_PAWN:
        _move_pawn(s, action - A_PAWN)
    elif phase == P_MOVE:
        _move_monster(s, action - A_MOVE)
    elif phase == P_ACT:
        _act(s, action)
    elif phase == P_OPEN:
        _act_awake(s, action)
    elif phase == P_PICK:
        s[COLOUR] = action - A_PICK
        s[PHASE] = P_MOVE
    elif phase == P_RAINBOW:
        _go_on(s)
    elif phase == P_PLACE:
        _place(s, CENTRE_CELL[action - A_PLACE])
    elif phase == P_TAKE:
        _take_thrown(s, action - A_TAKE)
    else:
        _give(s, action - A_GIFT)


def _apply_chance(s: vec[i64], phase: i64, action: i64) -> None:
    if phase == P_EYE:
        s[PHASE] = P_OPEN
        if action != A_EYE_OPEN or not awake_can_act(s):
            _to_pawn(s)
    elif phase == P_ROLL:
        _rolled(s, action - A_ROLL)
    elif phase == P_DRAW:
        _drawn(s, action - A_DRAW)
    elif phase == P_DEAL:
        _deal(s, action - A_DEAL)
    elif phase == P_THROW:
        if action == A_ROLL_ANY:
            s[PHASE] = P_TAKE
        else:
            s[WHO] = -1
            s[PHASE] = P_ACT
    else:
        s[FIRST] = action - A_FIRST
        _start_draw(s, s[FIRST])


# Setup


def _deal(s: vec[i64], tile: i64) -> None:
    s[TILE + ROOM_CELL[s[DEALT]]] = tile
    s[POOL + tile] -= 1
    s[DEALT] += 1
    if s[DEALT] == ROOMS:
        s[PHASE] = P_FIRST


def _start_draw(s: vec[i64], seat: i64) -> None:
    """Let a seat draw its starting socks as one gain (RULINGS 1.3)."""
    socks = s[START] - 1
    if socks < 0:
        socks = 0 if s[GERMAN] else 1
    s[THEN] = T_START
    _draw(s, seat, socks)


def _place(s: vec[i64], cell: i64) -> None:
    s[PAWN + s[WHO]] = cell
    s[OCCUPIED] |= BIT[cell]
    s[WHO] = (s[WHO] + 1) % s[SEATS]
    if s[WHO] == s[FIRST]:
        s[WHO] = -1
        s[TURN] = s[FIRST]
        s[ROUND] = 1
        s[PHASE] = P_ROLL if s[GERMAN] else P_PAWN  # RULINGS 1.2, 1.19


# Monster


def _rolled(s: vec[i64], face: i64) -> None:
    if face < 4:
        if can_move(s, face):
            s[COLOUR] = face
            s[PHASE] = P_MOVE
        else:
            s[PHASE] = P_PAWN
    else:
        s[PHASE] = P_PICK if any_can_move(s) else P_PAWN


def _move_monster(s: vec[i64], cell: i64) -> None:
    at = MONSTER + s[COLOUR]
    s[OCCUPIED] ^= BIT[s[at]] | BIT[cell]
    s[at] = cell
    s[COUNT] += 1
    s[PHASE] = P_EYE


def _to_pawn(s: vec[i64]) -> None:
    s[COLOUR] = -1
    s[COUNT] = 0
    s[PHASE] = P_PAWN


def _act_awake(s: vec[i64], action: i64) -> None:
    if action == A_GO:
        s[PHASE] = P_MOVE
    elif A_STEAL <= action < A_GO:
        _steal(s, (action - A_STEAL) // KINDS, (action - A_STEAL) % KINDS)
    else:
        if action < A_STEAL:
            s[SHOWN] = action - A_PEEK
            s[SHOWN_TO] = s[TURN]
            s[SEEN + s[TURN]] |= BIT[s[SHOWN]]
        _to_pawn(s)


def _steal(s: vec[i64], victim: i64, sock: i64) -> None:
    """Move the sock to the lair (RULINGS 1.15, 1.17) or to the thief (1.20)."""
    s[SOCKS + KINDS * victim + sock] -= 1
    s[LOOSE + victim] -= 1
    if s[GERMAN] and s[FROM_LAIR] == 0:
        s[COLOUR] = -1
        s[COUNT] = 0
        s[THEN] = T_PAWN
        if sock == SMELLY:
            s[THEN] = T_GIFT
            s[THEN_SEAT] = victim
        _gain(s, s[TURN], sock)
        return
    lair = LAIR + KINDS * s[COLOUR]
    s[lair + sock] += 1
    if sock != SMELLY:
        _to_pawn(s)
        return
    others: i64 = -1
    kind: i64
    for kind in range(KINDS):
        others += s[lair + kind]
    s[COUNT] = 0
    if others > 0:
        s[WHO] = victim
        s[PHASE] = P_GIFT
    else:
        s[COLOUR] = -1
        s[THEN] = T_PAWN
        _draw(s, victim, 1)


def _give(s: vec[i64], sock: i64) -> None:
    s[LAIR + KINDS * s[COLOUR] + sock] -= 1
    s[COLOUR] = -1
    s[THEN] = T_PAWN
    _gain(s, s[WHO], sock)


# Pawn


def _move_pawn(s: vec[i64], cell: i64) -> None:
    turn = s[TURN]
    at = PAWN + turn
    if s[at] != cell:
        s[OCCUPIED] ^= BIT[s[at]] | BIT[cell]
        s[at] = cell
    if s[SILLY]:
        s[THROWS] = s[SOCKS + KINDS * turn + BOOMERANG]
    s[PHASE] = P_ACT


def _act(s: vec[i64], action: i64) -> None:
    if action < A_LIFT:
        s[THROWS] -= 1
        s[WHO] = action - A_THROW
        s[PHASE] = P_THROW
        return
    s[THROWS] = 0
    s[THEN] = T_END
    if action == A_LIFT:
        _lift(s)
    elif A_LAIR <= action < A_BAG:
        s[LAIR + action - A_LAIR] -= 1
        _gain(s, s[TURN], (action - A_LAIR) % KINDS)
    elif action == A_BAG:
        _draw(s, s[TURN], 1)
    else:
        _go_on(s)


def _lift(s: vec[i64]) -> None:
    """RULINGS 1.8, 1.9 and 1.21."""
    turn = s[TURN]
    cell = s[PAWN + turn]
    tile = s[TILE + cell]
    token = BIT[tile % 4]
    s[SHOWN] = cell
    s[SHOWN_TO] = EVERYBODY
    face_down = s[FACE_UP] >> cell & 1 == 0
    socks: i64 = 0
    if tile // 4 == turn and face_down:
        if s[TOKENS + turn] & token:
            s[TOKENS + turn] ^= token
            s[FACE_UP] |= BIT[cell]
            socks = 1 if s[GERMAN] else 2
        elif s[GERMAN] == 0:
            s[FACE_UP] |= BIT[cell]
    viewer: i64
    for viewer in range(EVERYBODY + 1):
        if viewer < s[SEATS] or viewer == EVERYBODY:
            s[SEEN + viewer] |= BIT[cell]
    _draw(s, turn, socks)


def _take_thrown(s: vec[i64], sock: i64) -> None:
    """Take a sock for the boomerang, which follows once this gain is settled (RULINGS 1.18)."""
    target = s[WHO]
    s[SOCKS + KINDS * target + sock] -= 1
    s[LOOSE + target] -= 1
    s[THEN] = T_BOOMERANG
    s[THEN_SEAT] = target
    _gain(s, s[TURN], sock)


# Gains


def _draw(s: vec[i64], seat: i64, socks: i64) -> None:
    """Let a seat draw up to `socks` socks as one gain; THEN says how it goes on."""
    s[WHO] = seat
    if socks > s[BAG_TOTAL]:
        socks = s[BAG_TOTAL]
    if socks == 0:
        _go_on(s)
        return
    s[COUNT] = socks
    s[PHASE] = P_DRAW


def _drawn(s: vec[i64], sock: i64) -> None:
    s[BAG + sock] -= 1
    s[BAG_TOTAL] -= 1
    s[COUNT] -= 1
    if s[COUNT]:
        s[SOCKS + KINDS * s[WHO] + sock] += 1
        s[LOOSE + s[WHO]] += 1
    else:
        _gain(s, s[WHO], sock)


def _gain(s: vec[i64], seat: i64, sock: i64) -> None:
    """Give a seat the last sock of a gain: pair, then win, choose about rainbows or go on.

    RULINGS 1.10 and 1.16.
    """
    own = SOCKS + KINDS * seat
    s[own + sock] += 1
    s[LOOSE + seat] += 1
    colour: i64
    for colour in range(COLOURS):
        if s[own + colour] > 1:
            s[own + colour] -= 2
            s[LOOSE + seat] -= 2
            s[PAIRS + PAIR_KINDS * seat + colour] += 1
            s[PAIRED + seat] += 1
    if s[PAIRED + seat] >= PAIRS_TO_WIN:
        _end(s, P_THREE_PAIRS)
        return
    s[WHO] = seat
    if can_pair(s, seat):
        s[PHASE] = P_RAINBOW
    else:
        _go_on(s)


def _pair(s: vec[i64], seat: i64, sock: i64) -> None:
    """Pair a rainbow with a single sock; the phase stays unless that was the last choice in it."""
    own = SOCKS + KINDS * seat
    s[own + RAINBOW] -= 1
    s[own + sock] -= 1
    s[LOOSE + seat] -= 2
    s[PAIRS + PAIR_KINDS * seat + COLOURS + sock] += 1
    s[PAIRED + seat] += 1
    if s[PAIRED + seat] >= PAIRS_TO_WIN:
        _end(s, P_THREE_PAIRS)
    elif s[PHASE] == P_RAINBOW and not can_pair(s, seat):
        _go_on(s)


def _go_on(s: vec[i64]) -> None:
    """Do what THEN says after a gain of the seat WHO."""
    then = s[THEN]
    seat = s[THEN_SEAT]
    who = s[WHO]
    s[WHO] = -1
    s[THEN] = T_NONE
    s[THEN_SEAT] = -1
    if then == T_END:
        _end_turn(s)
    elif then == T_PAWN:
        s[PHASE] = P_PAWN
    elif then == T_START:
        who = (who + 1) % s[SEATS]
        if who == s[FIRST]:
            s[WHO] = who
            s[PHASE] = P_PLACE
        else:
            _start_draw(s, who)
    elif then == T_GIFT:
        s[THEN] = T_PAWN
        _draw(s, seat, 1)
    elif then == T_BOOMERANG:
        s[SOCKS + KINDS * s[TURN] + BOOMERANG] -= 1
        s[LOOSE + s[TURN]] -= 1
        s[THEN] = T_ACT
        _gain(s, seat, BOOMERANG)
    else:
        s[PHASE] = P_ACT


def _end_turn(s: vec[i64]) -> None:
    following = (s[TURN] + 1) % s[SEATS]
    if following == s[FIRST]:
        if s[ROUND] >= s[CAP]:
            _end(s, P_ROUND_CAP)
            return
        s[ROUND] += 1
    s[TURN] = following
    s[PHASE] = P_ROLL


def _end(s: vec[i64], phase: i64) -> None:
    s[PHASE] = phase
    s[WHO] = -1
    s[COLOUR] = -1
    s[COUNT] = 0
    s[THROWS] = 0
    s[THEN] = T_NONE
    s[THEN_SEAT] = -1
