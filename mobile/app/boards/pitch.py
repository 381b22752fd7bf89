"""The Socker pitch: felt, side strips of linen, goal rows in the colours of their owners."""

from __future__ import annotations

from dataclasses import dataclass

from kivy.graphics import Color, Line, Rectangle

from app.boards.shapes import Drawn, Point, Seam, disc, felt, flat, grain, oval, rounded, stitches
from app.model.socker import COLUMNS, ROWS, Cell, is_goal, is_side
from app.theme import CREAM, DARK, Rgba, faded, mix, theme


@dataclass(frozen=True, slots=True)
class Layout:
    """Where cells are on the screen.

    Upright, row 1 is at the bottom; `sideways` lays the pitch down, row 1 to the left, for wide
    screens; `flipped` turns it by half a turn, so that North looks up the pitch as well.
    """

    left: float
    bottom: float
    cell: float
    sideways: bool = False
    flipped: bool = False

    @staticmethod
    def fit(
        x: float,
        y: float,
        width: float,
        height: float,
        flipped: bool,
        sideways: bool | None = None,
    ) -> Layout:
        """The layout with the largest cells; upright unless lying gives a sixth more, or as it is
        asked for."""
        upright = min(width / COLUMNS, height / ROWS)
        lying = min(width / ROWS, height / COLUMNS)
        sideways = lying > upright * 7 / 6 if sideways is None else sideways
        cell = max(1.0, lying if sideways else upright)
        across, up = (ROWS, COLUMNS) if sideways else (COLUMNS, ROWS)
        return Layout(
            left=x + (width - cell * across) / 2,
            bottom=y + (height - cell * up) / 2,
            cell=cell,
            sideways=sideways,
            flipped=flipped,
        )

    @property
    def size(self) -> Point:
        """Width and height of the pitch in pixels."""
        across, up = (ROWS, COLUMNS) if self.sideways else (COLUMNS, ROWS)
        return (self.cell * across, self.cell * up)

    @property
    def drawn(self) -> tuple[float, float, float, float]:
        """x, y, width and height of the pitch in pixels."""
        return (self.left, self.bottom, *self.size)

    def point(self, column: float, row: float) -> Point:
        """The pixel of a place in cells; (0, 0) is a1's outer corner."""
        if self.flipped:
            column, row = COLUMNS - column, ROWS - row
        across, up = (row, COLUMNS - column) if self.sideways else (column, row)
        return (self.left + across * self.cell, self.bottom + up * self.cell)

    def middle(self, cell: Cell) -> Point:
        """The pixel in the middle of a cell."""
        return self.point(cell[0] + 0.5, cell[1] + 0.5)

    def place(self, x: float, y: float) -> Point:
        """The place in cells under a pixel: (column, row)."""
        across, up = (x - self.left) / self.cell, (y - self.bottom) / self.cell
        column, row = (COLUMNS - up, across) if self.sideways else (across, up)
        return (COLUMNS - column, ROWS - row) if self.flipped else (column, row)

    def box(self, column: float, row: float, columns: float, rows: float) -> tuple[float, ...]:
        """x, y, width, height of a block of cells."""
        one, other = self.point(column, row), self.point(column + columns, row + rows)
        x, y = min(one[0], other[0]), min(one[1], other[1])
        return (x, y, abs(one[0] - other[0]), abs(one[1] - other[1]))


def pitch(layout: Layout) -> Drawn:
    """Everything under the sockers."""
    x, y, width, height = layout.box(0, 0, COLUMNS, ROWS)
    cell = layout.cell
    pad = cell * 0.1
    cloth = rounded(x - pad, y - pad, width + 2 * pad, height + 2 * pad, cell * 0.4)
    drawn = felt([(px + pad * 0.4, py - pad * 0.7) for px, py in cloth], theme.shade, 2)
    drawn += felt(cloth, mix(theme.felt, DARK, 0.35), 1.5)
    for column in range(COLUMNS):
        for row in range(ROWS):
            cx, cy, w, h = layout.box(column, row, 1, 1)
            drawn += [Color(*_cell_colour((column, row))), Rectangle(pos=(cx, cy), size=(w, h))]
    drawn += _nets(layout)
    drawn += grain(x, y, width, height, cell * 2.2, 1.0)
    drawn += _lines(layout)
    return drawn


def _cell_colour(cell: Cell) -> Rgba:
    odd = (cell[0] + cell[1]) % 2
    if is_goal(cell):
        owner = theme.wool_south_deep if cell[1] == 0 else theme.wool_north_deep
        base = mix(theme.felt, owner, 0.62)
        return mix(base, CREAM, 0.05) if odd else base
    if is_side(cell):
        return mix(theme.linen, theme.linen_line, 0.3) if odd else theme.linen
    colour: Rgba = theme.felt_other if odd else theme.felt
    return colour


def _nets(layout: Layout) -> Drawn:
    """The goal rows' nets: thin crossed threads."""
    drawn: Drawn = [Color(*faded(CREAM, 0.16))]
    for row in (0, ROWS - 1):
        for i in range(COLUMNS * 2):
            column = i / 2
            for ends in (
                ((column, row), (column + 0.5, row + 1)),
                ((column + 0.5, row), (column, row + 1)),
            ):
                points = flat(layout.point(*end) for end in ends)
                drawn.append(Line(points=points, width=1.0))
    return drawn


def _lines(layout: Layout) -> Drawn:
    """The chalk, sewn: side lines, goal lines, middle line and circle."""
    cell = layout.cell
    seam = Seam(max(1.5, cell * 0.04), cell * 0.2, cell * 0.1)
    colour = faded(theme.felt_line, 0.85)
    inner = [layout.point(*corner) for corner in ((1, 1), (8, 1), (8, 10), (1, 10))]
    drawn = stitches(inner, colour, seam)
    half = [layout.point(1, ROWS / 2), layout.point(COLUMNS - 1, ROWS / 2)]
    drawn += stitches(half, faded(colour, 0.4), seam, closed=False)
    centre = layout.point(COLUMNS / 2, ROWS / 2)
    ring = oval(*centre, cell * 3, cell * 3)
    drawn += stitches(ring, faded(colour, 0.4), seam)
    for row in (0, ROWS):
        goal = [layout.point(0, row), layout.point(COLUMNS, row)]
        drawn += stitches(goal, faded(CREAM, 0.4), seam, closed=False)
    drawn += disc(*centre, cell * 0.16, faded(colour, 0.4))
    return drawn
