"""RULINGS 2.6 on generated positions: the kernel against a plain second reading."""

from __future__ import annotations

from random import Random

import pytest

from services.engine.games.socker import RULESET
from tests.unit.engine.socker import plain_edge
from tests.unit.engine.socker.plain_edge import Cell, Position
from tests.unit.engine.socker.table import board, edge_limit, legal, parse

EDGE = [
    (column, row)
    for column in range(1, 10)
    for row in range(1, 12)
    if column in plain_edge.SIDE_COLUMNS or row in plain_edge.GOAL_ROWS
]
FIELD = [(column, row) for column in range(2, 9) for row in range(2, 11)]

pytestmark = pytest.mark.ruling("2.6")


def position(rng: Random, left: int) -> Position:
    """A crowd at one spot of the edge, and mostly lying sockers elsewhere on it."""
    near = rng.choice(EDGE)
    reach = rng.choice([1, 2, 2, 3])
    close = [cell for cell in [*EDGE, *FIELD] if plain_edge.distance(cell, near) <= reach]
    taken: set[Cell] = set()

    def draw(cells: list[Cell], count: int) -> frozenset[Cell]:
        free = [cell for cell in cells if cell not in taken]
        drawn = frozenset(rng.sample(free, min(count, len(free))))
        taken.update(drawn)
        return drawn

    (ball,) = draw([cell for cell in close if cell in FIELD], 1)
    if rng.random() < 0.3:  # often somebody stands where the ball is re-centred
        middle = draw([(5, ball[1]), (5, near[1])] if 2 <= near[1] <= 10 else [(5, ball[1])], 1)
    else:
        middle = frozenset()
    standing = draw(
        [cell for cell in close if cell in EDGE] if rng.random() < 0.6 else close,
        rng.choice([1, 1, 2]),
    )
    own = len(standing)
    mine = rng.random() < 0.5
    lying = draw(EDGE if rng.random() < 0.8 else [*EDGE, *close], rng.randint(4, 5) - own)
    if mine:
        lying |= frozenset(list(middle)[: 5 - own - len(lying)])
        middle -= lying
    others = draw(close, rng.randint(2, 5) - len(middle)) | middle
    return Position(standing, lying, others, ball, left, rng.random() < 0.3)


def text(position: Position, seat: str, used: int) -> str:
    names = [
        " ".join(plain_edge.name(cell) for cell in cells)
        for cells in (position.standing, position.lying, position.others)
    ]
    sides = dict(zip(("S", "s", "N") if seat == "south" else ("N", "n", "S"), names, strict=True))
    where = board(**sides, ball=plain_edge.name(position.ball))
    return f"{where} {seat}:{used}/{used + position.left}"


@pytest.mark.parametrize("seed", range(12))
def test_limit_and_legal_actions_agree(seed: int) -> None:
    rng = Random(f"edge limit {seed}")
    found: dict[str, int] = {}
    for _ in range(60):
        here = position(rng, left=rng.choice([1, 2, 2, 3]))
        if not any(plain_edge.actions(here)):
            continue
        bound = plain_edge.limit(here)
        starts = here.left == 3
        seat = rng.choice(["south", "north"])
        body = text(here, seat, 0 if starts else 3 - here.left)
        if not starts:
            if not plain_edge.can_end(here, 3):
                continue
            bound = 3
        option = "recentre_into_goal=true " if here.into_goal else ""
        state = parse(body, option)
        assert edge_limit(state) == bound, body
        expected = plain_edge.legal(here, bound)
        if not starts and here.count <= 3:
            expected.add("end")
        assert legal(state) == expected, RULESET.format_state(state)
        kind = f"limit {bound}" if bound != 3 else "free" if here.count <= 3 else "above"
        found[kind] = found.get(kind, 0) + 1
    assert found.get("above", 0) > 3, found


def cells(names: str) -> frozenset[Cell]:
    return frozenset(("abcdefghi".index(name[0]) + 1, int(name[1:])) for name in names.split())


@pytest.mark.parametrize(
    ("standing", "lying", "others", "ball", "bound"),
    [
        ("e3", "a3 a6 i4 d1", "", "e2", 4),
        ("i11", "h11 i9 a3 a6", "g8 g9 h9 g10", "h10", 5),
        ("a3", "a2 a4 b3 b4", "", "b2", None),
    ],
)
def test_rare_limits(standing: str, lying: str, others: str, ball: str, bound: int | None) -> None:
    (at,) = cells(ball)
    here = Position(cells(standing), cells(lying), cells(others), at, 3)
    assert plain_edge.limit(here) == bound
    assert edge_limit(parse(text(here, "south", 0))) == bound
