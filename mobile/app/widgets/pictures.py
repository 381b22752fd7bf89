"""Pictures made of the same shapes as the boards."""

from __future__ import annotations

from typing import Any

from kivy.graphics import PopMatrix, PushMatrix, Translate
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.widget import Widget

from app.boards.shapes import Drawn, Seam, curve, felt, oval, rounded, stitches, thread
from app.boards.socker_pieces import lying, standing, wool_ball
from app.model.socker import Side
from app.theme import DARK, WOOL, WOOL_SHADE, Rgba, faded, mix, theme
from app.widgets.card import Backdrop
from app.widgets.icons import icon


def _moved(x: float, y: float, drawn: Drawn) -> Drawn:
    return [PushMatrix(), Translate(x, y), *drawn, PopMatrix()]


class Avatar(Widget):
    """A player of a side: the same felt figure as on the board."""

    side = NumericProperty(0)
    asleep = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(side=self._backdrop.refresh, asleep=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """The figure, as large as fits."""
        side = Side(int(self.side)) if self.side in (0, 1) else Side.UNKNOWN
        size = min(self.width, self.height) / 1.15
        figure = (lying if self.asleep else standing)(side, size)
        return _moved(self.center_x, self.center_y - size * 0.1, figure)


class IconPicture(Widget):
    """An icon that is no button."""

    icon = StringProperty("")
    dim = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(icon=self._backdrop.refresh, dim=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """The icon, as large as fits."""
        x, y = self.center
        ink = theme.ink_dim if self.dim else theme.ink
        return icon(self.icon, x, y, min(self.width, self.height), ink)


class Hero(Widget):
    """The picture of the start: two sockers, a ball and its thread on a piece of pitch."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)

    def backdrop(self) -> Drawn:
        """The picture, as large as fits."""
        size = min(self.height / 1.85, self.width / 3.7)
        if size < dp(20):
            return []
        x, y = self.center_x, self.center_y + size * 0.1
        rug = oval(x, y - size * 0.36, size * 3.5, size * 1.15, 48)
        drawn = felt([(px + dp(2), py - dp(6)) for px, py in rug], theme.shade, 3)
        drawn += felt(rug, mix(theme.felt, DARK, 0.3), 2)
        drawn += felt(oval(x, y - size * 0.34, size * 3.42, size * 1.08, 48), theme.felt, 2)
        seam = Seam(max(1.5, size * 0.022), size * 0.1, size * 0.06)
        inner = oval(x, y - size * 0.34, size * 3.2, size * 0.95, 48)
        drawn += stitches(inner, faded(theme.felt_line, 0.8), seam)
        drawn += self._thread(x, y, size)
        drawn += _moved(x + size * 1.2, y - size * 0.3, lying(Side.NORTH, size * 0.92))
        drawn += _moved(x + size * 0.46, y + size * 0.14, standing(Side.NORTH, size))
        drawn += _moved(x - size * 0.72, y + size * 0.02, standing(Side.SOUTH, size * 1.12))
        drawn += _moved(x - size * 0.1, y - size * 0.42, wool_ball(size * 0.85))
        return drawn

    def _thread(self, x: float, y: float, size: float) -> Drawn:
        points = [(-1.5, -0.3), (-1.2, -0.62), (-0.8, -0.58), (-0.5, -0.72), (-0.1, -0.52)]
        line = curve([(x + a * size, y + b * size) for a, b in points], 8, closed=False)
        drawn = thread([(a + 1, b - 3) for a, b in line], theme.shade, size * 0.03)
        drawn += thread(line, WOOL_SHADE, size * 0.03)
        return drawn + thread(line, WOOL, size * 0.018)


class Pips(Widget):
    """How many actions are left: little socks in a row, the used ones only an outline."""

    total = NumericProperty(3)
    left = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(total=self._backdrop.refresh, left=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """The socks, from the left."""
        size = min(self.height, dp(26))
        drawn: Drawn = []
        for i in range(int(self.total)):
            x, y = self.x + size * (0.5 + i * 0.95), self.center_y
            full = i < self.left
            drawn += _sock(x, y, size, theme.accent if full else faded(theme.seam, 0.35))
        return drawn


def _sock(x: float, y: float, size: float, colour: Rgba) -> Drawn:
    def at(across: float, up: float) -> tuple[float, float]:
        return (x + across * size, y + up * size)

    shape = [at(-0.18, 0.28), at(0.1, 0.28), at(0.1, -0.06), at(0.3, -0.18), at(0.32, -0.34)]
    shape += [at(0.1, -0.4), at(-0.12, -0.34), at(-0.2, -0.16)]
    drawn = felt(curve(shape, 5), colour)
    return drawn + felt(
        rounded(*at(-0.22, 0.24), size * 0.36, size * 0.16, size * 0.06), mix(colour, WOOL, 0.5)
    )
