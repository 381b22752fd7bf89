"""How much a seat may add to the seed of its match, for all who ask."""

from __future__ import annotations

from typing import Final

SHORTEST: Final = 16
LONGEST: Final = 32
BOUNDS: Final = f"must have {SHORTEST} to {LONGEST} bytes"


def fits(nonce: bytes) -> bool:
    """Whether it is nothing, or within the bounds."""
    return not nonce or SHORTEST <= len(nonce) <= LONGEST
