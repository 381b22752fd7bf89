"""The four monsters of the house, told apart by outline alone, asleep and awake.

Red is round with horns, yellow tall with one eye, green has long ears, blue is wide with many
teeth. Asleep they sink into themselves, ears and arms down; awake they stand up and reach out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.boards.shapes import Drawn, Point, arc, curve, disc, ellipse, felt, thread
from app.boards.wool import deep, seat_wool
from app.model.sock_monsters import Colour
from app.theme import CHEEK, CREAM, DARK, Rgba, faded, mix, theme


@dataclass(frozen=True, slots=True)
class _Doll:
    """Places points given in parts of `size` around (0, 0); asleep everything is flatter."""

    size: float
    awake: bool
    wool: Rgba

    @property
    def dark(self) -> Rgba:
        return deep(self.wool)

    def at(self, across: float, up: float) -> Point:
        if not self.awake:
            across, up = across * 1.06, (up + 0.38) * 0.8 - 0.38
        return (across * self.size, up * self.size)

    def shape(self, points: list[Point], colour: Rgba | None = None, steps: int = 5) -> Drawn:
        """A closed shape with a dark edge."""
        outline = [self.at(*point) for point in curve(points, steps)]
        drawn = felt(outline, self.dark, max(1.4, self.size * 0.03))
        return drawn + felt(_shrunk(outline, 0.93), colour or self.wool, 1.0)

    def horn(self, points: list[Point], colour: Rgba = CREAM) -> Drawn:
        """A closed shape with corners."""
        outline = [self.at(*point) for point in points]
        drawn = felt(outline, mix(colour, DARK, 0.45), max(1.2, self.size * 0.025))
        return drawn + felt(_shrunk(outline, 0.86), colour, 0.8)

    def line(self, points: list[Point], colour: Rgba, part: float = 0.028) -> Drawn:
        """A line of wool."""
        return thread([self.at(*point) for point in points], colour, max(1.1, self.size * part))

    def limb(self, points: list[Point], part: float = 0.05) -> Drawn:
        """An arm or a leg: a thick line with a dark edge and a paw."""
        ends = curve(points, 5, closed=False)
        drawn = self.line(ends, self.dark, part + 0.014)
        drawn += disc(*self.at(*points[-1]), self.size * (part * 2.6), self.dark)
        drawn += self.line(ends, self.wool, part)
        return drawn + disc(*self.at(*points[-1]), self.size * (part * 2.1), self.wool)

    def eye(self, across: float, up: float, size: float) -> Drawn:
        """Wide open, or a shut lid."""
        where = self.at(across, up)
        if not self.awake:
            lid = arc(*where, size * self.size, size * self.size * 0.6, 190, 350)
            return thread(lid, DARK, max(1.2, self.size * 0.022))
        drawn = disc(*where, size * self.size * 1.12, self.dark)
        drawn += disc(*where, size * self.size, CREAM)
        pupil = self.at(across + size * 0.06, up - size * 0.04)
        drawn += disc(*pupil, size * self.size * 0.52, DARK)
        return drawn + disc(*self.at(across, up + size * 0.1), size * self.size * 0.17, CREAM)

    def cheeks(self, aside: float, up: float) -> Drawn:
        """Two rosy patches."""
        drawn: Drawn = []
        for across in (-aside, aside):
            where = self.at(across, up)
            drawn += ellipse(*where, self.size * 0.09, self.size * 0.06, faded(CHEEK, 0.75))
        return drawn

    def tooth(self, across: float, up: float, width: float, height: float) -> Drawn:
        """A tooth that hangs down."""
        points = [(across - width / 2, up), (across + width / 2, up), (across, up - height)]
        return felt([self.at(*point) for point in points], CREAM, 0.8)

    def mouth(self, across: float, up: float, width: float, height: float) -> Drawn:
        """Wide open, or a small round snore."""
        if not self.awake:
            return ellipse(
                *self.at(across, up), self.size * 0.055, self.size * 0.045, mix(DARK, CHEEK, 0.3)
            )
        bowl = [(across - width / 2, up), (across + width / 2, up)]
        bowl += [(across + width * 0.3, up - height), (across - width * 0.3, up - height)]
        return felt([self.at(*point) for point in bowl], mix(DARK, CHEEK, 0.18), 1.0)


def monster(colour: Colour, size: float, *, awake: bool) -> Drawn:
    """A monster; `size` is the side of a cell, the origin its middle."""
    doll = _Doll(size, awake, seat_wool(colour))
    width = 0.78 if colour is Colour.BLUE else 0.66
    drawn = ellipse(size * 0.05, -size * 0.37, size * width, size * 0.2, theme.shade)
    drawn += _DOLLS.get(colour, _plain)(doll)
    return drawn if awake else drawn + _snore(doll)


def _red(doll: _Doll) -> Drawn:
    """Round, with horns."""
    up = doll.awake
    drawn: Drawn = []
    for side in (-1, 1):
        tip = (side * 0.3, 0.47) if up else (side * 0.42, 0.28)
        drawn += doll.horn([(side * 0.1, 0.24), (side * 0.29, 0.12), tip])
        hand = (side * 0.45, 0.13) if up else (side * 0.4, -0.27)
        drawn += doll.limb([(side * 0.27, -0.08), (side * 0.41, -0.1), hand])
        foot = [(side * 0.14, -0.28), (side * 0.16, -0.38)]
        drawn += doll.limb(foot, 0.055)
    body = [(0.0, 0.3), (0.26, 0.2), (0.35, -0.06), (0.25, -0.3), (0.0, -0.36)]
    body += [(-0.25, -0.3), (-0.35, -0.06), (-0.26, 0.2)]
    drawn += doll.shape(body)
    belly = [doll.at(*point) for point in curve([(0, -0.02), (0.17, -0.18), (0, -0.31)], 5)]
    drawn += felt([*belly, *[(-x, y) for x, y in reversed(belly)]], mix(doll.wool, CREAM, 0.4), 1.0)
    drawn += doll.mouth(0, 0.0, 0.26, 0.12)
    if doll.awake:
        drawn += doll.tooth(-0.07, 0.0, 0.06, 0.07) + doll.tooth(0.07, 0.0, 0.06, 0.07)
    drawn += doll.eye(-0.11, 0.11, 0.14) + doll.eye(0.11, 0.11, 0.14)
    return drawn + doll.cheeks(0.23, 0.01)


def _yellow(doll: _Doll) -> Drawn:
    """Tall, with one eye and a tuft."""
    up = doll.awake
    drawn: Drawn = []
    for side in (-1, 1):
        hand = (side * 0.37, 0.24) if up else (side * 0.27, -0.3)
        drawn += doll.limb([(side * 0.16, -0.02), (side * 0.31, -0.02), hand], 0.045)
        drawn += doll.limb([(side * 0.1, -0.3), (side * 0.12, -0.39)], 0.05)
    standing, hanging = (
        ((-0.1, 0.56), (0.0, 0.62), (0.1, 0.56)),
        ((0.1, 0.46), (0.17, 0.4), (0.2, 0.3)),
    )
    for tip in standing if up else hanging:
        drawn += doll.line([(0.0, 0.42), tip], doll.dark, 0.03)
    body = [(0.0, 0.47), (0.15, 0.4), (0.19, 0.15), (0.21, -0.2), (0.14, -0.37), (0.0, -0.39)]
    body += [(-0.14, -0.37), (-0.21, -0.2), (-0.19, 0.15), (-0.15, 0.4)]
    drawn += doll.shape(body)
    for height in (-0.14, -0.24):
        drawn += doll.line(
            [(-0.12, height), (0.0, height - 0.03), (0.12, height)], mix(doll.wool, CREAM, 0.5)
        )
    drawn += doll.mouth(0, 0.07, 0.18, 0.09)
    drawn += doll.eye(0, 0.25, 0.23)
    return drawn + doll.cheeks(0.12, 0.1)


def _green(doll: _Doll) -> Drawn:
    """Long ears: up when awake, hanging when asleep."""
    up = doll.awake
    drawn: Drawn = []
    for side in (-1, 1):
        if up:
            ear = [(side * 0.05, 0.2), (side * 0.08, 0.48), (side * 0.19, 0.62)]
            ear += [(side * 0.25, 0.46), (side * 0.19, 0.16)]
        else:
            ear = [(side * 0.08, 0.24), (side * 0.32, 0.28), (side * 0.46, 0.04)]
            ear += [(side * 0.42, -0.16), (side * 0.3, 0.0), (side * 0.18, 0.12)]
        drawn += doll.shape(ear)
        inner = _shrunk(ear, 0.5)
        drawn += felt([doll.at(*p) for p in curve(inner, 4)], mix(doll.wool, CHEEK, 0.6), 0.8)
        hand = (side * 0.4, 0.06) if up else (side * 0.2, -0.3)
        drawn += doll.limb([(side * 0.2, -0.12), (side * 0.33, -0.14), hand], 0.045)
        drawn += doll.limb([(side * 0.15, -0.3), (side * 0.2, -0.38)], 0.058)
    body = [(0.0, 0.26), (0.19, 0.19), (0.22, 0.02), (0.29, -0.2), (0.2, -0.36), (0.0, -0.39)]
    body += [(-0.2, -0.36), (-0.29, -0.2), (-0.22, 0.02), (-0.19, 0.19)]
    drawn += doll.shape(body)
    drawn += doll.mouth(0, -0.02, 0.16, 0.08)
    if doll.awake:
        drawn += felt(
            [doll.at(*p) for p in ((-0.045, -0.02), (0.045, -0.02), (0.04, -0.09), (-0.04, -0.09))],
            CREAM,
            0.8,
        )
    drawn += doll.eye(-0.09, 0.1, 0.12) + doll.eye(0.09, 0.1, 0.12)
    return drawn + doll.cheeks(0.16, 0.02)


def _blue(doll: _Doll) -> Drawn:
    """Wide, with many teeth."""
    up = doll.awake
    drawn: Drawn = []
    for side in (-1, 1):
        hand = (side * 0.49, 0.16) if up else (side * 0.44, -0.32)
        drawn += doll.limb([(side * 0.36, -0.12), (side * 0.48, -0.08), hand], 0.048)
        drawn += doll.limb([(side * 0.24, -0.3), (side * 0.26, -0.38)], 0.06)
    body = [(0.0, 0.14), (0.2, 0.18), (0.36, 0.1), (0.44, -0.1), (0.36, -0.32), (0.0, -0.37)]
    body += [(-0.36, -0.32), (-0.44, -0.1), (-0.36, 0.1), (-0.2, 0.18)]
    drawn += doll.shape(body)
    drawn += doll.mouth(0, -0.07, 0.62, 0.17) if up else []
    teeth = 6 if up else 4
    for i in range(teeth):
        across = (i - (teeth - 1) / 2) * 0.095
        drawn += doll.tooth(across, -0.07 if up else -0.12, 0.085, 0.09 if up else 0.06)
    if not up:
        drawn += doll.line([(-0.22, -0.11), (0.0, -0.125), (0.22, -0.11)], DARK, 0.02)
    for side in (-1, 1):
        drawn += doll.eye(side * 0.17, 0.11 if up else 0.03, 0.13)
    return drawn + doll.cheeks(0.32, -0.03)


def _plain(doll: _Doll) -> Drawn:
    """A monster of a newer server."""
    return doll.shape([(0, 0.3), (0.3, 0), (0, -0.36), (-0.3, 0)]) + doll.eye(0, 0.05, 0.16)


def _snore(doll: _Doll) -> Drawn:
    """Two letters Z that rise."""
    drawn: Drawn = []
    colour = mix(doll.wool, CREAM, 0.75)
    for across, up, size in ((0.3, 0.3, 0.1), (0.4, 0.44, 0.07)):
        left, right = (across - size / 2) * doll.size, (across + size / 2) * doll.size
        bottom, top = (up - size / 2) * doll.size, (up + size / 2) * doll.size
        sign = [(left, top), (right, top), (left, bottom), (right, bottom)]
        drawn += thread(sign, faded(DARK, 0.6), max(1.6, doll.size * 0.034))
        drawn += thread(sign, colour, max(1.0, doll.size * 0.018))
    return drawn


def _shrunk(points: list[Point], factor: float) -> list[Point]:
    middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    return [
        (middle[0] + (x - middle[0]) * factor, middle[1] + (y - middle[1]) * factor)
        for x, y in points
    ]


_DOLLS: dict[Colour, Callable[[_Doll], Drawn]] = {
    Colour.RED: _red,
    Colour.YELLOW: _yellow,
    Colour.GREEN: _green,
    Colour.BLUE: _blue,
}
