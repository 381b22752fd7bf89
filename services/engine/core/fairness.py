"""Chance that can be checked: every draw of a match follows from its seed and the seats' nonces.

Draw k is HMAC-SHA256(seed, TEXT), read as a big-endian number of 256 bits, where TEXT is

    oddsocks-draw/1 MATCH k ATTEMPT              without nonces
    oddsocks-draw/2 MATCH NONCES k ATTEMPT       with nonces

and NONCES has one word a seat, in hexadecimal digits, `-` for none, joined by commas. Numbers in
the last, incomplete run of the outcomes' total weight are rejected and the next ATTEMPT (from 0) is
taken, so each outcome has exactly its weight's share. Outcomes stand in the engine's order, by id.

The SHA-256 of the seed is published before anybody gives a nonce, the seed once the match is over:
then whoever has both can draw again and compare (`record`). docs/export.md says it for readers.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from services.engine.core.types import Action, WeightedAction

SEED_BYTES: Final = 32
PLAIN: Final = "oddsocks-draw/1"
WITH_NONCES: Final = "oddsocks-draw/2"
_RANGE: Final = 1 << 256


def commitment(seed: bytes) -> bytes:
    """What is published of a seed before the match: its SHA-256."""
    return hashlib.sha256(seed).digest()


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of one match; call with the number of the draw and its outcomes.

    `nonces` has one entry a seat, empty where it gave none; nothing at all: no seat did.
    """

    seed: bytes
    match_id: str
    nonces: tuple[bytes, ...] = ()

    @property
    def scheme(self) -> str:
        """How they are made."""
        return WITH_NONCES if any(self.nonces) else PLAIN

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
        words = [self.scheme, self.match_id]
        if any(self.nonces):
            words.append(",".join(nonce.hex() or "-" for nonce in self.nonces))
        start = " ".join(words)
        for attempt in count():
            text = f"{start} {number} {attempt}"
            value = int.from_bytes(hmac.digest(self.seed, text.encode(), "sha256"), "big")
            if value < whole_runs:
                return value % total
        raise AssertionError("unreachable")
