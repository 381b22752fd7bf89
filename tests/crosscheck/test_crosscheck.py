"""Random games of every variant on both implementations, in `make test` and `make test-long`."""

from __future__ import annotations

import pytest

from tests.crosscheck.play import play
from tests.crosscheck.variants import VARIANTS, Variant

GAMES, CHUNK = 300, 100
GAMES_LONG, CHUNK_LONG = 10_000, 1_000
variants = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)


@variants
@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(0, GAMES, CHUNK))
def test_random_games_agree(variant: Variant, first: int) -> None:
    for seed in range(first, first + CHUNK):
        assert play(variant, seed) > 0


@variants
@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", range(GAMES, GAMES_LONG, CHUNK_LONG))
def test_many_random_games_agree(variant: Variant, first: int) -> None:
    for seed in range(first, min(first + CHUNK_LONG, GAMES_LONG)):
        assert play(variant, seed) > 0
