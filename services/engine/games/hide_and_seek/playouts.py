"""Random matches of Monster Hide and Seek on the kernel, for agents and statistics."""

from __future__ import annotations

from services.engine.core.generator import draw
from services.engine.core.vec import i64, vec
from services.engine.games.hide_and_seek.kernel import apply, deal_weight, legal
from services.engine.games.hide_and_seek.layout import A_DEAL_CANDY, P_DEAL, P_OVER, PHASE


def listed(s: vec[i64], rng: vec[i64], out: vec[i64]) -> i64:
    """An outcome of chance by its weight, or a legal action drawn from the full list; its id."""
    if s[PHASE] != P_DEAL:
        return out[draw(rng, legal(s, out))]
    total: i64 = 0
    action: i64
    for action in range(A_DEAL_CANDY + 1):
        total += deal_weight(s, action)
    rank = draw(rng, total)
    for action in range(A_DEAL_CANDY + 1):
        rank -= deal_weight(s, action)
        if rank < 0:
            return action
    return A_DEAL_CANDY


def playout(s: vec[i64], rng: vec[i64], out: vec[i64], most: i64) -> i64:
    """Play at most `most` random actions, chance included; return a checksum of the ids in 31 bits.

    `out` has room for ACTION_COUNT ids and gets the number of actions played as its first word.
    """
    checksum: i64 = 0
    played: i64 = 0
    while played < most and s[PHASE] != P_OVER:
        action = listed(s, rng, out)
        apply(s, action)
        checksum = (checksum * 31 + action) & 0x7FFFFFFF
        played += 1
    out[0] = played
    return checksum
