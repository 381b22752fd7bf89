"""Sock Monsters in place on a flat state: what an action or an outcome of chance changes.

The kernel of the game is this module, `gains`, `legality` (what is legal), `reach` (where figures
go), `playouts` and `layout` (the state). Nothing here checks its input.
"""

from __future__ import annotations

from typing import Final

from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.gains import (
    draw_socks,
    drawn_sock,
    gain,
    go_on,
    pair,
    start_draw,
)
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
    BIT,
    BOOMERANG,
    CENTRE_CELL,
    COLOUR,
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
    P_TAKE,
    P_THROW,
    PAWN,
    PHASE,
    POOL,
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
    T_BOOMERANG,
    T_END,
    T_GIFT,
    T_PAWN,
    THEN,
    THEN_SEAT,
    THROWS,
    TILE,
    TOKENS,
    TURN,
    WHO,
)
from services.engine.games.sock_monsters.legality import awake_can_act
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
        pair(s, s[WHO] if phase == P_RAINBOW else s[TURN], action - A_PAIR)
        # It may have been one's own sock that could be stolen, and the only thing left to do.
        if s[PHASE] == P_OPEN and not awake_can_act(s):
            _to_pawn(s)
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
        go_on(s)
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
        drawn_sock(s, action - A_DRAW)
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
        start_draw(s, s[FIRST])


# Setup


def _deal(s: vec[i64], tile: i64) -> None:
    s[TILE + ROOM_CELL[s[DEALT]]] = tile
    s[POOL + tile] -= 1
    s[DEALT] += 1
    if s[DEALT] == ROOMS:
        s[PHASE] = P_FIRST


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
        gain(s, s[TURN], sock)
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
        draw_socks(s, victim, 1)


def _give(s: vec[i64], sock: i64) -> None:
    s[LAIR + KINDS * s[COLOUR] + sock] -= 1
    s[COLOUR] = -1
    s[THEN] = T_PAWN
    gain(s, s[WHO], sock)


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
        gain(s, s[TURN], (action - A_LAIR) % KINDS)
    elif action == A_BAG:
        draw_socks(s, s[TURN], 1)
    else:
        go_on(s)


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
    draw_socks(s, turn, socks)


def _take_thrown(s: vec[i64], sock: i64) -> None:
    """Take a sock for the boomerang, which follows once this gain is settled (RULINGS 1.18)."""
    target = s[WHO]
    s[SOCKS + KINDS * target + sock] -= 1
    s[LOOSE + target] -= 1
    s[THEN] = T_BOOMERANG
    s[THEN_SEAT] = target
    gain(s, s[TURN], sock)
