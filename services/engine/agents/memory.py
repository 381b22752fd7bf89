"""How what was seen fades from memory.

An information state says what was seen, not when. So the order in which it was seen is drawn, a
few things a turn, and each thing is forgotten with the same chance in every turn after its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def remembered(seen: Sequence[int], fade: float, a_turn: int, rng: Random) -> list[int]:
    """Those of the things `seen` that are still remembered, in the order given.

    `a_turn` of them were seen in the last turn, as many in the turn before, and so on; one seen n
    turns ago is kept with chance (1 - fade) ** n.
    """
    order = [*range(len(seen))]
    rng.shuffle(order)
    turns_ago = ((i, place // a_turn + 1) for place, i in enumerate(order))
    kept = {i for i, turns in turns_ago if rng.random() < (1 - fade) ** turns}
    return [each for i, each in enumerate(seen) if i in kept]


def share_remembered(number: int, fade: float, a_turn: int) -> float:
    """How much of `number` things is remembered on average, by the definition above."""
    if number == 0:
        return 1.0
    return sum((1 - fade) ** (place // a_turn + 1) for place in range(number)) / number
