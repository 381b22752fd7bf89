"""The picture a player chose: a small woollen badge."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from kivy.graphics import PopMatrix, PushMatrix, Translate
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget
from kivy.utils import get_color_from_hex

from app.boards.shapes import (
    Drawn,
    Point,
    Seam,
    arc,
    curve,
    disc,
    felt,
    oval,
    rounded,
    stitches,
    thread,
)
from app.theme import DARK, WOOL, Rgba, faded, mix, theme
from app.widgets.card import Backdrop

GROUNDS: Final = ("#dd5d4e", "#f0b646", "#5fa36c", "#5b93d6", "#9a7bd0", "#e48a5a")
"""The colours of the badges, one after another."""


class Badge(ButtonBehavior, Widget):
    """A badge by its picture's name; a plain patch for none, or one of a newer server."""

    picture = StringProperty("")
    chosen = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(picture=self._backdrop.refresh, chosen=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """The badge, as large as fits."""
        size = min(self.width, self.height)
        x, y = self.center
        drawn: Drawn = []
        if self.chosen:
            drawn += disc(x, y, size, theme.accent)
        return [
            *drawn,
            PushMatrix(),
            Translate(x, y),
            *badge(self.picture, size * 0.88),
            PopMatrix(),
        ]


def badge(picture: str, size: float) -> Drawn:
    """The badge of a picture around the origin, `size` pixels wide."""
    names = list(_MOTIFS)
    number = names.index(picture) if picture in _MOTIFS else 3
    ground = list(get_color_from_hex(GROUNDS[number % len(GROUNDS)]))
    drawn = felt(oval(0, 0, size, size, 40), mix(ground, DARK, 0.25))
    drawn += felt(oval(0, size * 0.015, size * 0.95, size * 0.95, 40), ground)
    seam = Seam(max(1.0, size * 0.02), size * 0.08, size * 0.05)
    drawn += stitches(oval(0, 0, size * 0.8, size * 0.8, 40), faded(WOOL, 0.6), seam)
    return drawn + _MOTIFS.get(picture, _plain)(size * 0.5)


# --- motifs, in a box of `s` pixels around the origin -------------------------------------------


def _shape(s: float, points: list[Point], colour: Rgba = WOOL) -> Drawn:
    return felt([(x * s, y * s) for x, y in points], colour)


def _line(s: float, points: list[Point], width: float = 0.09, colour: Rgba = WOOL) -> Drawn:
    return thread([(x * s, y * s) for x, y in points], colour, width * s)


def _dot(s: float, x: float, y: float, size: float, colour: Rgba = WOOL) -> Drawn:
    return disc(x * s, y * s, size * s, colour)


def _ring(s: float, size: float) -> Drawn:
    return _line(s, [*oval(0, 0, size, size, 28), oval(0, 0, size, size, 28)[0]], 0.08)


def _star_points(count: int, inner: float, turn: float = 90) -> list[Point]:
    points = []
    for i in range(2 * count):
        angle = math.radians(turn + i * 180 / count)
        reach = 0.5 if i % 2 == 0 else inner
        points.append((math.cos(angle) * reach, math.sin(angle) * reach))
    return points


def _plain(s: float) -> Drawn:
    return _dot(s, 0, 0.16, 0.36) + _shape(s, arc(0, -0.4, 0.7, 0.8, 0, 180))


def _argyle(s: float) -> Drawn:
    drawn: Drawn = []
    for x in (-0.25, 0.25):
        drawn += _shape(s, [(x, 0.42), (x + 0.22, 0), (x, -0.42), (x - 0.22, 0)])
    return drawn


def _bobble(s: float) -> Drawn:
    drawn = _shape(s, [(-0.4, -0.2), (-0.28, 0.16), (0, 0.28), (0.28, 0.16), (0.4, -0.2)])
    return drawn + _dot(s, 0, 0.36, 0.26) + _line(s, [(-0.44, -0.3), (0.44, -0.3)], 0.14)


def _button(s: float) -> Drawn:
    drawn = _ring(s, 0.86)
    for x in (-0.14, 0.14):
        for y in (-0.14, 0.14):
            drawn += _dot(s, x, y, 0.15)
    return drawn


def _cloud(s: float) -> Drawn:
    drawn = _dot(s, -0.24, -0.06, 0.4) + _dot(s, 0.04, 0.1, 0.52) + _dot(s, 0.28, -0.06, 0.36)
    return drawn + _shape(s, rounded(-0.42, -0.26, 0.86, 0.26, 0.13))


def _comet(s: float) -> Drawn:
    drawn = _dot(s, 0.2, 0.2, 0.4)
    for shift in (-0.14, 0.0, 0.14):
        drawn += _line(s, [(0.05 + shift, 0.05 - shift), (-0.34 + shift, -0.34 - shift)], 0.07)
    return drawn


def _dots(s: float) -> Drawn:
    drawn: Drawn = []
    for x, y in (
        (0, 0),
        (0.3, 0.18),
        (-0.3, 0.18),
        (0.3, -0.2),
        (-0.3, -0.2),
        (0, 0.36),
        (0, -0.36),
    ):
        drawn += _dot(s, x, y, 0.2)
    return drawn


def _drum(s: float) -> Drawn:
    drawn = _shape(s, rounded(-0.36, -0.36, 0.72, 0.52, 0.08))
    drawn += _line(s, [(-0.36, 0.3), (0.3, 0.1)], 0.07) + _line(
        s, [(0.36, 0.36), (-0.1, 0.14)], 0.07
    )
    return drawn + _line(s, [(-0.32, -0.3), (-0.1, 0.1), (0.1, -0.3), (0.32, 0.1)], 0.05, DARK)


def _feather(s: float) -> Drawn:
    blade: list[Point] = [(-0.3, -0.3), (-0.24, 0.16), (0.2, 0.44), (0.3, 0.3), (0.1, -0.16)]
    return _shape(s, curve(blade, 6)) + _line(s, [(-0.42, -0.44), (0.14, 0.26)], 0.05, DARK)


def _fluff(s: float) -> Drawn:
    drawn = _dot(s, 0, 0, 0.5)
    for i in range(10):
        angle = math.radians(36 * i)
        drawn += _dot(s, math.cos(angle) * 0.28, math.sin(angle) * 0.28, 0.26)
    return drawn + _dot(s, -0.1, 0.05, 0.09, DARK) + _dot(s, 0.1, 0.05, 0.09, DARK)


def _grin(s: float) -> Drawn:
    drawn = _dot(s, -0.2, 0.2, 0.16) + _dot(s, 0.2, 0.2, 0.16)
    return drawn + _shape(s, [*arc(0, 0, 0.8, 0.8, 180, 360)])


def _heel(s: float) -> Drawn:
    return _shape(
        s, [(-0.2, 0.44), (0.14, 0.44), (0.14, -0.02), (0.4, -0.16), (0.4, -0.4), (-0.2, -0.4)]
    ) + _dot(s, -0.08, -0.28, 0.26, DARK)


def _hole(s: float) -> Drawn:
    return _dot(s, 0, 0, 0.84) + _dot(s, 0.06, -0.04, 0.4, DARK)


def _kite(s: float) -> Drawn:
    drawn = _shape(s, [(0.06, 0.46), (0.36, 0.12), (0.0, -0.24), (-0.24, 0.18)])
    return drawn + _line(s, [(0, -0.24), (-0.1, -0.34), (0.02, -0.4), (-0.12, -0.48)], 0.05)


def _knot(s: float) -> Drawn:
    drawn = _line(s, [*arc(-0.2, 0.1, 0.44, 0.44, 0, 360)], 0.08)
    drawn += _line(s, [*arc(0.2, 0.1, 0.44, 0.44, 0, 360)], 0.08)
    return (
        drawn
        + _line(s, [(0, 0.05), (-0.22, -0.42)], 0.08)
        + _line(s, [(0, 0.05), (0.22, -0.42)], 0.08)
    )


def _moon(s: float) -> Drawn:
    drawn: Drawn = []
    for degrees in range(50, 311, 10):
        angle = math.radians(degrees)
        size = 0.3 - abs(degrees - 180) * 0.0016
        drawn += _dot(s, 0.08 + math.cos(angle) * 0.3, math.sin(angle) * 0.3, size)
    return drawn


def _patch(s: float) -> Drawn:
    drawn = _shape(s, rounded(-0.38, -0.38, 0.76, 0.76, 0.06))
    for x, y in ((0, 0.38), (0, -0.38), (0.38, 0), (-0.38, 0)):
        drawn += _line(s, [(x * 0.8, y * 0.8), (x * 1.2, y * 1.2)], 0.06, DARK)
    return drawn


def _pom(s: float) -> Drawn:
    drawn: Drawn = []
    for i in range(12):
        angle = math.radians(30 * i)
        drawn += _line(s, [(0, 0), (math.cos(angle) * 0.46, math.sin(angle) * 0.46)], 0.08)
    return drawn


def _rain(s: float) -> Drawn:
    drawn: Drawn = []
    for x, y in (
        (-0.26, 0.22),
        (0.06, 0.3),
        (0.3, 0.04),
        (-0.08, -0.16),
        (0.22, -0.34),
        (-0.34, -0.3),
    ):
        drawn += _line(s, [(x + 0.06, y + 0.12), (x, y)], 0.09)
    return drawn


def _rings(s: float) -> Drawn:
    return _ring(s, 0.9) + _ring(s, 0.54) + _dot(s, 0, 0, 0.2)


def _snail(s: float) -> Drawn:
    drawn = _shape(s, rounded(-0.42, -0.36, 0.78, 0.18, 0.09)) + _dot(s, -0.06, 0.02, 0.56)
    drawn += _line(s, [*arc(-0.06, 0.02, 0.3, 0.3, 0, 300)], 0.05, DARK)
    return drawn + _line(s, [(0.3, -0.26), (0.36, 0.1)], 0.07)


def _spikes(s: float) -> Drawn:
    return _shape(s, _star_points(9, 0.3))


def _star(s: float) -> Drawn:
    return _shape(s, _star_points(5, 0.21))


def _stripes(s: float) -> Drawn:
    drawn: Drawn = []
    for y, reach in ((0.28, 0.28), (0.0, 0.42), (-0.28, 0.28)):
        drawn += _line(s, [(-reach, y), (reach, y)], 0.14)
    return drawn


def _toe(s: float) -> Drawn:
    drawn: Drawn = []
    for x, y, size in (
        (-0.32, 0.16, 0.16),
        (-0.12, 0.28, 0.18),
        (0.1, 0.28, 0.2),
        (0.32, 0.18, 0.26),
    ):
        drawn += _dot(s, x, y, size)
    return drawn + _shape(s, oval(0, -0.14, 0.6, 0.5))


def _tooth(s: float) -> Drawn:
    points: list[Point] = [(-0.34, 0.3), (0, 0.22), (0.34, 0.3), (0.3, -0.1), (0.2, -0.44)]
    points += [(0.06, -0.1), (-0.06, -0.1), (-0.2, -0.44), (-0.3, -0.1)]
    return _shape(s, curve(points, 4))


def _wool(s: float) -> Drawn:
    drawn = _dot(s, 0, 0, 0.86)
    for turn in (20, 50, 80):
        drawn += _line(s, arc(0.0, -0.3, 0.9, 1.1, turn, turn + 60), 0.04, DARK)
    return drawn


def _yarn(s: float) -> Drawn:
    points: list[Point] = [(-0.42, 0.1), (-0.2, 0.34), (-0.02, -0.1), (0.2, 0.32), (0.42, -0.1)]
    return _line(s, curve([*points, (0.1, -0.36), (-0.3, -0.3)], 8, closed=False), 0.1)


def _yeti(s: float) -> Drawn:
    drawn = _shape(s, curve([(-0.36, -0.4), (-0.3, 0.3), (0, 0.46), (0.3, 0.3), (0.36, -0.4)], 6))
    drawn += _dot(s, -0.13, 0.12, 0.12, DARK) + _dot(s, 0.13, 0.12, 0.12, DARK)
    return drawn + _line(s, [(-0.12, -0.12), (0.12, -0.12)], 0.06, DARK)


def _yawn(s: float) -> Drawn:
    drawn = _line(s, [(-0.34, 0.2), (-0.12, 0.2)], 0.07) + _line(
        s, [(0.12, 0.2), (0.34, 0.2)], 0.07
    )
    return drawn + _dot(s, 0, -0.16, 0.42)


def _zigzag(s: float) -> Drawn:
    drawn: Drawn = []
    for y in (0.22, -0.14):
        drawn += _line(
            s,
            [(-0.42, y - 0.1), (-0.2, y + 0.12), (0, y - 0.1), (0.2, y + 0.12), (0.42, y - 0.1)],
            0.1,
        )
    return drawn


_MOTIFS: Final[dict[str, Callable[[float], Drawn]]] = {
    "argyle": _argyle,
    "bobble": _bobble,
    "button": _button,
    "cloud": _cloud,
    "comet": _comet,
    "dots": _dots,
    "drum": _drum,
    "feather": _feather,
    "fluff": _fluff,
    "grin": _grin,
    "heel": _heel,
    "hole": _hole,
    "kite": _kite,
    "knot": _knot,
    "moon": _moon,
    "patch": _patch,
    "pom": _pom,
    "rain": _rain,
    "rings": _rings,
    "snail": _snail,
    "spikes": _spikes,
    "star": _star,
    "stripes": _stripes,
    "toe": _toe,
    "tooth": _tooth,
    "wool": _wool,
    "yarn": _yarn,
    "yeti": _yeti,
    "yawn": _yawn,
    "zigzag": _zigzag,
}
