"""Pairs of matches that differ in one seat's secrets look the same to that seat."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from services.matchmaking.push.fcm import body_of
from services.matchmaking.push.senders import Message
from services.rules.match import MatchEvent
from tests.crosscheck.variants import Variant
from tests.leakcheck.compare import compare
from tests.leakcheck.pairs import SECRET, make_pair

PAIRS, PAIRS_LONG = 3, 29
"""Of each variant: 21 and 203 in all."""

variants = pytest.mark.parametrize("variant", SECRET, ids=lambda variant: variant.name)


@variants
@pytest.mark.field(3)
@pytest.mark.parametrize("seed", range(PAIRS))
async def test_nothing_tells_the_matches_of_a_pair_apart(
    tmp_path: Path, variant: Variant, seed: int
) -> None:
    assert await compare(make_pair(variant, seed), tmp_path) > 0


@variants
@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(PAIRS, PAIRS_LONG))
async def test_nothing_tells_many_pairs_apart(tmp_path: Path, variant: Variant, seed: int) -> None:
    assert await compare(make_pair(variant, seed), tmp_path) > 0


async def test_a_leak_planted_in_a_push_is_found(tmp_path: Path) -> None:
    pairs = (make_pair(SECRET[0], seed) for seed in itertools.count())
    pair = next(pair for pair in pairs if pair.viewer in dict(pair.steps(pair.one)))
    told = itertools.count()

    def with_more(message: Message) -> dict[str, Any]:
        return body_of(message) | {"notification": {"body": f"hint {next(told)}"}}

    with (
        mock.patch("services.matchmaking.push.fcm.body_of", with_more),
        pytest.raises(AssertionError) as why,
    ):
        await compare(pair, tmp_path)
    assert "push to Firebase" in str(why.value)


async def test_a_planted_leak_is_found(tmp_path: Path) -> None:
    def everything(event: MatchEvent, _seats: object) -> str:
        return event.action

    pair = make_pair(SECRET[0], 0)
    with mock.patch.object(MatchEvent, "seen_by", everything), pytest.raises(AssertionError) as why:
        await compare(pair, tmp_path)
    assert "deal:" in str(why.value)
