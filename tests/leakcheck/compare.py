"""Playing both matches of a pair, and what tells them apart."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from services.common.keys import ensure_keys
from tests.leakcheck.pairs import Pair
from tests.leakcheck.play import Record, play

NOTHING = ("nothing", b"")


async def compare(pair: Pair, folder: Path) -> int:
    """The number of messages compared; AssertionError with the first that differs."""
    start_ms = time.time_ns() // 1_000_000
    one = await played(pair, pair.one, folder / "one", start_ms)
    other = await played(pair, pair.other, folder / "other", start_ms)
    different = first_difference(one, other)
    assert different is None, (
        f"{pair.variant.name}, {pair.seats} seats, seen by {pair.viewer}: {different}\n"
        f"one   {' '.join(pair.one)}\nother {' '.join(pair.other)}"
    )
    return len(one)


async def played(pair: Pair, history: Sequence[str], folder: Path, start_ms: int) -> Record:
    """What reached the viewer of one match; matches with the same parent folder share keys."""
    keys = folder.parent / "keys"
    ensure_keys(keys)
    return await play(pair, history, folder, keys, start_ms)


def first_difference(one: Record, other: Record) -> str | None:
    """The first place where two records differ, in words."""
    for number, (mine, theirs) in enumerate(zip_longest(one, other, fillvalue=NOTHING)):
        if mine != theirs:
            return f"message {number}\n{mine[0]}: {mine[1]!r}\n{theirs[0]}: {theirs[1]!r}"
    return None
