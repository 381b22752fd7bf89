"""The house of Sock Monsters: where its cells are, the floor, and the four lairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.boards.shapes import (
    Drawn,
    Point,
    Seam,
    curve,
    disc,
    felt,
    grain,
    oval,
    rounded,
    stitches,
    thread,
)
from app.boards.socks import Needle, sock
from app.boards.wool import deep, seat_wool
from app.model.sock_monsters import LAIRS, SIDE, Cell, Colour, Sock
from app.theme import CREAM, DARK, faded, mix, theme

MARGIN = 0.09
"""Of the floor around the cells, in cells."""


@dataclass(frozen=True, slots=True)
class HouseLayout:
    """Where cells are on the screen; a1 is at the bottom left for everybody."""

    left: float
    bottom: float
    cell: float

    @staticmethod
    def fit(x: float, y: float, width: float, height: float) -> HouseLayout:
        """The layout with the largest cells, its margin included."""
        cell = max(1.0, min(width, height) / (SIDE + 2 * MARGIN))
        side = cell * SIDE
        return HouseLayout(x + (width - side) / 2, y + (height - side) / 2, cell)

    @property
    def drawn(self) -> tuple[float, float, float, float]:
        """x, y, width and height of the house with its margin."""
        margin, side = self.cell * MARGIN, self.cell * (SIDE + 2 * MARGIN)
        return (self.left - margin, self.bottom - margin, side, side)

    def middle(self, cell: Cell) -> Point:
        """The pixel in the middle of a cell."""
        return (self.left + (cell[0] + 0.5) * self.cell, self.bottom + (cell[1] + 0.5) * self.cell)

    def cell_at(self, x: float, y: float) -> Cell:
        """The cell under a pixel, on the board or not."""
        column, row = (x - self.left) / self.cell, (y - self.bottom) / self.cell
        return (int(column // 1), int(row // 1))

    @property
    def centre(self) -> Point:
        """The pixel in the middle of the house."""
        return (self.left + SIDE / 2 * self.cell, self.bottom + SIDE / 2 * self.cell)


def floor(layout: HouseLayout) -> Drawn:
    """Everything that never changes."""
    cell, pad = layout.cell, layout.cell * MARGIN
    x, y, side = layout.left - pad, layout.bottom - pad, cell * SIDE + 2 * pad
    outline = rounded(x, y, side, side, cell * 0.36)
    wood = mix(theme.ground, theme.linen, 0.35)
    drawn = felt([(px + pad * 0.4, py - pad * 0.8) for px, py in outline], theme.shade, 2)
    drawn += felt(outline, mix(wood, DARK, 0.45), 1.5)
    inset = pad * 0.4
    cloth = rounded(x + inset, y + inset, side - 2 * inset, side - 2 * inset, cell * 0.32)
    drawn += felt(cloth, mix(wood, DARK, 0.2), 1.0)
    drawn += grain(x + pad, y + pad, side - 2 * pad, side - 2 * pad, cell * 1.6, 0.7)
    for colour, where in LAIRS.items():
        drawn += _lair(layout, colour, where)
    return drawn


def _lair(layout: HouseLayout, colour: Colour, where: Cell) -> Drawn:
    """A den under a blanket in the monster's colour."""
    x, y = layout.middle(where)
    cell, wool = layout.cell, seat_wool(colour)
    half = cell * 0.47
    blanket = rounded(x - half, y - half, 2 * half, 2 * half, cell * 0.3)
    drawn = felt(blanket, mix(deep(wool), DARK, 0.3), 1.4)
    inner = half * 0.94
    drawn += felt(
        rounded(x - inner, y - inner, 2 * inner, 2 * inner, cell * 0.28), mix(wool, DARK, 0.5), 1.0
    )
    seam = Seam(max(1.2, cell * 0.022), cell * 0.07, cell * 0.05)
    line = rounded(x - half * 0.82, y - half * 0.82, half * 1.64, half * 1.64, cell * 0.22)
    drawn += stitches(line, mix(wool, CREAM, 0.25), seam)
    mouth = [(-0.3, -0.3), (-0.3, 0.02), (-0.16, 0.24), (0.0, 0.3), (0.16, 0.24), (0.3, 0.02)]
    cave = [(x + a * cell, y + b * cell) for a, b in curve([*mouth, (0.3, -0.3)], 4)]
    return drawn + felt(cave, mix(deep(wool), DARK, 0.62), 1.0)


def lair_socks(layout: HouseLayout, colour: Colour, socks: Sequence[Sock]) -> Drawn:
    """What lies in a lair: pegged on a line before whoever stands in it."""
    if not socks:
        return []
    x, y = layout.middle(LAIRS[colour])
    cell = layout.cell
    size = cell * 0.4
    room = cell * 0.9
    step = min(size * 0.72, (room - size * 0.7) / max(1, len(socks) - 1))
    start = x - step * (len(socks) - 1) / 2
    rope = [(x - room / 2, y - cell * 0.13), (x, y - cell * 0.17), (x + room / 2, y - cell * 0.13)]
    drawn = thread(curve(rope, 6, closed=False), CREAM, max(1.0, cell * 0.014))
    for i, kind in enumerate(socks):
        where = start + i * step
        drawn += sock(kind, Needle(where, y - cell * 0.32, size))
        drawn += disc(where - size * 0.06, y - cell * 0.155, cell * 0.05, faded(CREAM, 0.95))
    return drawn


def bag(needle: Needle) -> Drawn:
    """The laundry bag that socks are drawn from."""
    cloth = mix(theme.linen, CREAM, 0.45)
    edge = mix(cloth, DARK, 0.45)
    body = [(-0.16, 0.2), (-0.38, -0.02), (-0.44, -0.3), (-0.26, -0.46), (0.26, -0.46)]
    body += [(0.44, -0.3), (0.38, -0.02), (0.16, 0.2)]
    outline = curve(body, 5)
    drawn = felt(needle.all([(-0.16, 0.18), (-0.27, 0.46), (0.27, 0.46), (0.16, 0.18)]), edge, 1.2)
    drawn += felt(needle.all([(-0.12, 0.2), (-0.21, 0.42), (0.21, 0.42), (0.12, 0.2)]), cloth, 1.0)
    drawn += felt(needle.all(outline), edge, needle.width(0.03))
    drawn += felt(
        needle.all([(a * 0.92, (b + 0.12) * 0.92 - 0.12) for a, b in outline]), cloth, 1.0
    )
    drawn += thread(needle.all([(-0.19, 0.19), (0.19, 0.19)]), theme.accent, needle.width(0.05))
    seam = Seam(needle.width(0.03), needle.width(0.07), needle.width(0.05))
    ring = oval(0, -0.18, 0.56, 0.4, 24)
    return drawn + stitches(needle.all(ring), faded(edge, 0.6), seam)
