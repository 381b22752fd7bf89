"""Chance that can be checked: every draw of a match follows from its seed.

Draw k is made from HMAC-SHA256(seed, "oddsocks-draw/1 MATCH k ATTEMPT"), read as a big-endian
number of 256 bits. Numbers in the last, incomplete run of the outcomes' total weight are rejected
and the next ATTEMPT (from 0) is taken, so each outcome has exactly its weight's share. Outcomes
stand in the engine's order, by id. Whoever has the seed can draw again and compare.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from services.engine.core import Action, WeightedAction

SEED_BYTES: Final = 32
_RANGE: Final = 1 << 256


def new_seed() -> bytes:
    """A seed for one match; secret until the match is over."""
    return secrets.token_bytes(SEED_BYTES)


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of one match; call with the number of the draw and its outcomes."""

    seed: bytes
    match_id: str

    def __call__(self, number: int, outcomes: Sequence[WeightedAction]) -> Action:
        """The outcome that draw `number` gives."""
        point = self._below(number, sum(outcome.weight for outcome in outcomes))
        for outcome in outcomes:
            point -= outcome.weight
            if point < 0:
                return outcome.action
        raise ValueError("a draw needs outcomes with a weight")

    def _below(self, number: int, total: int) -> int:
        """A number from 0 to total - 1, each equally likely."""
        if total < 1:
            raise ValueError("a draw needs outcomes with a weight")
        whole_runs = _RANGE - _RANGE % total
        for attempt in count():
            text = f"oddsocks-draw/1 {self.match_id} {number} {attempt}"
            value = int.from_bytes(hmac.digest(self.seed, text.encode(), "sha256"), "big")
            if value < whole_runs:
                return value % total
        raise AssertionError("unreachable")
