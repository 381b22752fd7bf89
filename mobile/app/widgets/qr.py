"""An invitation as a picture for another phone's camera."""

from __future__ import annotations

from typing import Any

import segno
from kivy.graphics import Color, Rectangle
from kivy.properties import StringProperty
from kivy.uix.widget import Widget

from app.boards.shapes import Drawn, felt, rounded
from app.theme import DARK, WOOL
from app.widgets.card import Backdrop

QUIET = 4
"""Modules of white around the code, as ISO/IEC 18004 wants it."""


def modules(text: str) -> list[list[bool]]:
    """The code of `text` by rows from the top, dark modules True, without the quiet zone."""
    code = segno.make(text, error="m", micro=False)
    return [[bool(module) for module in row] for row in code.matrix]


class QrPicture(Widget):
    """The code of `text`, as large as fits; nothing without one. Dark on light by day and night,
    since many cameras read it no other way."""

    text = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(text=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """A light patch, and the dark runs of each row in whole pixels, so that no seams show."""
        if not self.text:
            return []
        rows = modules(self.text)
        count = len(rows) + 2 * QUIET
        size = int(min(self.width, self.height) // count)
        if size < 1:
            return []
        side = size * count
        left, top = int(self.center_x - side / 2), int(self.center_y + side / 2)
        drawn = felt(rounded(left, top - side, side, side, size * 2), WOOL)
        drawn.append(Color(*DARK))
        for number, row in enumerate(rows):
            y = top - (QUIET + number + 1) * size
            for start, length in _runs(row):
                x = left + (QUIET + start) * size
                drawn.append(Rectangle(pos=(x, y), size=(length * size, size)))
        return drawn


def _runs(row: list[bool]) -> list[tuple[int, int]]:
    """Where dark modules begin in a row, and how many there are."""
    runs: list[tuple[int, int]] = []
    for x, dark in enumerate(row):
        if dark and runs and sum(runs[-1]) == x:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif dark:
            runs.append((x, 1))
    return runs
