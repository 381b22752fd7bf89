"""Somebody who plays for the first time: at random, but sees half of what lies before the eyes.

The measure of level 1. With chance 1/2 for each decision it takes an immediate win, an immediate
pair, or a face seen one turn ago; else any legal action. It never looks at what it can't see: what
it tries out on the table is open to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Final

from services.engine.core import Action
from services.engine.core.registry import AnyRuleset
from services.engine.games.hide_and_seek import layout as seek
from services.engine.games.sock_monsters import layout as house

ATTENTION: Final = 0.5


def beginner(rules: AnyRuleset, state: Any, before: Sequence[Any], rng: Random) -> Action:
    """What a beginner does. `before`: the states since the beginning of the turn before this."""
    legal = rules.legal_actions(state)
    if rng.random() < ATTENTION:
        seen = _OBVIOUS[rules.game](rules, state, before, legal)
        if seen:
            return rng.choice(seen)
    return rng.choice(legal)


def _winning(
    rules: AnyRuleset, state: Any, before: Sequence[Any], legal: Sequence[Action]
) -> list[Action]:
    """Socker: actions by which the ball goes into the goal at once."""
    del before
    seat = rules.actor(state)
    assert seat is not None
    goals = rules.scores(state)[seat]
    return [a for a in legal if rules.scores(rules.apply(state, a))[seat] > goals]


def _pairing(
    rules: AnyRuleset, state: Any, before: Sequence[Any], legal: Sequence[Action]
) -> list[Action]:
    """Sock Monsters: taking a sock, which lies open, that makes a pair at once."""
    del before
    seat = rules.actor(state)
    assert seat is not None
    open_socks = [a for a in legal if a >= house.A_TAKE and a not in (house.A_LIFT, house.A_BAG)]
    pairs = rules.scores(state)[seat]
    return [a for a in open_socks if rules.scores(rules.apply(state, a))[seat] > pairs]


def _facing(
    rules: AnyRuleset, state: Any, before: Sequence[Any], legal: Sequence[Action]
) -> list[Action]:
    """Hide and Seek: a card whose lower side came up or went down in this turn or the one before,
    and which goes with the card just flipped, or with another such card.
    """
    del rules
    table = state.buffer
    fresh = [cell for cell in range(seek.CELLS) if _turned(cell, [*before, state])]
    fresh = [cell for cell in fresh if table[seek.SHOWN + cell] < seek.CANDY]
    flipped = table[seek.FLIPPED]
    if flipped >= 0:
        wanted = table[seek.SHOWN + flipped]
        cells = [c for c in fresh if c != flipped and table[seek.HIDDEN + c] == wanted]
    else:
        down = [table[seek.HIDDEN + cell] for cell in fresh]
        cells = [cell for cell in fresh if down.count(table[seek.HIDDEN + cell]) > 1]
    return [Action(seek.A_FLIP + cell) for cell in cells if seek.A_FLIP + cell in legal]


def _turned(cell: int, states: Sequence[Any]) -> bool:
    """Whether a card was flipped between two of these states, one after the other."""
    sides = [(s.buffer[seek.SHOWN + cell], s.buffer[seek.HIDDEN + cell]) for s in states]
    known = [s.buffer[seek.KNOWN + cell] for s in states]
    return any(a != b for a, b in pairwise(sides)) or known[0] != known[-1]


_OBVIOUS: Final[dict[str, Callable[..., list[Action]]]] = {
    "socker": _winning,
    "sock_monsters": _pairing,
    "hide_and_seek": _facing,
}
