"""The sockers and the ball, cut from felt and wool.

Two teams told apart by outline alone: South wears pointed hats and stripes, North bobble hats
and dots. A standing socker is upright; a socked one lies on its side, whole posture. Light comes
from the top left, so shadows fall to the bottom right.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from kivy.graphics import PopMatrix, PushMatrix, Rotate, Translate

from app.boards.shapes import (
    Drawn,
    Point,
    Seam,
    arc,
    curve,
    disc,
    ellipse,
    felt,
    oval,
    stitches,
    thread,
)
from app.model.socker import Side
from app.theme import CHEEK, CREAM, DARK, SKIN, WOOL, WOOL_SHADE, Rgba, faded, mix, theme

UNKNOWN_WOOL: Rgba = [0.6, 0.58, 0.66, 1.0]


def wool(side: Side) -> tuple[Rgba, Rgba]:
    """The colour of a team, and its deeper shade."""
    if side is Side.SOUTH:
        return theme.wool_south, theme.wool_south_deep
    if side is Side.NORTH:
        return theme.wool_north, theme.wool_north_deep
    return UNKNOWN_WOOL, mix(UNKNOWN_WOOL, DARK, 0.4)


def standing(side: Side, size: float) -> Drawn:
    """A socker on its feet; `size` is the side of a cell. The origin is the cell's middle."""
    return _shadow(size) + _figure(side, size, asleep=False)


def lying(side: Side, size: float) -> Drawn:
    """A socked socker: on its side, eyes shut, three little stars going round its head."""
    drawn: Drawn = ellipse(size * 0.04, -size * 0.24, size * 0.96, size * 0.3, theme.shade)
    drawn += [PushMatrix(), Translate(size * 0.13, -size * 0.12), Rotate(angle=82)]
    drawn += _figure(side, size * 0.84, asleep=True)
    drawn.append(PopMatrix())
    for x, y in ((-0.3, 0.16), (-0.1, 0.26), (0.1, 0.2)):
        drawn += felt(_star(x * size, y * size, size * 0.08), theme.accent, 0.8)
    return drawn


def wool_ball(size: float) -> Drawn:
    """A ball of wool."""
    radius = size * 0.29
    drawn = ellipse(size * 0.05, -radius * 0.95, radius * 2.1, radius * 0.9, theme.shade)
    drawn += disc(0, 0, radius * 2 + 2, mix(WOOL_SHADE, DARK, 0.25))
    drawn += disc(0, 0, radius * 2, WOOL)
    strand = max(0.8, size * 0.011)
    for tilt, bends in (
        (25, (-0.72, -0.56, -0.4, -0.24, -0.08)),
        (-65, (0.0, 0.16, 0.32, 0.48, 0.64)),
        (140, (-0.66, -0.5, -0.34)),
    ):
        for bend in bends:
            arc = [
                _turned(
                    radius * 0.94 * math.sin(a) * _room(bend),
                    radius * (bend + 0.3 * math.cos(a) * _room(bend)),
                    tilt,
                )
                for a in [math.radians(-80 + 16 * i) for i in range(11)]
            ]
            drawn += thread(arc, WOOL_SHADE, strand)
    return drawn


def _room(bend: float) -> float:
    return math.sqrt(max(0.0, 1 - (abs(bend) + 0.12) ** 2))


def _turned(x: float, y: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    return (
        x * math.cos(angle) - y * math.sin(angle),
        x * math.sin(angle) + y * math.cos(angle),
    )


def _star(x: float, y: float, radius: float) -> list[Point]:
    return [
        (
            x + (radius if i % 2 == 0 else radius * 0.45) * math.sin(math.pi * i / 5),
            y + (radius if i % 2 == 0 else radius * 0.45) * math.cos(math.pi * i / 5),
        )
        for i in range(10)
    ]


def _shadow(size: float) -> Drawn:
    return ellipse(size * 0.07, -size * 0.36, size * 0.74, size * 0.24, theme.shade)


def _figure(side: Side, size: float, *, asleep: bool) -> Drawn:
    """A felt puppet, 1.15 cells tall with its hat; its middle is the origin."""

    def at(x: float, y: float) -> Point:
        return (x * size, y * size)

    colour, deep = wool(side)
    drawn: Drawn = []
    for foot in (-0.15, 0.15):
        drawn += ellipse(*at(foot, -0.36), size * 0.24, size * 0.15, deep)
        drawn += ellipse(*at(foot - 0.01, -0.345), size * 0.2, size * 0.11, CREAM)
    outline = curve(
        [
            at(-0.31, -0.33),
            at(0.0, -0.36),
            at(0.31, -0.33),
            at(0.28, -0.1),
            at(0.2, 0.1),
            at(0.0, 0.16),
            at(-0.2, 0.1),
            at(-0.28, -0.1),
        ],
        5,
    )
    drawn += felt(outline, deep, 2.0)
    drawn += felt([(x * 0.93, y * 0.95 - size * 0.006) for x, y in outline], colour, 1.0)
    drawn += _pattern(side, at, size)
    drawn += disc(*at(0, 0.19), size * 0.4, mix(SKIN, DARK, 0.25))
    drawn += disc(*at(0, 0.195), size * 0.37, SKIN)
    drawn += _face(at, size, asleep=asleep)
    drawn += _hat(side, at, size)
    return drawn


def _pattern(side: Side, at: Callable[[float, float], Point], size: float) -> Drawn:
    colour, _ = wool(side)
    light = mix(colour, CREAM, 0.72)
    drawn: Drawn = []
    if side is Side.SOUTH:
        for y, half in ((-0.24, 0.275), (-0.11, 0.25), (0.02, 0.2)):
            band = arc(*at(0, y + 0.02), 2 * half * size, size * 0.06, 185, 355)
            drawn += thread(band, light, size * 0.024)
    else:
        for x, y in (
            (-0.17, -0.25),
            (0.17, -0.25),
            (0, -0.2),
            (-0.12, -0.1),
            (0.12, -0.1),
            (0, -0.01),
        ):
            drawn += disc(*at(x, y), size * 0.085, light)
    return drawn


def _face(at: Callable[[float, float], Point], size: float, *, asleep: bool) -> Drawn:
    drawn: Drawn = []
    for x in (-0.075, 0.075):
        if asleep:
            lid = arc(*at(x, 0.205), size * 0.075, size * 0.05, 190, 350)
            drawn += thread(lid, DARK, max(1.0, size * 0.011))
        else:
            drawn += disc(*at(x, 0.2), size * 0.058, DARK)
            drawn += disc(*at(x - 0.009, 0.21), size * 0.02, CREAM)
        drawn += ellipse(*at(x * 1.65, 0.145), size * 0.07, size * 0.045, faded(CHEEK, 0.8))
    if asleep:
        drawn += disc(*at(0, 0.125), size * 0.04, mix(DARK, CHEEK, 0.4))
    else:
        smile = arc(*at(0, 0.14), size * 0.11, size * 0.065, 195, 345)
        drawn += thread(smile, DARK, max(1.0, size * 0.011))
    return drawn


def _hat(side: Side, at: Callable[[float, float], Point], size: float) -> Drawn:
    colour, deep = wool(side)
    light = mix(colour, CREAM, 0.72)
    if side is Side.NORTH:
        cap = curve([at(-0.2, 0.29), at(-0.16, 0.42), at(0, 0.49), at(0.16, 0.42), at(0.2, 0.29)])
        drawn = felt(cap, deep, 1.6)
        drawn += felt([(x * 0.9, y * 0.985) for x, y in cap], colour, 1.0)
        drawn += felt(oval(*at(0, 0.3), size * 0.45, size * 0.1), light)
        drawn += disc(*at(0, 0.53), size * 0.17, mix(light, DARK, 0.2))
        drawn += disc(*at(0, 0.535), size * 0.145, CREAM)
        return drawn
    cap = [*curve([at(0.2, 0.28), at(0.12, 0.4), at(0.1, 0.5), at(0.15, 0.6)], closed=False)]
    cap += curve([at(0.15, 0.6), at(-0.03, 0.53), at(-0.14, 0.41), at(-0.2, 0.28)], closed=False)
    drawn = felt(cap, deep, 1.6)
    drawn += felt(_shrunk(cap, 0.88), colour, 1.0)
    drawn += felt(oval(*at(0, 0.29), size * 0.45, size * 0.1), light)
    drawn += stitches(
        [at(-0.18, 0.29), at(0.18, 0.29)],
        mix(light, DARK, 0.35),
        Seam(max(1.0, size * 0.014), size * 0.045, size * 0.035),
        closed=False,
    )
    return drawn


def _shrunk(points: list[Point], factor: float) -> list[Point]:
    middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    return [
        (middle[0] + (x - middle[0]) * factor, middle[1] + (y - middle[1]) * factor)
        for x, y in points
    ]
