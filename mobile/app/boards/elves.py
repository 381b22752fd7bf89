"""Elves: players. On the board a pawn with a hat; on a placard the whole elf, barefoot, with the
pairs it has found on feet, hands and ears.

Four hats tell the seats apart: red a point, yellow a bobble, green a crown, blue a flat cap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from app.boards.shapes import Drawn, Point, arc, curve, disc, ellipse, felt, oval, thread
from app.boards.socks import Needle, sock
from app.boards.wool import deep, seat_wool
from app.model.sock_monsters import Colour, Sock
from app.theme import CHEEK, CREAM, DARK, SKIN, Rgba, faded, mix, theme

_SKIN_EDGE: Rgba = mix(SKIN, DARK, 0.28)

_WORN: Final[Sequence[tuple[tuple[float, float, float, bool], ...]]] = (
    ((-0.155, -0.37, 0.0, True), (0.155, -0.37, 0.0, False)),
    ((-0.43, -0.02, 105.0, False), (0.43, -0.02, -105.0, True)),
    ((-0.345, 0.3, 62.0, False), (0.345, 0.3, -62.0, True)),
)
"""Where the socks of the first, second and third pair sit: (across, up, angle, mirrored)."""


def pawn(seat: int, size: float) -> Drawn:
    """An elf on the board; `size` is the side of a cell, the origin its middle."""
    colour = Colour.of(seat)
    needle = Needle(0, -size * 0.04, size)
    drawn = ellipse(size * 0.06, -size * 0.38, size * 0.6, size * 0.2, theme.shade)
    for side in (-1, 1):
        drawn += ellipse(*needle.at(side * 0.11, -0.33), size * 0.17, size * 0.11, _SKIN_EDGE)
        drawn += ellipse(*needle.at(side * 0.11, -0.325), size * 0.15, size * 0.09, SKIN)
    coat = [(0.0, 0.12), (0.15, 0.06), (0.25, -0.2), (0.22, -0.31), (0.0, -0.33)]
    coat += [(-0.22, -0.31), (-0.25, -0.2), (-0.15, 0.06)]
    drawn += _piece(needle, coat, seat_wool(colour))
    for up in (-0.02, -0.13):
        drawn += disc(*needle.at(0, up), size * 0.05, CREAM)
    return drawn + _head(needle, colour, 0.16, 0.2)


def elf(seat: int, pairs: Sequence[tuple[Sock, Sock]], needle: Needle, bounce: int = -1) -> Drawn:
    """The elf of a placard, as high as the needle's size, wearing its pairs; the pair of number
    `bounce` is drawn larger, as it is when it has just been found."""
    colour = Colour.of(seat)
    size = needle.size
    drawn = ellipse(needle.x, needle.y - size * 0.47, size * 0.62, size * 0.1, theme.shade)
    for side in (-1, 1):
        drawn += _limb(needle, [(side * 0.1, -0.22), (side * 0.15, -0.36)])
        drawn += _foot(needle, side)
        drawn += _limb(needle, [(side * 0.13, -0.02), (side * 0.3, -0.06), (side * 0.4, 0.0)])
        drawn += disc(*needle.at(side * 0.41, 0.0), size * 0.09, _SKIN_EDGE)
        drawn += disc(*needle.at(side * 0.41, 0.0), size * 0.075, SKIN)
    coat = [(0.0, 0.08), (0.13, 0.05), (0.19, -0.12), (0.21, -0.25), (0.0, -0.28)]
    coat += [(-0.21, -0.25), (-0.19, -0.12), (-0.13, 0.05)]
    drawn += _piece(needle, coat, seat_wool(colour))
    for up in (-0.01, -0.1, -0.19):
        drawn += disc(*needle.at(0, up), size * 0.035, CREAM)
    drawn += _head(needle, colour, 0.2, 0.19)
    for number, (pair, places) in enumerate(zip(pairs, _WORN, strict=False)):
        for kind, (across, up, angle, mirrored) in zip(pair, places, strict=True):
            x, y = needle.at(across, up)
            worn = size * (0.34 if number == bounce else 0.27)
            drawn += sock(kind, Needle(x, y, worn, angle, mirrored))
    return drawn


def hat(colour: Colour, needle: Needle, wool: Rgba | None = None) -> Drawn:
    """A hat alone, as wide as the needle's size; of `wool`, else in the colour of its elf."""
    return _HATS.get(colour, _flat)(needle, wool or seat_wool(colour))


def _head(needle: Needle, colour: Colour, up: float, radius: float) -> Drawn:
    size = needle.size
    drawn: Drawn = []
    for side in (-1, 1):
        ear = [(side * radius * 0.75, up + 0.06), (side * (radius + 0.13), up + 0.11)]
        ear += [(side * radius * 0.8, up - 0.05)]
        drawn += felt(needle.all(ear), _SKIN_EDGE, needle.width(0.03))
        drawn += felt(needle.all([(x * 0.95, y) for x, y in ear]), SKIN, 0.8)
    drawn += disc(*needle.at(0, up), size * radius * 2.08, _SKIN_EDGE)
    drawn += disc(*needle.at(0, up), size * radius * 1.95, SKIN)
    for side in (-1, 1):
        drawn += disc(*needle.at(side * radius * 0.42, up + 0.005), size * 0.055, DARK)
        drawn += disc(*needle.at(side * radius * 0.42 - 0.01, up + 0.015), size * 0.018, CREAM)
        cheek = needle.at(side * radius * 0.64, up - radius * 0.36)
        drawn += ellipse(*cheek, size * 0.07, size * 0.045, faded(CHEEK, 0.8))
    smile = arc(*needle.at(0, up - radius * 0.3), size * 0.11, size * 0.07, 200, 340)
    drawn += thread(smile, DARK, needle.width(0.015))
    x, y = needle.at(0, up + radius * 0.62)
    return drawn + hat(colour, Needle(x, y, size * radius * 2.1))


def _piece(needle: Needle, points: list[Point], colour: Rgba) -> Drawn:
    outline = curve(points, 5)
    drawn = felt(needle.all(outline), deep(colour), needle.width(0.025))
    middle = sum(y for _, y in outline) / len(outline)
    inner = [(x * 0.9, middle + (y - middle) * 0.92) for x, y in outline]
    return drawn + felt(needle.all(inner), colour, 1.0)


def _limb(needle: Needle, points: list[Point]) -> Drawn:
    line = needle.all(points)
    return thread(line, _SKIN_EDGE, needle.width(0.045)) + thread(line, SKIN, needle.width(0.032))


def _foot(needle: Needle, side: int) -> Drawn:
    x, y = needle.at(side * 0.18, -0.42)
    drawn = ellipse(x, y, needle.size * 0.19, needle.size * 0.1, _SKIN_EDGE)
    drawn += ellipse(x, y, needle.size * 0.165, needle.size * 0.08, SKIN)
    for toe in (0.01, 0.045, 0.08):
        where = needle.at(side * (0.17 + toe), -0.435)
        drawn += disc(*where, needle.size * 0.03, mix(SKIN, DARK, 0.12))
    return drawn


def _brim(needle: Needle, light: Rgba) -> Drawn:
    where = needle.at(0, -0.02)
    drawn = felt(oval(*where, needle.size * 1.06, needle.size * 0.25), mix(light, DARK, 0.3))
    return drawn + felt(oval(*where, needle.size * 0.99, needle.size * 0.19), light)


def _point(needle: Needle, colour: Rgba) -> Drawn:
    cap = curve([(0.46, 0.0), (0.3, 0.32), (0.26, 0.6), (0.46, 0.84)], 5, closed=False)
    cap += curve([(0.46, 0.84), (0.0, 0.68), (-0.3, 0.38), (-0.46, 0.0)], 5, closed=False)
    drawn = felt(needle.all(cap), deep(colour), needle.width(0.06))
    inner = [(x * 0.86, y * 0.9 + 0.02) for x, y in cap]
    return drawn + felt(needle.all(inner), colour, 1.0) + _brim(needle, mix(colour, CREAM, 0.72))


def _bobble(needle: Needle, colour: Rgba) -> Drawn:
    light = mix(colour, CREAM, 0.72)
    cap = [(-0.46, 0.0), (-0.36, 0.32), (0.0, 0.48), (0.36, 0.32), (0.46, 0.0)]
    drawn = _piece(needle, cap, colour)
    for across in (-0.2, 0.0, 0.2):
        rib = needle.all([(across, 0.1), (across * 0.7, 0.38)])
        drawn += thread(rib, faded(deep(colour), 0.5), needle.width(0.03))
    drawn += _brim(needle, light)
    drawn += disc(*needle.at(0, 0.58), needle.size * 0.36, mix(light, DARK, 0.25))
    return drawn + disc(*needle.at(0, 0.59), needle.size * 0.3, light)


def _crown(needle: Needle, colour: Rgba) -> Drawn:
    tips = [(-0.48, 0.46), (-0.24, 0.2), (0.0, 0.56), (0.24, 0.2), (0.48, 0.46)]
    drawn: Drawn = []
    for grow, shade in ((1.0, deep(colour)), (0.88, colour)):
        # In pieces, since a crown is no star seen from its middle.
        for i in (0, 2, 4):
            left = tips[i - 1] if i else (-0.44, 0.0)
            right = tips[i + 1] if i < 4 else (0.44, 0.0)
            tooth = [tips[i], right, (right[0], -0.02), (left[0], -0.02), left]
            drawn += felt(needle.all([(x * grow, y * grow) for x, y in tooth]), shade, 1.2)
    for x, y in (tips[0], tips[2], tips[4]):
        drawn += disc(*needle.at(x, y), needle.size * 0.16, CREAM)
    return drawn + _brim(needle, mix(colour, CREAM, 0.72))


def _flat(needle: Needle, colour: Rgba) -> Drawn:
    cap = [(-0.6, 0.14), (-0.44, 0.38), (0.0, 0.46), (0.46, 0.38), (0.6, 0.14), (0.0, 0.02)]
    drawn = _piece(needle, cap, colour)
    drawn += disc(*needle.at(0, 0.44), needle.size * 0.13, mix(colour, CREAM, 0.72))
    peak = [(-0.05, 0.04), (0.3, 0.06), (0.66, -0.06), (0.62, -0.13), (0.2, -0.08)]
    drawn += felt(needle.all(peak), deep(colour), needle.width(0.03))
    return drawn + _brim(needle, mix(colour, CREAM, 0.72))


_HATS: dict[Colour, Callable[[Needle, Rgba], Drawn]] = {
    Colour.RED: _point,
    Colour.YELLOW: _bobble,
    Colour.GREEN: _crown,
    Colour.BLUE: _flat,
}
