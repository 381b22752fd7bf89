"""Random matches of Sock Monsters on the kernel, for agents, statistics and benchmarks."""

from __future__ import annotations

from services.engine.core.generator import draw
from services.engine.core.vec import i64, vec
from services.engine.games.sock_monsters.kernel import apply
from services.engine.games.sock_monsters.layout import (
    A_DEAL,
    A_DRAW,
    A_EYE_CLOSED,
    A_EYE_OPEN,
    A_FIRST,
    A_KEEP,
    A_MOVE,
    A_PAIR,
    A_PAWN,
    A_ROLL,
    A_ROLL_ANY,
    BAG,
    BAG_TOTAL,
    CELLS,
    COLOUR,
    DEALT,
    EYE_OPEN,
    P_DEAL,
    P_DRAW,
    P_EYE,
    P_FIRST,
    P_MOVE,
    P_PAWN,
    P_TAKE,
    P_THROW,
    PHASE,
    POOL,
    ROOMS,
    SEATS,
    TURN,
)
from services.engine.games.sock_monsters.legality import NOBODY, legal, may_pair, pairing_seat
from services.engine.games.sock_monsters.reach import monster_targets, pawn_targets


def listed(s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
    """An outcome of chance by its weight, or a legal action drawn from the full list; its id."""
    if s[PHASE] <= P_THROW:
        return drawn(s, rng, out)
    return out[draw(rng, legal(s, out))]


def drawn(s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
    """The same distribution, faster: among cells, draw until one fits."""
    phase = s[PHASE]
    if phase == P_MOVE:
        return _drawn_cell(s, monster_targets(s, s[COLOUR]), A_MOVE, rng)
    if phase == P_PAWN:
        return _drawn_cell(s, pawn_targets(s, s[TURN]), A_PAWN, rng)
    if phase == P_EYE:
        return A_EYE_OPEN if draw(rng, 6) < s[EYE_OPEN] else A_EYE_CLOSED
    if phase == P_DRAW:
        return A_DRAW + _kind(s, BAG, draw(rng, s[BAG_TOTAL]))
    if phase == P_DEAL:
        return A_DEAL + _kind(s, POOL, draw(rng, ROOMS - s[DEALT]))
    if phase == P_FIRST:
        return A_FIRST + draw(rng, s[SEATS])
    if phase <= P_THROW:  # the colour die, of a monster or of a throw
        face = draw(rng, 6)
        return A_ROLL + face if face < 4 else A_ROLL_ANY
    return out[draw(rng, legal(s, out))]


def _drawn_cell(s: vec[i64], cells: i64, base: i64, rng: vec[i64]) -> i64:
    """One of these cells, or of the pairings that are possible besides, all equally likely."""
    seat = pairing_seat(s)
    if seat == NOBODY:
        while True:
            choice = draw(rng, CELLS)
            if cells >> choice & 1:
                return base + choice
    while True:
        choice = draw(rng, CELLS + A_KEEP - A_PAIR)
        if choice < CELLS:
            if cells >> choice & 1:
                return base + choice
        elif may_pair(s, seat, choice - CELLS):
            return A_PAIR + choice - CELLS


def _kind(s: vec[i64], counts: i64, rank: i64) -> i64:
    """Which kind number `rank` is of, if the things counted from slot `counts` stand in a row."""
    kind: i64 = 0
    while rank >= s[counts + kind]:
        rank -= s[counts + kind]
        kind += 1
    return kind


def playout(s: vec[i64], rng: vec[i64], out: vec[i64], most: i64, by_list: bool) -> i64:
    """Play at most `most` random actions, chance included; return a checksum of the ids in 31 bits.

    `out` has room for ACTIONS ids and gets the number of actions played as its first word.
    """
    checksum: i64 = 0
    played: i64 = 0
    while played < most and s[PHASE] <= P_TAKE:
        action = listed(s, rng, out) if by_list else drawn(s, rng, out)
        apply(s, action)
        checksum = (checksum * 31 + action) & 0x7FFFFFFF
        played += 1
    out[0] = played
    return checksum
