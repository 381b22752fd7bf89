"""The random generator of playouts: a 32-bit xorshift (Marsaglia, "Xorshift RNGs", 2003).

In masked arithmetic, so that compiled and uncompiled runs, and the C references of the benchmarks,
draw the same numbers. A generator is a buffer of one word, a number from 1 to 2**32 - 1. Matches
never use it: their chance is checkable and lives in the rules service.
"""

from __future__ import annotations

from services.engine.core.vec import i64, vec


def generator(seed: int) -> vec[i64]:
    """A generator for any seed."""
    word: i64 = seed & 0xFFFFFFFF
    return vec[i64]([word if word != 0 else 0x9E3779B9])


def draw(rng: vec[i64], n: i64) -> i64:
    """A number from 0 to n - 1; n up to 2**30."""
    x = rng[0]
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    rng[0] = x
    return (x * n) >> 32
