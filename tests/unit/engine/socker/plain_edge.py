"""The edge limit (RULINGS 2.6) once more, in sets and recursion, written for clarity alone.

A second reading to hold the kernel against. It looks at every line to its end, so positions for it
must leave the mover few choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

Cell = tuple[int, int]
"""(column, row), both from 1, as the rulings count."""

SIDE_COLUMNS = (1, 9)
GOAL_ROWS = (1, 11)
NEIGHBOURS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
INFINITE = 99


@dataclass(frozen=True)
class Position:
    """`standing` and `lying` are the mover's, `others` the other seat's sockers."""

    standing: frozenset[Cell]
    lying: frozenset[Cell]
    others: frozenset[Cell]
    ball: Cell
    left: int
    into_goal: bool = False

    @property
    def taken(self) -> frozenset[Cell]:
        return self.standing | self.lying | self.others | {self.ball}

    @property
    def count(self) -> int:
        return sum(
            column in SIDE_COLUMNS or row in GOAL_ROWS for column, row in self.standing | self.lying
        )


Goal = Literal["goal"]
Choice = tuple[Literal["mover", "other"], list["Position | Goal"]]
"""Who picks, and what may come of it; a plain result is the mover's only one."""


def on_board(cell: Cell) -> bool:
    return 1 <= cell[0] <= 9 and 1 <= cell[1] <= 11


def actions(position: Position) -> Iterator[tuple[str, Choice]]:
    """Each physical action by its text, with what comes of it."""
    then = replace(position, left=position.left - 1)
    for socker in sorted(position.standing):
        for step in NEIGHBOURS:
            to = (socker[0] + step[0], socker[1] + step[1])
            beyond = (to[0] + step[0], to[1] + step[1])
            if not on_board(to):
                continue
            names = f"{name(socker)}{{}}{name(to)}"
            if to not in position.taken:
                moved = position.standing - {socker} | {to}
                yield names.format("-"), ("mover", [replace(then, standing=moved)])
            elif not on_board(beyond) or beyond in position.taken:
                continue
            elif to == position.ball:
                yield names.format("*"), kicked(then, beyond)
            elif to in position.others:
                pushed = position.others - {to} | {beyond}
                yield names.format("x"), ("mover", [replace(then, others=pushed)])


def kicked(then: Position, cell: Cell) -> Choice:
    if cell[1] in GOAL_ROWS:
        return "mover", ["goal"]
    if cell[0] not in SIDE_COLUMNS:
        return "mover", [replace(then, ball=cell)]
    centre = (5, cell[1])
    sockers = then.standing | then.lying | then.others
    if centre not in sockers:
        return "mover", [replace(then, ball=centre)]
    owner: Literal["mover", "other"] = "other" if centre in then.others else "mover"
    free = [
        (column, row)
        for column in range(2, 9)
        for row in range(1, 12)
        if (column, row) not in sockers
    ]
    direct = [
        cell
        for cell in free
        if distance(cell, centre) == 1 and (cell[1] not in GOAL_ROWS or then.into_goal)
    ]
    if not direct:
        field = [cell for cell in free if cell[1] not in GOAL_ROWS]
        nearest = min(distance(cell, centre) for cell in field)
        direct = [cell for cell in field if distance(cell, centre) == nearest]
    return owner, ["goal" if c[1] in GOAL_ROWS else replace(then, ball=c) for c in direct]


def distance(one: Cell, two: Cell) -> int:
    return max(abs(one[0] - two[0]), abs(one[1] - two[1]))


def name(cell: Cell) -> str:
    return f"{'abcdefghi'[cell[0] - 1]}{cell[1]}"


def smallest_end(choice: Choice) -> int:
    """The smallest count the mover can be sure of at an end without a goal."""
    owner, results = choice
    best = min if owner == "mover" else max
    return best(INFINITE if r == "goal" else smallest_from(r) for r in results)


def smallest_from(position: Position) -> int:
    """The same, where the turn may end at once."""
    ends = [position.count]
    if position.left > 0:
        ends += [smallest_end(choice) for _, choice in actions(position)]
    return min(ends)


def limit(position: Position) -> int | None:
    """The limit of a turn that starts here; None for none. There must be an action."""
    smallest = min(smallest_end(choice) for _, choice in actions(position))
    return None if smallest == INFINITE else max(3, smallest)


def fine(choice: Choice, bound: int | None) -> bool:
    """Whether the turn can surely be brought to a legal end or a goal."""
    owner, results = choice
    enough = any if owner == "mover" else all
    return enough(r == "goal" or can_end(r, bound) for r in results)


def can_end(position: Position, bound: int | None) -> bool:
    if bound is None or position.count <= bound:
        return True
    return position.left > 0 and any(fine(choice, bound) for _, choice in actions(position))


def legal(position: Position, bound: int | None) -> set[str]:
    """The texts of the moves, kicks and socks that the limit leaves."""
    return {text for text, choice in actions(position) if fine(choice, bound)}
