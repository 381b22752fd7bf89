"""What is good for a seat in Sock Monsters, at first sight: socks, tiles, cells, actions.

In hundredths of a pair. Nothing here looks at a tile that the seat has not seen.
"""

from __future__ import annotations

from typing import Final

from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.layout import (
    A_BAG,
    A_GIFT,
    A_GO,
    A_KEEP,
    A_LAIR,
    A_LIFT,
    A_PAIR,
    A_PASS,
    A_PEEK,
    A_STEAL,
    A_TAKE,
    A_THROW,
    BAG_TOTAL,
    BESIDE,
    BIT,
    BOOMERANG,
    CELLS,
    COLOURS,
    FACE_UP,
    FROM_LAIR,
    GERMAN,
    KINDS,
    LAIR,
    LAIR_CELL,
    PAIRED,
    PAWN,
    RAINBOW,
    SEEN,
    SMELLY,
    SOCKS,
    TILE,
    TOKENS,
    TOKENS_USED,
)

_PAIR: Final = 100
_SINGLE: Final = 24
_IN_REACH: Final = 10  # of a single whose partner lies in a lair
_RAINBOW: Final = 45
_BOOMERANG: Final = 15
_SMELLY: Final = 4
_TILE: Final = 14  # an own tile seen, its token up
_LUCK: Final = 20  # lifting an unknown tile, or taking an unknown sock
_NEVER: Final = -1


def gained(s: vec[i64], seat: i64, sock: i64) -> i64:
    """What one more sock is worth to a seat."""
    if sock < COLOURS:
        return _PAIR - _SINGLE if s[SOCKS + KINDS * seat + sock] else _SINGLE
    if sock == RAINBOW:
        return _RAINBOW
    return _BOOMERANG if sock == BOOMERANG else _SMELLY


def worth(s: vec[i64], seat: i64) -> i64:
    """What a seat has: pairs, singles, partners in reach, tiles it knows."""
    own = SOCKS + KINDS * seat
    points = _PAIR * s[PAIRED + seat] + _RAINBOW * s[own + RAINBOW]
    points += _BOOMERANG * s[own + BOOMERANG] + _SMELLY * s[own + SMELLY]
    colour: i64
    lair: i64
    for colour in range(COLOURS):
        if s[own + colour]:
            points += _SINGLE
            if s[GERMAN] == 0 or s[FROM_LAIR]:
                for lair in range(4):
                    if s[LAIR + KINDS * lair + colour]:
                        points += _IN_REACH
                        break
    motifs: i64 = 0
    tiles = useful_tiles(s, seat)
    cell: i64
    for cell in range(CELLS):
        if tiles >> cell & 1:
            motif = BIT[s[TILE + cell] % 4]
            if motifs & motif == 0:
                motifs |= motif
                points += _TILE
    return points


def useful_tiles(s: vec[i64], seat: i64) -> i64:
    """The cells of own tiles that the seat has seen, face down, their token up."""
    cells: i64 = 0
    seen = s[SEEN + seat] & ~s[FACE_UP]
    cell: i64
    for cell in range(CELLS):
        if seen >> cell & 1:
            tile = s[TILE + cell]
            if tile // 4 == seat and s[TOKENS + seat] & BIT[tile % 4]:
                cells |= BIT[cell]
    return cells


def loot_cells(s: vec[i64], seat: i64, that_pairs: bool) -> i64:
    """The cells beside a lair from which the seat could take a sock, or one that makes a pair."""
    from_bag = s[GERMAN] and s[FROM_LAIR] == 0
    if from_bag and (that_pairs or s[BAG_TOTAL] == 0):
        return 0
    if from_bag and s[TOKENS_USED] and s[TOKENS + seat]:
        return 0
    cells: i64 = 0
    lair: i64
    sock: i64
    for lair in range(4):
        if from_bag:
            cells |= BESIDE[LAIR_CELL[lair]]
            continue
        for sock in range(KINDS):
            if s[LAIR + KINDS * lair + sock] and (
                not that_pairs or gained(s, seat, sock) > _RAINBOW
            ):
                cells |= BESIDE[LAIR_CELL[lair]]
                break
    return cells


def liked(s: vec[i64], seat: i64, action: i64) -> i64:
    """How much a seat likes an action at first sight; below 0 for one that nobody would take."""
    if A_LAIR <= action < A_BAG:
        return gained(s, seat, (action - A_LAIR) % KINDS)
    if A_TAKE <= action < A_GIFT:
        return gained(s, seat, action - A_TAKE)
    if A_GIFT <= action < A_LIFT:
        return gained(s, seat, action - A_GIFT)
    if A_PAIR <= action < A_KEEP:
        return _PAIR // 2
    if A_THROW <= action < A_TAKE:
        return 2 * _PAIR  # first of all: the turn goes on after it
    if action == A_LIFT:
        return _lift(s, seat)
    if A_STEAL <= action < A_GO:
        return _steal(s, seat, (action - A_STEAL) // KINDS, (action - A_STEAL) % KINDS)
    if A_PEEK <= action < A_STEAL:
        return _NEVER if s[SEEN + seat] >> (action - A_PEEK) & 1 else _LUCK // 2
    if action == A_BAG:
        return _LUCK + _SINGLE // 2
    return 1 if action == A_PASS else 3


def _lift(s: vec[i64], seat: i64) -> i64:
    cell = s[PAWN + seat]
    if s[SEEN + seat] >> cell & 1 == 0:
        return _LUCK
    if useful_tiles(s, seat) >> cell & 1 == 0:
        return 0
    return _SINGLE + _LUCK if s[GERMAN] else 2 * (_SINGLE + _LUCK)


def _steal(s: vec[i64], seat: i64, victim: i64, sock: i64) -> i64:
    """What the victim loses, and what may come of it for the thief."""
    if victim == seat:
        return _NEVER
    if sock == SMELLY:
        return 0
    loss = _RAINBOW if sock == RAINBOW else _SINGLE
    gain = gained(s, seat, sock)
    return loss + (gain if s[GERMAN] and s[FROM_LAIR] == 0 else gain // 2)
