"""Socks: five colours with a knit pattern each, told apart in grey, and the silly ones.

Shapes are given in parts of the sock's height, its middle at (0, 0), and drawn by a `Needle`, which
also turns and mirrors them: on an elf they sit on feet, hands and ears.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.boards.shapes import Drawn, Point, Seam, curve, felt, stitches, thread
from app.boards.wool import SOCKS, deep, sock_wool
from app.model.sock_monsters import Sock
from app.theme import CREAM, DARK, Rgba, faded, mix

_OUTLINE: Sequence[Point] = (
    (-0.21, 0.38),
    (-0.2, 0.1),
    (-0.23, -0.16),
    (-0.2, -0.34),
    (-0.05, -0.44),
    (0.2, -0.45),
    (0.38, -0.4),
    (0.44, -0.27),
    (0.36, -0.14),
    (0.2, -0.09),
    (0.12, 0.02),
    (0.11, 0.2),
    (0.12, 0.38),
)
_BENT: Sequence[Point] = (
    (-0.23, 0.38),
    (-0.22, 0.1),
    (-0.24, -0.16),
    (-0.18, -0.38),
    (0.02, -0.46),
    (0.24, -0.4),
    (0.4, -0.2),
    (0.47, 0.06),
    (0.36, 0.14),
    (0.24, 0.04),
    (0.14, -0.06),
    (0.1, 0.1),
    (0.1, 0.38),
)
"""The boomerang's toe turns up."""


@dataclass(frozen=True, slots=True)
class Needle:
    """Places points given in parts of `size` around (x, y), turned by `angle` degrees."""

    x: float
    y: float
    size: float
    angle: float = 0.0
    mirrored: bool = False

    def at(self, across: float, up: float) -> Point:
        """The pixel of a point."""
        if self.mirrored:
            across = -across
        turn = math.radians(self.angle)
        cos, sin = math.cos(turn) * self.size, math.sin(turn) * self.size
        return (self.x + across * cos - up * sin, self.y + across * sin + up * cos)

    def all(self, points: Iterable[Point]) -> list[Point]:
        """The pixels of points."""
        return [self.at(*point) for point in points]

    def width(self, part: float) -> float:
        """The width of a thread in pixels, never too thin to be seen."""
        return max(0.9, self.size * part)


def sock(kind: Sock, needle: Needle) -> Drawn:
    """A sock, as high as the needle's size."""
    ground = sock_wool(kind)
    shape = _BENT if kind is Sock.BOOMERANG else _OUTLINE
    outline = curve(list(shape), 4)
    drawn = felt(needle.all(outline), deep(ground), needle.width(0.035))
    drawn += felt(needle.all([(x * 0.93, y * 0.95) for x, y in outline]), ground, 1.0)
    pattern = _PATTERNS.get(kind)
    if pattern is not None:
        drawn += pattern(needle, mix(ground, CREAM, 0.78))
    drawn += _cuff(needle, ground, deep(ground))
    if kind is Sock.SMELLY:
        drawn += _smell(needle)
    return drawn


def _cuff(needle: Needle, ground: Rgba, dark: Rgba) -> Drawn:
    band = [(-0.25, 0.32), (0.16, 0.32), (0.16, 0.5), (-0.25, 0.5)]
    drawn = felt(needle.all(band), dark, needle.width(0.05))
    inner = [(-0.22, 0.345), (0.13, 0.345), (0.13, 0.475), (-0.22, 0.475)]
    drawn += felt(needle.all(inner), mix(ground, CREAM, 0.3), 1.0)
    for across in (-0.15, -0.045, 0.06):
        rib = needle.all([(across, 0.37), (across, 0.455)])
        drawn += thread(rib, faded(dark, 0.55), needle.width(0.022))
    return drawn


def _stripes(needle: Needle, light: Rgba) -> Drawn:
    drawn: Drawn = []
    for up in (0.21, 0.05, -0.11):
        drawn += thread(needle.all([(-0.17, up), (0.08, up)]), light, needle.width(0.042))
    for across in (0.06, 0.21):
        ends = [(across - 0.06, -0.15), (across + 0.02, -0.39)]
        drawn += thread(needle.all(ends), light, needle.width(0.042))
    return drawn


def _dots(needle: Needle, light: Rgba) -> Drawn:
    drawn: Drawn = []
    spots = [(-0.1, 0.22), (0.03, 0.12), (-0.11, 0.02), (0.0, -0.1), (-0.11, -0.2)]
    for spot in (*spots, (0.03, -0.31), (0.17, -0.2), (0.29, -0.3)):
        drawn += felt(needle.all(_ring(*spot, 0.052)), light, 0.8)
    return drawn


def _zigzag(needle: Needle, light: Rgba) -> Drawn:
    drawn: Drawn = []
    for up in (0.17, 0.0, -0.17):
        teeth = [(-0.17 + 0.065 * i, up + (0.045 if i % 2 else -0.045)) for i in range(5)]
        drawn += thread(needle.all(teeth), light, needle.width(0.034))
    toe = [(0.1, -0.19), (0.17, -0.28), (0.1, -0.36)]
    drawn += thread(needle.all(toe), light, needle.width(0.034))
    toe = [(0.25, -0.18), (0.32, -0.28), (0.25, -0.36)]
    return drawn + thread(needle.all(toe), light, needle.width(0.034))


def _checks(needle: Needle, light: Rgba) -> Drawn:
    drawn: Drawn = []
    lines: list[list[Point]] = [[(a, 0.29), (a, -0.28)] for a in (-0.12, 0.02)]
    lines += [[(-0.18, up), (0.09, up)] for up in (0.19, 0.04, -0.11)]
    lines += [[(-0.12, -0.27), (0.37, -0.27)], [(0.14, -0.13), (0.14, -0.41)]]
    lines += [[(0.27, -0.15), (0.27, -0.4)]]
    for ends in lines:
        drawn += thread(needle.all(ends), light, needle.width(0.028))
    return drawn


def _stars(needle: Needle, light: Rgba) -> Drawn:
    drawn: Drawn = []
    for across, up, size in (
        (-0.05, 0.18, 0.1),
        (-0.07, -0.06, 0.095),
        (0.02, -0.28, 0.1),
        (0.26, -0.27, 0.085),
    ):
        drawn += felt(needle.all(star(across, up, size)), light, 0.8)
    return drawn


def _rainbow(needle: Needle, _light: Rgba) -> Drawn:
    drawn: Drawn = []
    colours = [SOCKS[one] for one in (Sock.RED, Sock.YELLOW, Sock.GREEN, Sock.BLUE, Sock.VIOLET)]
    bands = [(0.24, 0.24), (0.12, 0.12), (0.0, 0.0)]
    for (left, right), colour in zip(bands, colours, strict=False):
        ends = [(-0.165, left), (0.085, right)]
        drawn += thread(needle.all(ends), colour, needle.width(0.052))
    foot = [[(-0.17, -0.16), (0.06, -0.12)], [(0.02, -0.38), (0.12, -0.15)]]
    for ends, colour in zip(foot, colours[3:], strict=True):
        drawn += thread(needle.all(ends), colour, needle.width(0.052))
    ends = [(0.2, -0.39), (0.26, -0.17)]
    return drawn + thread(needle.all(ends), colours[0], needle.width(0.052))


def _patch(needle: Needle, light: Rgba) -> Drawn:
    """The smelly one: darned with a patch, and a hole where the toe looks out."""
    darn = [(-0.15, 0.0), (0.02, 0.02), (0.0, 0.17), (-0.14, 0.16)]
    seam = Seam(needle.width(0.03), needle.width(0.06), needle.width(0.04))
    drawn = felt(needle.all(darn), mix(light, DARK, 0.35), 0.8)
    drawn += stitches(needle.all(darn), light, seam)
    drawn += felt(needle.all(_ring(0.32, -0.27, 0.075)), DARK, 0.8)
    return drawn + felt(needle.all(_ring(0.34, -0.275, 0.045)), mix(light, CREAM, 0.3), 0.8)


def _arrow(needle: Needle, light: Rgba) -> Drawn:
    """The boomerang: an arrow that turns round."""
    line = curve([(-0.06, 0.24), (-0.08, -0.1), (0.06, -0.3), (0.28, -0.16)], 5, closed=False)
    seam = Seam(needle.width(0.05), needle.width(0.1), needle.width(0.05))
    drawn = stitches(needle.all(line), light, seam, closed=False)
    head = [(0.2, -0.14), (0.37, -0.13), (0.36, 0.05)]
    return drawn + felt(needle.all(head), light, 0.8)


def _smell(needle: Needle) -> Drawn:
    """Little wavy lines over it."""
    drawn: Drawn = []
    for across in (-0.17, -0.03, 0.11):
        wave = [(across + (0.035 if i % 2 else -0.035), 0.55 + 0.06 * i) for i in range(4)]
        line = needle.all(curve(wave, 4, closed=False))
        drawn += thread(line, mix(SOCKS[Sock.SMELLY], CREAM, 0.25), needle.width(0.03))
    return drawn


def star(x: float, y: float, radius: float) -> list[Point]:
    """The outline of a star with five points."""
    return [
        (
            x + (radius if i % 2 == 0 else radius * 0.45) * math.sin(math.pi * i / 5),
            y + (radius if i % 2 == 0 else radius * 0.45) * math.cos(math.pi * i / 5),
        )
        for i in range(10)
    ]


def _ring(x: float, y: float, radius: float) -> list[Point]:
    return [
        (x + radius * math.cos(math.pi * i / 6), y + radius * math.sin(math.pi * i / 6))
        for i in range(12)
    ]


_PATTERNS: dict[Sock, Callable[[Needle, Rgba], Drawn]] = {
    Sock.RED: _stripes,
    Sock.YELLOW: _dots,
    Sock.GREEN: _zigzag,
    Sock.BLUE: _checks,
    Sock.VIOLET: _stars,
    Sock.RAINBOW: _rainbow,
    Sock.SMELLY: _patch,
    Sock.BOOMERANG: _arrow,
}
