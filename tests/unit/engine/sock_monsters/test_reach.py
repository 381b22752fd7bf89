"""RULINGS 1.5, 1.6, 1.12 and 1.19 against walking every path cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.engine.sock_monsters.table import Things, legal, phase, play, position

CELLS = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]
LAIRS = {"a1", "f1", "f6", "a6"}
SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
AROUND = [*SIDES, (1, 1), (1, -1), (-1, 1), (-1, -1)]

ROOMS = [cell for cell in CELLS if cell not in LAIRS]


def step(cell: str, direction: tuple[int, int]) -> str | None:
    column, row = ord(cell[0]) + direction[0], int(cell[1]) + direction[1]
    there = f"{chr(column)}{row}"
    return there if there in CELLS else None


def ends(
    start: str, directions: list[tuple[int, int]], steps: int, free: Callable[[str], bool]
) -> Iterator[str]:
    """The last cells of all paths of 1 to `steps` steps over free cells."""
    for direction in directions:
        there = step(start, direction)
        if there is not None and free(there):
            yield there
            if steps > 1:
                yield from ends(there, directions, steps - 1, free)


@st.composite
def monster_and_others(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Four monsters, the red one first, and four pawns."""
    red = draw(st.sampled_from(CELLS))
    pawns = draw(st.permutations([cell for cell in ROOMS if cell != red]))[:4]
    others = draw(st.permutations([cell for cell in CELLS if cell not in (red, *pawns)]))[:3]
    return [red, *others], pawns


@st.composite
def pawn_in_a_crowd(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Four monsters and four pawns, of whom the first often has many figures around it."""
    start = draw(st.sampled_from(ROOMS))
    beside = draw(st.permutations(sorted(ends(start, AROUND, 1, lambda _: True))))
    crowd = beside[: draw(st.integers(0, 7))]
    away = draw(st.permutations([cell for cell in CELLS if cell not in (start, *beside)]))
    # Lairs first, so that they go to monsters.
    others = sorted([*crowd, *away][:7], key=lambda cell: cell not in LAIRS)
    return others[:4], [start, *others[4:]]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(monster_and_others())
@pytest.mark.ruling("1.12")
@pytest.mark.ruling("1.19")
def test_monsters_go_where_a_path_leads(figures: tuple[list[str], list[str]]) -> None:
    monsters, pawns = figures

    def free(cell: str) -> bool:
        return cell not in monsters and cell not in pawns

    for options, paths in (
        ("", set(ends(monsters[0], SIDES, 3, free))),
        (
            "edition=german",
            {end for side in SIDES for end in ends(monsters[0], [side], 3, free)},
        ),
    ):
        things: Things = {
            "options": options,
            "monsters": " ".join(monsters),
            "pawns": " ".join(pawns),
        }
        rolled = play(position("roll", **things), "roll:red")
        assert phase(rolled) == ("move red 0" if paths else "pawn")
        assert legal(rolled, "move") == paths


@settings(max_examples=80, deadline=None, derandomize=True)
@given(pawn_in_a_crowd())
@pytest.mark.ruling("1.5")
@pytest.mark.ruling("1.6")
def test_pawns_go_where_a_path_leads(figures: tuple[list[str], list[str]]) -> None:
    monsters, pawns = figures
    start, *others = pawns

    def free(cell: str) -> bool:
        return cell not in monsters and cell not in others and cell not in LAIRS

    if any(ends(start, AROUND, 1, free)):
        paths = set(ends(start, AROUND, 3, free))
    else:  # enclosed
        crossed = ends(start, AROUND, 3, lambda cell: cell not in LAIRS)
        paths = {cell for cell in crossed if free(cell)}
    state = position("pawn", monsters=" ".join(monsters), pawns=" ".join(pawns))
    assert legal(state, "pawn") == paths | {start}
