"""Seeds: secret until their match is over. What follows from them is `engine.core.fairness`."""

from __future__ import annotations

import secrets

from services.engine.core.fairness import SEED_BYTES


def new_seed() -> bytes:
    """A seed for one match."""
    return secrets.token_bytes(SEED_BYTES)
