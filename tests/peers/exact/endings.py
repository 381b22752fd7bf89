"""Endings of Sock Monsters: shortly before the cap, every tile known to all."""

from __future__ import annotations

from typing import Final

from services.engine.core import Action
from services.engine.core.registry import ruleset
from services.engine.games.sock_monsters import layout as k
from services.engine.games.sock_monsters.state import State
from tests.peers.exact.kernels import sock_lines

ROUNDS: Final = 4
"""The cap under which endings are played: most matches between strong players are still open then,
and the last two turns decide; with six rounds few are."""
OPTIONS: Final = {"round_cap": ROUNDS}
RULES: Final = ruleset("sock_monsters")


def in_the_open(state: State) -> State:
    """The same position, every tile seen by everybody."""
    words = [*state.data]
    for viewer in (*range(words[k.SEATS]), k.EVERYBODY):
        words[k.SEEN + viewer] = k.ALL_CELLS & ~k.LAIR_CELLS
    return State(tuple(words))


def turns_left(state: State) -> int:
    """Under the cap, the one that runs included."""
    words = state.data
    seats = words[k.SEATS]
    done = (words[k.TURN] - words[k.FIRST]) % seats
    return seats * (words[k.CAP] - words[k.ROUND]) + seats - done


def is_pawns(state: State) -> bool:
    """Whether the monster's part of the turn is over."""
    return state.data[k.PHASE] in (k.P_PAWN, k.P_ACT)


def worths(state: State) -> dict[Action, float]:
    """What each legal action is worth to the seat to act, as its share of the win, 0 … 1."""
    actions = RULES.legal_actions(state)
    seat = RULES.actor(state)
    words = sock_lines.buffer([*state.data])
    found = sock_lines.worths(words, [int(action) for action in actions])
    return {
        action: worth if seat == 0 else 1 - worth
        for action, worth in zip(actions, found, strict=True)
    }
