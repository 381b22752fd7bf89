"""Determinizations against enumeration: the shuffle conditioned on what a seat has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from random import Random

import pytest

from services.engine.core import SPECTATOR
from services.engine.games.sock_monsters import RULESET
from services.engine.games.sock_monsters.actions import tile_name
from services.engine.games.sock_monsters.state import State, tile_type
from tests.unit.engine.sock_monsters.table import ALL_TILES, chi_square_bound, play, position, tile

SAMPLES = 4000


def hidden_cells(cells: dict[str, str], deal: tuple[str, ...], marks: dict[str, str]) -> State:
    """A position whose `cells` are hidden with these marks, all other tiles seen by everybody."""
    named = {cell: name + marks.get(cell, "") for cell, name in zip(cells, deal, strict=True)}
    others = iter(sorted((Counter(ALL_TILES) - Counter(deal)).elements()))
    for row in range(1, 7):
        for column in "abcdef":
            cell = f"{column}{row}"
            if cell not in named and cell not in ("a1", "f1", "a6", "f6"):
                named[cell] = next(others) + "*"
    return position("roll", tiles=named)


def expected(
    tiles: tuple[str, ...], agrees: Callable[[tuple[str, ...]], bool]
) -> Counter[tuple[str, ...]]:
    """Ways to deal the labelled tiles that agree with what is seen, by what lies where."""
    deals: Counter[tuple[str, ...]] = Counter()
    for deal in permutations(range(len(tiles))):
        names = tuple(tiles[index] for index in deal)
        if agrees(names):
            deals[names] += 1
    return deals


def name_at(state: State, cell: str) -> str:
    """The tile on a cell, found without writing the whole position."""
    return tile_name(tile_type(state.data, "abcdef".index(cell[0]) + 6 * int(cell[1]) - 6))


@pytest.mark.parametrize(
    ("tiles", "marks", "viewer"),
    [
        # Both red chests, one green chest, one blue drawer: nobody has seen any of them.
        (("rc", "rc", "gc", "bd"), {}, 0),
        # Seat 1 has peeked at b1, which is a red chest; one copy is left among the others.
        (("rc", "rc", "gc", "bd", "yw"), {"b1": "1"}, 1),
        (("rc", "rc", "gc", "gc", "bd"), {"b1": "1"}, 0),
        (("rc", "rc", "gc", "gc", "bd"), {"b1": "1", "c1": "0"}, 0),
        (("rc", "gc", "gc", "bd", "bd"), {"b1": "01", "e1": "1"}, SPECTATOR),
    ],
)
def test_determinizations_are_shuffles_given_what_was_seen(
    tiles: tuple[str, ...], marks: dict[str, str], viewer: int
) -> None:
    cells = dict(zip(("b1", "c1", "d1", "e1", "a2"), tiles, strict=False))
    seen = {
        index
        for index, cell in enumerate(cells)
        if viewer != SPECTATOR and str(viewer) in marks.get(cell, "")
    }
    possible = expected(tiles, lambda deal: all(deal[i] == tiles[i] for i in seen))
    information = RULESET.information(hidden_cells(cells, tiles, marks), viewer)
    rng = Random(20)
    found: Counter[tuple[str, ...]] = Counter()
    for _ in range(SAMPLES):
        state = RULESET.determinize(information, rng)
        found[tuple(name_at(state, cell) for cell in cells)] += 1
    assert set(found) <= set(possible)
    total = sum(possible.values())
    chi_square = sum(
        (found[deal] - SAMPLES * count / total) ** 2 / (SAMPLES * count / total)
        for deal, count in possible.items()
    )
    assert chi_square < chi_square_bound(len(possible) - 1)


def test_the_bound_is_no_matter_of_course() -> None:
    """A sampler that prefers one of six deals a little fails it."""
    counts = [SAMPLES / 6 * share for share in (1.25, 0.95, 0.95, 0.95, 0.95, 0.95)]
    chi_square = sum((count - SAMPLES / 6) ** 2 / (SAMPLES / 6) for count in counts)
    assert chi_square > chi_square_bound(5)


def test_tiles_still_to_be_dealt_are_as_unknown_as_those_dealt() -> None:
    """After one tile: each type is on b1 once in 16, and the other copies wait in the shuffle."""
    state = play(RULESET.initial({}, 2), "deal:rc")
    information = RULESET.information(state, 0)
    rng = Random(3)
    found = Counter(name_at(RULESET.determinize(information, rng), "b1") for _ in range(SAMPLES))
    assert len(found) == 16
    even = SAMPLES / 16
    assert sum((n - even) ** 2 / even for n in found.values()) < chi_square_bound(15)
    other = RULESET.determinize(information, rng)
    weights = {
        RULESET.format_action(outcome.action): outcome.weight
        for outcome in RULESET.chance_outcomes(other)
    }
    assert sum(weights.values()) == 31
    assert weights[f"deal:{tile(other, 'b1')}"] == 1


def test_what_a_seat_knows_it_knows_for_good() -> None:
    state = position("open red 1", monsters="c3 f1 f6 a6", pawns="f5 e2", tiles={"c2": "yw"})
    state = play(state, "peek:c2", "pawn:f5", "pass", "roll:blue", "move:b6", "eye:closed")
    state = play(state, "pawn:c1", "lift")
    known = {t.cell: t for t in RULESET.information(state, 0).tiles if t.type is not None}
    assert set(known) == {2, 8}
    assert known[8].peekers == (0,)
    assert known[2].seen_by_all
    rng = Random(5)
    for _ in range(50):
        assert tile(RULESET.determinize(RULESET.information(state, 0), rng), "c2") == "yw0"


def test_peeks_of_others_are_known_as_such() -> None:
    """That seat 0 looked is public; that seat 0 now knows survives in what seat 1 imagines."""
    state = position("open red 1", monsters="c3 f1 f6 a6", pawns="f5 e2", tiles={"c2": "yw"})
    state = play(state, "peek:c2", "pawn:f5", "pass")
    rng = Random(6)
    types = Counter(
        tile(RULESET.determinize(RULESET.information(state, 1), rng), "c2") for _ in range(300)
    )
    assert {name[2:] for name in types} == {"0"}
    assert len(types) == 16
