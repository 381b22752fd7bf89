"""Pairs of matches that differ in one seat's secrets look the same to that seat."""

from __future__ import annotations

import itertools
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from oddsocks.rules.v1 import advice_internal_service_pb2 as pb
from services.matchmaking.push.fcm import body_of
from services.matchmaking.push.senders import Message
from services.rules.advice_servicer import AdviceServicer
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


async def test_a_hint_from_more_than_the_seat_knows_is_found(tmp_path: Path) -> None:
    async def everything(
        self: AdviceServicer, request: pb.GetKnowledgeRequest, _context: object
    ) -> pb.GetKnowledgeResponse:
        info = await self.matches.info(request.match_id)
        assert info is not None
        position = await self.matches.current(info)
        for seat in range(len(info.seats)):  # the knowledge of another seat will do
            if seat != request.seat:
                known = info.ruleset.information(position.state, seat)
                text = info.ruleset.format_information(known)
                return pb.GetKnowledgeResponse(game=info.ruleset.game, information=text)
        raise AssertionError

    pair = next(one for one in map(partial(make_pair, SECRET[0]), range(50)) if one.viewer >= 0)
    patched = mock.patch.object(AdviceServicer, "GetKnowledge", everything)
    with patched, pytest.raises(AssertionError) as why:
        await compare(pair, tmp_path)
    assert "SuggestAction" in str(why.value)
