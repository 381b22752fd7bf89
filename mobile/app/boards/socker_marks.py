"""What lies on the pitch beside the sockers: lights, arrows, and the thread of the last turn."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from app.boards.pitch import Layout
from app.boards.shapes import Drawn, Point, Seam, arc, curve, disc, felt, oval, stitches, thread
from app.boards.socker_pieces import wool
from app.model.socker import Kind, Side
from app.model.socker_touch import Hand
from app.model.socker_trace import Trace
from app.theme import DARK, WOOL, WOOL_SHADE, Rgba, faded, mix, theme


def ground_marks(layout: Layout, hand: Hand) -> Drawn:
    """Lights under the sockers: who can act, who is picked up, where one can go."""
    drawn: Drawn = []
    cell = layout.cell
    if hand.picked is None:
        for where in sorted(hand.actors):
            drawn += _base_ring(layout.middle(where), cell, faded(theme.accent, 0.75))
    else:
        x, y = layout.middle(hand.picked)
        drawn += disc(x, y - cell * 0.06, cell * 1.04, faded(theme.accent, 0.35))
        drawn += _base_ring((x, y), cell, theme.accent)
    for act in hand.lit:
        if act.target is not None and act.kind in (Kind.MOVE, Kind.PLACE, Kind.RECENTRE):
            x, y = layout.middle(act.target)
            if act.kind is not Kind.PLACE or hand.proposed:  # Half the pitch would glow.
                drawn += disc(x, y, cell * 0.78, faded(theme.accent, 0.24))
            drawn += disc(x, y, cell * 0.3, mix(theme.accent, DARK, 0.3))
            drawn += disc(x, y, cell * 0.25, theme.accent)
    return drawn


def arrows(layout: Layout, hand: Hand) -> Drawn:
    """Over the sockers: an arrow for each kick and each sock of the socker picked up."""
    drawn: Drawn = []
    cell = layout.cell
    for act in hand.lit:
        if act.target is not None and hand.proposed is not None:
            drawn += _ring(layout.middle(act.target), cell, theme.accent)
            if act.kind is Kind.MOVE and act.origin is not None:
                way = layout.middle(act.origin), layout.middle(act.target)
                drawn += _arrow(*way, cell, theme.accent)
        if act.kind not in (Kind.KICK, Kind.SOCK) or act.target is None or act.lands is None:
            continue
        colour = theme.accent if act.kind is Kind.KICK else theme.warn
        start, end = layout.middle(act.target), layout.middle(act.lands)
        drawn += _ring(start, cell, colour)
        drawn += _arrow(start, end, cell, colour)
    return drawn


def trace_marks(layout: Layout, trace: Trace) -> Drawn:
    """The last turn: a line of stitches for each step, a thread of wool behind the ball."""
    drawn: Drawn = []
    cell = layout.cell
    colour, _ = wool(Side(trace.seat)) if trace.seat in (0, 1) else (theme.felt_line, None)
    for start, end in trace.steps:
        drawn += stitches(
            [layout.middle(start), layout.middle(end)],
            faded(mix(colour, WOOL, 0.35), 0.8),
            Seam(max(2.0, cell * 0.055), cell * 0.13, cell * 0.09),
            closed=False,
        )
        x, y = layout.middle(start)
        drawn += disc(x, y, cell * 0.16, faded(mix(colour, WOOL, 0.35), 0.8))
    if len(trace.thread) > 1:
        line = _wavy([layout.middle(where) for where in trace.thread], cell)
        drawn += thread([(x + 1, y - 2) for x, y in line], theme.shade, cell * 0.05)
        drawn += thread(line, WOOL_SHADE, cell * 0.05)
        drawn += thread(line, WOOL, cell * 0.03)
        x, y = layout.middle(trace.thread[0])
        drawn += thread(arc(x, y, cell * 0.3, cell * 0.22, 40, 380), WOOL, cell * 0.03)
    return drawn


def _ring(middle: Point, cell: float, colour: Rgba) -> Drawn:
    """A seam around what stands on a cell."""
    return stitches(
        [p for a in range(0, 360, 60) for p in arc(*middle, cell * 0.92, cell * 0.92, a, a + 60)],
        colour,
        Seam(max(2.0, cell * 0.06), cell * 0.22, cell * 0.1),
    )


def _base_ring(middle: Point, cell: float, colour: Rgba) -> Drawn:
    x, y = middle
    return stitches(
        oval(x, y - cell * 0.32, cell * 0.92, cell * 0.4),
        colour,
        Seam(max(2.0, cell * 0.06), cell * 0.16, cell * 0.08),
    )


def _arrow(start: Point, end: Point, cell: float, colour: Rgba) -> Drawn:
    """A felt arrow from beside `start` to the middle of `end`."""
    length = math.dist(start, end)
    ahead = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    left = (-ahead[1], ahead[0])
    tip, neck, tail = length + cell * 0.16, length - cell * 0.16, cell * 0.42
    corners = [
        (tail, 0.075),
        (neck, 0.075),
        (neck, 0.2),
        (tip, 0.0),
        (neck, -0.2),
        (neck, -0.075),
        (tail, -0.075),
    ]

    def outline(grow: float) -> list[Point]:
        return [
            (
                start[0] + ahead[0] * along + left[0] * (side * cell + math.copysign(grow, side)),
                start[1] + ahead[1] * along + left[1] * (side * cell + math.copysign(grow, side)),
            )
            for along, side in corners
        ]

    drawn: Drawn = []
    for grow, shade in ((max(1.0, cell * 0.02), mix(colour, DARK, 0.55)), (0.0, colour)):
        points = outline(grow)
        drawn += felt([points[0], points[1], points[5], points[6]], shade)
        drawn += felt([points[2], points[3], points[4]], shade)
    return drawn


def _wavy(points: Sequence[Point], cell: float) -> list[Point]:
    """The points joined by a line that never lies quite straight."""
    found: list[Point] = []
    for i, (start, end) in enumerate(itertools.pairwise(points)):
        length = math.dist(start, end) or 1.0
        left = ((start[1] - end[1]) / length, (end[0] - start[0]) / length)
        for step in range(4):
            share = step / 4
            sway = math.sin((share + i) * math.pi * 2) * cell * 0.09
            found.append(
                (
                    start[0] + (end[0] - start[0]) * share + left[0] * sway,
                    start[1] + (end[1] - start[1]) * share + left[1] * sway,
                )
            )
    return curve([*found, points[-1]], 5, closed=False)
