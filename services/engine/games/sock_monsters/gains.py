"""Gains in Sock Monsters: draws, pairs, rainbow choices, wins, and how the game goes on.

Part of the kernel: plain functions that change the flat state of `layout` in place.
"""

from __future__ import annotations

from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.layout import (
    BAG,
    BAG_TOTAL,
    BOOMERANG,
    CAP,
    COLOUR,
    COLOURS,
    COUNT,
    FIRST,
    GERMAN,
    KINDS,
    LOOSE,
    P_ACT,
    P_DRAW,
    P_PAWN,
    P_PLACE,
    P_RAINBOW,
    P_ROLL,
    P_ROUND_CAP,
    P_THREE_PAIRS,
    PAIR_KINDS,
    PAIRED,
    PAIRS,
    PAIRS_TO_WIN,
    PHASE,
    RAINBOW,
    ROUND,
    SEATS,
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
    TURN,
    WHO,
)
from services.engine.games.sock_monsters.legality import can_pair


def draw_socks(s: vec[i64], seat: i64, socks: i64) -> None:
    """Let a seat draw up to `socks` socks as one gain; THEN says how it goes on."""
    s[WHO] = seat
    if socks > s[BAG_TOTAL]:
        socks = s[BAG_TOTAL]
    if socks == 0:
        go_on(s)
        return
    s[COUNT] = socks
    s[PHASE] = P_DRAW


def drawn_sock(s: vec[i64], sock: i64) -> None:
    s[BAG + sock] -= 1
    s[BAG_TOTAL] -= 1
    s[COUNT] -= 1
    if s[COUNT]:
        s[SOCKS + KINDS * s[WHO] + sock] += 1
        s[LOOSE + s[WHO]] += 1
    else:
        gain(s, s[WHO], sock)


def gain(s: vec[i64], seat: i64, sock: i64) -> None:
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
        go_on(s)


def pair(s: vec[i64], seat: i64, sock: i64) -> None:
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
        go_on(s)


def go_on(s: vec[i64]) -> None:
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
            start_draw(s, who)
    elif then == T_GIFT:
        s[THEN] = T_PAWN
        draw_socks(s, seat, 1)
    elif then == T_BOOMERANG:
        s[SOCKS + KINDS * s[TURN] + BOOMERANG] -= 1
        s[LOOSE + s[TURN]] -= 1
        s[THEN] = T_ACT
        gain(s, seat, BOOMERANG)
    else:
        s[PHASE] = P_ACT


def start_draw(s: vec[i64], seat: i64) -> None:
    """Let a seat draw its starting socks as one gain (RULINGS 1.3)."""
    socks = s[START] - 1
    if socks < 0:
        socks = 0 if s[GERMAN] else 1
    s[THEN] = T_START
    draw_socks(s, seat, socks)


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
