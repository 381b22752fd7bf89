"""What a search says about a decision, for hints and reviews."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from services.engine.agents import Analysis, Budget, analyse, tree
from services.engine.agents.hide_and_seek_deals import Deals
from services.engine.core import CHANCE
from services.engine.core.registry import game_names
from services.engine.games.hide_and_seek import layout as at
from services.engine.games.hide_and_seek.deals import unseen_kinds
from tests.conformance.shelf import PLAIN, Variant, samples
from tests.unit.engine.sock_monsters.table import position


def weigh(variant: Variant, state: Any, iterations: int, also: tuple[Any, ...] = ()) -> Analysis:
    rules = variant.rules
    seat = rules.actor(state)
    assert seat is not None
    return analyse(
        rules,
        rules.information(state, seat),
        Budget(None, iterations),
        Random(2),
        lambda: False,
        lambda: 0.0,
        also,
    )


def decisions(variant: Variant, number: int) -> list[Any]:
    rules = variant.rules
    return [s for s in samples(variant, number) if rules.actor(s) not in (None, CHANCE)]


@pytest.mark.parametrize("variant", PLAIN, ids=str)
def test_all_legal_actions_are_weighed_the_best_first(variant: Variant) -> None:
    rules = variant.rules
    for state in decisions(variant, 16):
        legal = rules.legal_actions(state)
        found = weigh(variant, state, 20, also=(legal[-1],))
        assert sorted(each.action for each in found.weighed) == sorted(legal)
        assert found.seat == rules.actor(state)
        assert found.iterations >= (variant.game != "socker")  # which places its sockers by heart
        for each in found.weighed:
            assert (each.visits > 0) == (each.results != ())
            if each.results:
                assert len(each.results) == variant.seats
                assert all(0 <= result <= 1 for result in each.results)
        assert found.of(found.best) == found.weighed[0]


@pytest.mark.parametrize("game", ["sock_monsters", "hide_and_seek"])
def test_what_it_is_asked_about_is_tried(game: str) -> None:
    variant = Variant(game, 2)
    for state in decisions(variant, 24):
        legal = variant.rules.legal_actions(state)
        found = weigh(variant, state, 8 + 4 * len(legal), also=legal)
        assert all(each.visits > 0 for each in found.weighed)


@pytest.mark.parametrize("game", game_names())
def test_it_stops_soon_after_it_is_told(game: str) -> None:
    """Asked every 32 iterations at least; Socker then finishes the line that it is widening, of 40
    positions at most, and looks at six ends."""
    variant = Variant(game, 2)
    rules = variant.rules
    for state in decisions(variant, 12)[-4:]:
        seat = rules.actor(state)
        assert seat is not None
        found = analyse(
            rules,
            rules.information(state, seat),
            Budget(None, None),
            Random(1),
            lambda: True,
            lambda: 0.0,
        )
        assert rules.is_legal(state, found.best)
        assert found.iterations <= 32 + 40 + 6


def test_a_win_is_worth_the_whole() -> None:
    state = position("act 0", pawns="b1 d4", socks="r g", pairs="yy,bb -", lairs="ryg - - -")
    variant = Variant("sock_monsters", 2)
    found = weigh(variant, state, 60)
    assert variant.rules.format_action(found.best) == "lair:red:red"
    assert found.results == (1.0, 0.0)


def test_a_tree_without_room_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "NODES_MOST", 2)
    monkeypatch.setattr(tree, "ARMS_MOST", 3)
    monkeypatch.setattr(tree, "LINKS_MOST", 1)
    for game in ("sock_monsters", "hide_and_seek"):
        variant = Variant(game, 2)
        for state in decisions(variant, 24):
            assert variant.rules.is_legal(state, weigh(variant, state, 60).best)


# --- faces dealt for a search ---------------------------------------------------------------------


def all_faces(known: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    """Every way to lay the unseen cards on the unknown cells so that the right sides show: hidden
    faces by cell, with the number of labelled ways (RULINGS 3.9), by trying them all.
    """
    cells = unknown_cells(known)
    cards = [
        (at.LOW_OF[kind], at.HIGH_OF[kind])
        for kind, copies in enumerate(unseen_kinds(known))
        for _ in range(copies)
    ]
    assert len(cards) == len(cells)
    ways: Counter[tuple[int, ...]] = Counter()
    for order in permutations(cards):
        for turned in product((0, 1), repeat=len(cards)):
            sides = [(c[t], c[1 - t]) for c, t in zip(order, turned, strict=True)]
            if all(
                shown == known[at.SHOWN + cell]
                for (shown, _), cell in zip(sides, cells, strict=True)
            ):
                ways[tuple(hidden for _, hidden in sides)] += 1
    return ways


def unknown_cells(known: tuple[int, ...]) -> list[int]:
    return [
        c for c in range(at.CELLS) if known[at.SHOWN + c] < at.CANDY and not known[at.KNOWN + c]
    ]


def test_faces_are_dealt_by_their_exact_chances() -> None:
    variant = Variant("hide_and_seek", 2, (("types", 3),))
    tried = 0
    for state in decisions(variant, 80):
        known = variant.rules.information(state, 0).buffer
        cells = unknown_cells(known)
        if not 3 <= len(cells) <= 5:
            continue
        ways, draws = all_faces(known), 4_000
        deal, seen = Deals(known, Random(3)), Counter[tuple[int, ...]]()
        for _ in range(draws):
            words = deal()
            seen[tuple(int(words[at.HIDDEN + cell]) for cell in cells)] += 1
        assert {*seen} <= {*ways}
        for faces, number in ways.items():
            chance = number / ways.total()
            spread = (chance * (1 - chance) / draws) ** 0.5
            assert abs(seen[faces] / draws - chance) <= 6 * spread
        tried += 1
        if tried == 3:
            break
    assert tried == 3
