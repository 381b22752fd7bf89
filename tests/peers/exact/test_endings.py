"""Last turns of Sock Monsters beside the rules followed action by action."""

from __future__ import annotations

from itertools import islice

import pytest

from services.engine.games.sock_monsters import layout as k
from tests.peers.exact import comparing, endings


@pytest.mark.ruling("1.11")
@pytest.mark.ruling("1.13")
def test_worths_are_those_of_following_the_rules_to_the_end() -> None:
    positions = [*islice(comparing.small_endings(), 3)]
    assert {k.P_PAWN, k.P_ACT} & {each.data[k.PHASE] for each in positions}
    assert {k.P_MOVE, k.P_OPEN} & {each.data[k.PHASE] for each in positions}
    assert max(map(comparing.difference_in_ending, positions)) < 1e-9


def test_in_an_ending_nothing_is_hidden_but_chance() -> None:
    ending = next(comparing.small_endings())
    for seat in (0, 1):
        known = endings.RULES.information(ending, seat)
        assert all(tile.type is not None for tile in known.tiles)


def test_turns_left_are_counted_down_to_the_cap() -> None:
    state = endings.RULES.initial({"round_cap": 1}, 2)
    left = []
    while (actor := endings.RULES.actor(state)) is not None:
        if state.data[k.ROUND] and actor >= 0:
            left.append(endings.turns_left(state))
        state = endings.RULES.apply(state, endings.RULES.legal_actions(state)[-1])
    assert left == sorted(left, reverse=True)
    assert {*left} == {1, 2}
