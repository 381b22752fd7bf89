"""Socker in lines of text, for terminals."""

from __future__ import annotations

from services.engine.core import CHANCE
from services.engine.core.notation import cell_name
from services.engine.games.socker.actions import SEATS, to_cell
from services.engine.games.socker.board import sign_of
from services.engine.games.socker.layout import COLUMNS, IS_EDGE, IS_GOAL, ROWS
from services.engine.games.socker.view import Observation

_LETTERS = "    a b c d e f g h i"


def draw(seen: Observation) -> str:
    """The board (`=` goal rows, `:` out of bounds, `.` field) and the state of the match."""
    signs = {socker.cell: sign_of(socker) for socker in seen.sockers}
    if seen.ball is not None:
        signs[seen.ball] = "o"
    lines = [_LETTERS]
    for row in reversed(range(ROWS)):
        cells = []
        for column in range(COLUMNS):
            number = row * COLUMNS + column
            ground = "=" if IS_GOAL[number] else ":" if IS_EDGE[number] else "."
            cells.append(signs.get(to_cell(number), ground))
        lines.append(f"{row + 1:>2}  {' '.join(cells)}  {row + 1}")
    return "\n".join([*lines, _LETTERS, "", *_status(seen)])


def _status(seen: Observation) -> list[str]:
    lines = [
        f"goals {seen.goals[0]}-{seen.goals[1]}, turns {seen.turns[0]}-{seen.turns[1]}"
        + (", sudden death" if seen.sudden else "")
    ]
    outcome = seen.outcome
    if outcome is not None:
        winner = SEATS[outcome.winners[0]] + " wins" if outcome.winners else "nobody wins"
        return [*lines, f"over ({outcome.reason}): {winner}"]
    if seen.actor == CHANCE or seen.actor is None:
        return [*lines, "toss to see who places and moves first"]
    actor = SEATS[seen.actor]
    if seen.stage == "setup":
        placed = sum(socker.seat == seen.actor for socker in seen.sockers)
        return [*lines, f"{actor} places socker {placed + 1} of {seen.sockers_each}"]
    if seen.pick is not None:
        lines.append(f"{actor} picks where the ball goes near {cell_name(*seen.pick)}")
    else:
        lines.append(f"{actor} to act, action {seen.used + 1} of {seen.allowed}")
    if seen.edge_limit != 3:
        limit = "any number" if seen.edge_limit is None else f"{seen.edge_limit}"
        lines.append(f"{limit} of {SEATS[seen.mover or 0]}'s sockers may end on the edge this turn")
    return lines
