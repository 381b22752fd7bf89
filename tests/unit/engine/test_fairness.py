"""Draws follow from the seed, for everybody who has it, and each outcome has its share."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from services.engine.core import Action, WeightedAction
from services.engine.core.fairness import Draws, commitment

COIN = (WeightedAction(Action(7), 1), WeightedAction(Action(9), 1))


def outcomes(*weights: int) -> list[WeightedAction]:
    return [WeightedAction(Action(i), weight) for i, weight in enumerate(weights)]


def test_a_draw_can_be_computed_by_hand() -> None:
    """The recipe of the module's docstring, written down a second time."""
    seed, match_id = bytes(range(32)), "0123456789abcdef" * 2
    for k in range(50):
        message = f"oddsocks-draw/1 {match_id} {k} 0".encode()
        number = int(hmac.new(seed, message, hashlib.sha256).hexdigest(), 16)
        assert Draws(seed, match_id)(k, COIN) == (7, 9)[number % 2]


def test_draws_depend_on_seed_match_and_number() -> None:
    wide = outcomes(*[1] * 1000)
    draws = {
        (seed, match_id, k): Draws(seed * 32, match_id)(k, wide)
        for seed in (b"a", b"b")
        for match_id in ("m", "n")
        for k in (0, 1)
    }
    assert len(set(draws.values())) == len(draws)


def test_a_draw_with_nonces_can_be_computed_by_hand() -> None:
    seed, match_id = bytes(range(32)), "0123456789abcdef" * 2
    draws = Draws(seed, match_id, (b"\x00\xff", b"", b"ab"))
    assert draws.scheme == "oddsocks-draw/2"
    for k in range(50):
        message = f"oddsocks-draw/2 {match_id} 00ff,-,6162 {k} 0".encode()
        number = int(hmac.new(seed, message, hashlib.sha256).hexdigest(), 16)
        assert draws(k, COIN) == (7, 9)[number % 2]


def test_who_gives_no_nonce_changes_nothing_and_who_does_everything() -> None:
    wide = outcomes(*[1] * 1000)

    def first(*nonces: bytes) -> list[Action]:
        return [Draws(b"s" * 32, "m", nonces)(k, wide) for k in range(4)]

    assert first() == first(b"", b"")
    some = [first(*n) for n in ((b"a", b""), (b"", b"a"), (b"a", b"a"), (b"b", b"a"), (b"aa", b""))]
    assert len({tuple(draws) for draws in [first(), *some]}) == 6


def test_a_seed_is_promised_by_its_sha256() -> None:
    assert commitment(b"abc").hex().startswith("ba7816bf8f01cfea")  # FIPS 180-4's own example


def test_numbers_in_the_incomplete_run_are_rejected() -> None:
    """Of a total just over half the range almost every second attempt is thrown away."""
    total = (1 << 255) + 1
    seed, match_id = bytes(32), "m"
    for k in range(40):
        attempt = 0
        while True:
            message = f"oddsocks-draw/1 {match_id} {k} {attempt}".encode()
            number = int(hmac.new(seed, message, hashlib.sha256).hexdigest(), 16)
            if number < total:
                break
            attempt += 1
        expected = 0 if number < total - 1 else 1
        assert Draws(seed, match_id)(k, outcomes(total - 1, 1)) == expected


def test_each_outcome_has_the_share_of_its_weight() -> None:
    """Chi-squared with a fixed seed: 16.27 is the 0.1 % point of 3 degrees of freedom."""
    weights = (1, 2, 3, 4)
    draws = Draws(b"s" * 32, "m")
    counts = Counter(draws(k, outcomes(*weights)) for k in range(10_000))
    expected = {Action(i): weight * 1_000 for i, weight in enumerate(weights)}
    assert sum((counts[a] - n) ** 2 / n for a, n in expected.items()) < 16.27


@pytest.mark.parametrize("nothing", [[], outcomes(0, 0)])
def test_nothing_can_not_be_drawn_from(nothing: list[WeightedAction]) -> None:
    with pytest.raises(ValueError, match="with a weight"):
        Draws(b"s" * 32, "m")(0, nothing)
