"""Random games of every variant on both implementations, in `make test` and `make test-long`."""

from __future__ import annotations

import pytest

from services.engine.core.registry import game_names
from tests.crosscheck.play import MOST_REFUSED, play_both
from tests.crosscheck.variants import ENOUGH_GAMES, VARIANTS, Variant

GAMES_LONG, CHUNK_LONG = 10_000, 1_000
variants = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)


def test_every_game_on_the_shelf_is_checked() -> None:
    assert {variant.game for variant in VARIANTS} == set(game_names())


@variants
@pytest.mark.timeout(1800)
def test_random_games_agree(variant: Variant) -> None:
    tally = play_both(variant, range(ENOUGH_GAMES))
    assert tally.share_refused() <= MOST_REFUSED, tally.refusals
    assert variant.cases - set(tally.reached) == set(), "rare cases never met"


@variants
@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", range(ENOUGH_GAMES, GAMES_LONG, CHUNK_LONG))
def test_many_random_games_agree(variant: Variant, first: int) -> None:
    tally = play_both(variant, range(first, min(first + CHUNK_LONG, GAMES_LONG)))
    assert tally.share_refused() <= MOST_REFUSED, tally.refusals
    assert tally.actions > 0
