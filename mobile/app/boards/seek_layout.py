"""Where the cells of Monster Hide and Seek are on the screen, and the quilt they lie on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kivy.metrics import dp

from app.boards.seek_cards import hem
from app.boards.shapes import Drawn, Point, Seam, felt, grain, rounded, stitches
from app.model.hide_and_seek import Cell
from app.theme import DARK, Rgba, faded, mix, theme

CARD: Final = 0.87
"""Of a cell is covered by its card."""
LONGEST: Final = 1.22
"""So much longer than wide a cell may be, or the other way round."""
MARGIN_DP: Final = 5

_DUSK: Rgba = [0.36, 0.30, 0.55, 1]


@dataclass(frozen=True, slots=True)
class SeekLayout:
    """`turned`: a quarter clockwise, so that column a is on top and row 1 on the left. A phone that
    is turned then leaves every card where it was in the hand."""

    left: float
    bottom: float
    width: float
    height: float
    """Of a cell."""
    columns: int
    rows: int
    """Of the grid, as the game has it."""
    turned: bool

    @staticmethod
    def fit(
        box: tuple[float, float, float, float],
        columns: int,
        rows: int,
        turned: bool | None = None,
    ) -> SeekLayout:
        """The layout with the largest cards in a rectangle (x, y, width, height), turned or not if
        that is asked for."""
        x, y, wide, high = box
        wide, high = max(1.0, wide - 2 * dp(MARGIN_DP)), max(1.0, high - 2 * dp(MARGIN_DP))
        if turned is None:
            turned = cell_side(wide, high, rows, columns) > cell_side(wide, high, columns, rows)
        across, up = (rows, columns) if turned else (columns, rows)
        width, height = wide / across, high / up
        width, height = min(width, height * LONGEST), min(height, width * LONGEST)
        return SeekLayout(
            x + dp(MARGIN_DP) + (wide - width * across) / 2,
            y + dp(MARGIN_DP) + (high - height * up) / 2,
            width,
            height,
            columns,
            rows,
            turned,
        )

    @property
    def side(self) -> float:
        """The shorter side of a cell."""
        return min(self.width, self.height)

    @property
    def card(self) -> tuple[float, float]:
        """Width and height of a card."""
        gap = self.side * (1 - CARD)
        return (self.width - gap, self.height - gap)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x, y, width and height of all cells together."""
        across, up = (self.rows, self.columns) if self.turned else (self.columns, self.rows)
        return (self.left, self.bottom, self.width * across, self.height * up)

    @property
    def drawn(self) -> tuple[float, float, float, float]:
        """x, y, width and height of the quilt under them."""
        x, y, width, height = self.box
        pad = dp(MARGIN_DP)
        return (x - pad, y - pad, width + 2 * pad, height + 2 * pad)

    def middle(self, cell: Cell) -> Point:
        """The pixel in the middle of a cell."""
        across, up = (cell[1], self.columns - 1 - cell[0]) if self.turned else cell
        return (self.left + (across + 0.5) * self.width, self.bottom + (up + 0.5) * self.height)

    def cell_at(self, x: float, y: float) -> Cell:
        """The cell under a pixel, on the grid or not."""
        across = int((x - self.left) / self.width // 1)
        up = int((y - self.bottom) / self.height // 1)
        return (self.columns - 1 - up, across) if self.turned else (across, up)


def cell_side(width: float, height: float, across: int, up: int) -> float:
    """The shorter side of a cell when so many share a rectangle."""
    return min(width / across, height / up)


def quilt(layout: SeekLayout) -> Drawn:
    """What the cards lie on: a quilt with a patch for each cell."""
    x, y, width, height = layout.box
    pad = dp(MARGIN_DP) * 0.8
    cloth = mix(theme.card, _DUSK, 0.35)
    outline = rounded(x - pad, y - pad, width + 2 * pad, height + 2 * pad, layout.side * 0.16)
    drawn = felt(outline, cloth, 1.0) + hem(outline, mix(cloth, DARK, 0.3), dp(1.5))
    drawn += grain(x, y, width, height, dp(96), 0.6)
    seam = Seam(max(1.0, dp(1.2)), dp(6), dp(5))
    thread = faded(mix(theme.seam, cloth, 0.2), 0.6)
    for number in range(1, round(width / layout.width)):
        line = x + number * layout.width
        drawn += stitches([(line, y), (line, y + height)], thread, seam, closed=False)
    for number in range(1, round(height / layout.height)):
        line = y + number * layout.height
        drawn += stitches([(x, line), (x + width, line)], thread, seam, closed=False)
    return drawn
