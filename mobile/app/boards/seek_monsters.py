"""The five monsters that hide, a family of their own: balls of fluff with goggle eyes.

They are told apart by outline alone: A has prickles all around, B wings, C legs that dangle, D is
tall with a tip that bends over, E has two arms up like a cactus.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kivy.utils import get_color_from_hex

from app.boards.shapes import Drawn, Point, arc, curve, disc, ellipse, felt, oval, thread
from app.boards.wool import GREY, deep
from app.model.hide_and_seek import Face
from app.theme import CHEEK, CREAM, DARK, Rgba, faded, mix

FLUFF: Final[dict[Face, Rgba]] = {
    Face.A: get_color_from_hex("#e2843c"),
    Face.B: get_color_from_hex("#7d5fb2"),
    Face.C: get_color_from_hex("#2f9a94"),
    Face.D: get_color_from_hex("#d4608a"),
    Face.E: get_color_from_hex("#6f963a"),
}


@dataclass(frozen=True, slots=True)
class _Doll:
    """Places points given in parts of `size` around (x, y)."""

    x: float
    y: float
    size: float
    fluff: Rgba

    @property
    def edge(self) -> float:
        return max(1.0, self.size * 0.03)

    def at(self, across: float, up: float) -> Point:
        return (self.x + across * self.size, self.y + up * self.size)

    def all(self, points: list[Point]) -> list[Point]:
        return [self.at(*point) for point in points]

    def dark(self, points: list[Point], *, sharp: bool = False) -> Drawn:
        """The edge of a shape. A wide line would grow long thorns on `sharp` corners."""
        if not sharp:
            return felt(self.all(points), deep(self.fluff), 2 * self.edge)
        x, y = (sum(numbers) / len(points) for numbers in zip(*points, strict=True))
        grown = [(x + (px - x) * 1.09, y + (py - y) * 1.09) for px, py in points]
        return felt(self.all(grown), deep(self.fluff), 1.0)

    def fill(self, points: list[Point], colour: Rgba | None = None) -> Drawn:
        return felt(self.all(points), colour or self.fluff, 1.0)

    def body(self, *shapes: list[Point], sharp: bool = False) -> Drawn:
        """Shapes that are one: all edges come before all fillings."""
        drawn: Drawn = []
        for shape in shapes:
            drawn += self.dark(shape, sharp=sharp)
        for shape in shapes:
            drawn += self.fill(shape)
        return drawn

    def light(self, points: list[Point]) -> Drawn:
        """A lighter patch: a belly, the inside of a wing."""
        return self.fill(points, mix(self.fluff, CREAM, 0.34))

    def eyes(self, up: float, size: float, aside: float, look: Point = (0.0, -0.1)) -> Drawn:
        """Two goggle eyes side by side that look somewhere."""
        drawn: Drawn = []
        for side in (-1, 1):
            where = self.at(side * aside, up)
            drawn += disc(*where, size * 1.2 * self.size, deep(self.fluff))
            drawn += disc(*where, size * self.size, CREAM)
        for side in (-1, 1):
            pupil = self.at(side * aside + look[0] * size, up + look[1] * size)
            drawn += disc(*pupil, size * 0.56 * self.size, DARK)
            glint = self.at(side * aside + (look[0] - 0.12) * size, up + (look[1] + 0.14) * size)
            drawn += disc(*glint, size * 0.17 * self.size, CREAM)
        return drawn

    def smile(self, up: float, width: float, tooth: float = 0.0) -> Drawn:
        """A smile, with one tooth at a place of it."""
        line = arc(*self.at(0, up), width * self.size, width * 0.62 * self.size, 200, 340)
        drawn = thread(line, DARK, max(1.0, self.size * 0.022))
        size = 0.055
        corner = (tooth, up - width * 0.27)
        fang = [(corner[0] - size / 2, corner[1]), (corner[0] + size / 2, corner[1])]
        return drawn + self.fill([*fang, (corner[0], corner[1] - size)], CREAM)

    def cheeks(self, aside: float, up: float) -> Drawn:
        drawn: Drawn = []
        for side in (-1, 1):
            where = self.at(side * aside, up)
            drawn += ellipse(*where, self.size * 0.1, self.size * 0.065, faded(CHEEK, 0.85))
        return drawn


def hider(face: Face, size: float, x: float = 0.0, y: float = 0.0) -> Drawn:
    """A monster in a square of `size` around (x, y)."""
    return _DOLLS.get(face, _plain)(_Doll(x, y, size, FLUFF.get(face, GREY)))


def _prickles(doll: _Doll) -> Drawn:
    """A: a ball with prickles all around."""
    count = 15
    spikes: list[Point] = []
    for i in range(2 * count):
        away = 0.315 if i % 2 else 0.47
        angle = math.pi * i / count + math.pi / 2
        spikes.append((away * math.cos(angle), away * math.sin(angle)))
    drawn = doll.body(spikes, sharp=True)
    drawn += doll.light(oval(0, -0.02, 0.56, 0.56))
    drawn += doll.eyes(0.06, 0.21, 0.115, (0.12, -0.05))
    return drawn + doll.smile(-0.08, 0.2, 0.05) + doll.cheeks(0.2, -0.1)


def _wings(doll: _Doll) -> Drawn:
    """B: small, with wide wings and pointed ears."""
    wings: list[list[Point]] = []
    for side in (-1, 1):
        top = curve([(side * 0.08, 0.1), (side * 0.3, 0.3), (side * 0.49, 0.27)], 4, closed=False)
        scallops = [(side * 0.44, 0.04), (side * 0.46, -0.18), (side * 0.34, -0.1)]
        scallops += [(side * 0.3, -0.27), (side * 0.2, -0.17), (side * 0.1, -0.26)]
        wings.append([*top, *scallops, (side * 0.02, -0.1)])
    ears = [
        [(side * 0.05, 0.16), (side * 0.19, 0.1), (side * 0.212, 0.37), (side * 0.188, 0.385)]
        for side in (-1, 1)
    ]
    drawn = doll.body(*wings, sharp=True)
    for wing in wings:
        middle = (sum(x for x, _ in wing) / len(wing), sum(y for _, y in wing) / len(wing))
        inner = [
            (middle[0] + (x - middle[0]) * 0.68, middle[1] + (y - middle[1]) * 0.62)
            for x, y in wing
        ]
        drawn += doll.light(inner)
    drawn += doll.body(*ears, sharp=True) + doll.body(oval(0, -0.04, 0.46, 0.5))
    for side in (-1, 1):
        foot = [(side * 0.04, -0.29), (side * 0.12, -0.28), (side * 0.09, -0.37)]
        drawn += doll.dark(foot, sharp=True)
    drawn += doll.eyes(0.04, 0.18, 0.1, (-0.12, -0.05))
    return drawn + doll.smile(-0.09, 0.17, -0.04) + doll.cheeks(0.155, -0.11)


def _legs(doll: _Doll) -> Drawn:
    """C: a dome on legs that dangle."""
    legs: list[list[Point]] = []
    for across, swing, foot in ((-0.25, -0.05, -0.4), (0.0, 0.04, -0.45), (0.25, 0.05, -0.4)):
        leg = [(across - 0.08, 0.0), (across - 0.06 + swing, -0.24), (across - 0.06, foot)]
        leg += [(across + 0.06, foot), (across + 0.06 + swing, -0.24), (across + 0.08, 0.0)]
        legs.append(curve(leg, 4))
    dome = curve(
        [
            (0.0, 0.46),
            (0.25, 0.38),
            (0.37, 0.16),
            (0.35, -0.04),
            (0.0, -0.09),
            (-0.35, -0.04),
            (-0.37, 0.16),
            (-0.25, 0.38),
        ],
        5,
    )
    drawn = doll.body(*legs, dome)
    for across, up in ((-0.2, 0.33), (0.0, 0.38), (0.2, 0.33)):
        drawn += doll.light(oval(across, up, 0.09, 0.07, 16))
    drawn += doll.eyes(0.12, 0.23, 0.13, (0.0, -0.16))
    return drawn + doll.smile(-0.03, 0.2, 0.0) + doll.cheeks(0.25, -0.03)


def _tip(doll: _Doll) -> Drawn:
    """D: tall, with a tip that bends over and a bobble on it."""
    cone = curve(
        [
            (-0.33, -0.36),
            (-0.29, -0.05),
            (-0.2, 0.22),
            (-0.02, 0.44),
            (0.17, 0.45),
            (0.1, 0.3),
            (0.19, 0.1),
            (0.29, -0.12),
            (0.33, -0.36),
            (0.0, -0.45),
        ],
        5,
    )
    bobble = oval(0.28, 0.33, 0.19, 0.19, 20)
    string = curve([(0.05, 0.46), (0.2, 0.5), (0.34, 0.37), (0.25, 0.33), (0.16, 0.38)], 4)
    drawn = doll.body(string, cone)
    drawn += doll.dark(bobble) + doll.fill(bobble, mix(doll.fluff, CREAM, 0.75))
    for height in (0.2, 0.29):
        band = doll.all(
            [(-0.21 + (height - 0.2) * 0.9, height), (0.0, height - 0.035), (0.14, height)]
        )
        colour = mix(doll.fluff, CREAM, 0.5)
        drawn += thread(curve(band, 4, closed=False), colour, max(1.0, doll.size * 0.025))
    drawn += doll.light(oval(0, -0.27, 0.4, 0.24))
    drawn += doll.eyes(0.02, 0.2, 0.11, (-0.1, 0.05))
    return drawn + doll.smile(-0.12, 0.19, 0.04) + doll.cheeks(0.2, -0.12)


def _arms(doll: _Doll) -> Drawn:
    """E: a stem with two arms up."""
    stem = curve(
        [
            (-0.16, -0.45),
            (-0.19, 0.0),
            (-0.18, 0.3),
            (0.0, 0.47),
            (0.18, 0.3),
            (0.19, 0.0),
            (0.16, -0.45),
        ],
        5,
    )
    arms: list[list[Point]] = []
    for side, lift in ((-1, 0.0), (1, 0.09)):
        elbow = [(side * 0.12, -0.2 + lift), (side * 0.42, -0.2 + lift), (side * 0.46, -0.1 + lift)]
        elbow += [(side * 0.4, -0.03 + lift), (side * 0.12, -0.04 + lift)]
        hand = oval(side * 0.385, 0.06 + lift, 0.165, 0.38, 24)
        arms += [curve(elbow, 3), hand]
    drawn = doll.body(*arms, stem)
    for across in (-0.08, 0.08):
        rib = doll.all([(across, -0.4), (across * 1.1, -0.24)])
        drawn += thread(rib, mix(doll.fluff, CREAM, 0.4), max(1.0, doll.size * 0.02))
    flower = [
        (
            math.cos(2 * math.pi * i / 20) * (0.06 + 0.022 * math.cos(math.pi * i / 2)),
            0.46 + math.sin(2 * math.pi * i / 20) * (0.06 + 0.022 * math.cos(math.pi * i / 2)),
        )
        for i in range(20)
    ]
    drawn += doll.fill(flower, get_color_from_hex("#f0a7b4"))
    drawn += disc(*doll.at(0, 0.46), doll.size * 0.05, CREAM)
    drawn += doll.eyes(0.2, 0.17, 0.095, (0.1, 0.02))
    return drawn + doll.smile(0.06, 0.16, -0.03) + doll.cheeks(0.13, 0.03)


def _plain(doll: _Doll) -> Drawn:
    """Nobody knows who: two eyes in the dark."""
    drawn = doll.body(oval(0, 0, 0.7, 0.7))
    return drawn + doll.eyes(0.03, 0.2, 0.12)


_DOLLS: dict[Face, Callable[[_Doll], Drawn]] = {
    Face.A: _prickles,
    Face.B: _wings,
    Face.C: _legs,
    Face.D: _tip,
    Face.E: _arms,
}
