"""Cards, candies and stars of Monster Hide and Seek.

Both sides of a card show a monster, so each has a border of its own: running stitches on the day
side, a zigzag on the night side. A flip is seen also where the monster stays the same.
"""

from __future__ import annotations

import itertools
import math
from typing import Final

from kivy.graphics import Color, SmoothLine
from kivy.utils import get_color_from_hex

from app.boards.seek_monsters import hider
from app.boards.shapes import (
    Drawn,
    Point,
    Seam,
    disc,
    ellipse,
    felt,
    flat,
    oval,
    rounded,
    stitches,
    thread,
)
from app.model.hide_and_seek import Face
from app.theme import CREAM, DARK, Rgba, faded, mix, theme

_BORDERS: Final[tuple[Rgba, Rgba]] = (
    get_color_from_hex("#c2694c"),
    get_color_from_hex("#4c5aa0"),
)
_GROUNDS: Final[tuple[Rgba, Rgba]] = (
    get_color_from_hex("#fbf1dc"),
    get_color_from_hex("#dfe2f2"),
)
_SWEET: Final[Rgba] = get_color_from_hex("#d9465f")
_MINT: Final[Rgba] = get_color_from_hex("#bfe0cf")
_STAR: Final[Rgba] = get_color_from_hex("#f4bf3f")


def card(
    face: Face | None, size: tuple[float, float], *, night: bool, known: Face | None = None
) -> Drawn:
    """A card around (0, 0), `size` wide and high; `face` is None for one that nobody saw, `known`
    peeps out where the table remembers what is on the other side."""
    width, height = size
    side = min(size)
    drawn = card_cloth(size, night=night)
    if face is not None:
        drawn += hider(face, side * 0.7)
    if known is not None:
        x, y = width / 2 - side * 0.2, -height / 2 + side * 0.2
        drawn += disc(x, y, side * 0.36, _BORDERS[not night])
        drawn += disc(x, y, side * 0.31, _GROUNDS[not night])
        drawn += hider(known, side * 0.27, x, y)
    return drawn


def card_cloth(size: tuple[float, float], *, night: bool) -> Drawn:
    """A side of a card without its monster."""
    width, height = size
    side = min(size)
    x, y = -width / 2, -height / 2
    outline = rounded(x, y, width, height, side * 0.15)
    border, ground = _BORDERS[night], _GROUNDS[night]
    drawn = felt([(px + side * 0.015, py - side * 0.035) for px, py in outline], theme.shade, 1.5)
    drawn += felt(outline, border, 1.0)
    drawn += hem(outline, mix(border, DARK, 0.3), max(1.0, side * 0.01))
    inset = side * 0.105
    inner = rounded(x + inset, y + inset, width - 2 * inset, height - 2 * inset, side * 0.09)
    drawn += felt(inner, ground, 1.0)
    middle = side * 0.058
    line = rounded(x + middle, y + middle, width - 2 * middle, height - 2 * middle, side * 0.11)
    if night:
        zigzag = _zigzag(line, side * 0.06, side * 0.022)
        return drawn + thread(zigzag, mix(border, CREAM, 0.62), max(1.0, side * 0.011))
    seam = Seam(max(1.2, side * 0.022), side * 0.07, side * 0.05)
    return drawn + stitches(line, mix(border, CREAM, 0.72), seam)


def _zigzag(line: list[Point], step: float, away: float) -> list[Point]:
    """Points left and right of a closed line in turn."""
    ends = [*line, line[0]]
    found: list[Point] = []
    left, side = 0.0, 1
    for (x, y), (to_x, to_y) in itertools.pairwise(ends):
        length = math.hypot(to_x - x, to_y - y)
        while length > 1e-6 and left <= length:
            share = left / length
            across = ((y - to_y) / length * away * side, (to_x - x) / length * away * side)
            found.append((x + (to_x - x) * share + across[0], y + (to_y - y) * share + across[1]))
            left, side = left + step / 2, -side
        left -= length
    return [*found, found[0]]


def hem(outline: list[Point], colour: Rgba, width: float) -> Drawn:
    """A line around a piece."""
    return [Color(*colour), SmoothLine(points=flat(outline), width=width, close=True)]


def rim(size: tuple[float, float], colour: Rgba, width: float) -> Drawn:
    """Light around a card, so wide."""
    wide, high = size[0] + width, size[1] + width
    outline = rounded(-wide / 2, -high / 2, wide, high, min(size) * 0.15 + width / 2)
    return hem(outline, colour, width / 2 + 0.5)


def gap(size: tuple[float, float]) -> Drawn:
    """Where a card lay: a patch that stays empty."""
    width, height = size[0] * 0.86, size[1] * 0.86
    outline = rounded(-width / 2, -height / 2, width, height, min(size) * 0.16)
    drawn = felt(outline, faded(DARK, 0.13), 1.0)
    return drawn + stitches(outline, faded(theme.seam, 0.3), Seam(1.2, min(size) * 0.06, 6))


def candy(side: float) -> Drawn:
    """A wrapped candy on a small round mat."""
    drawn = disc(side * 0.015, -side * 0.035, side * 0.84, theme.shade)
    drawn += disc(0, 0, side * 0.84, mix(_MINT, DARK, 0.25))
    drawn += disc(0, 0, side * 0.8, _MINT)
    ring = oval(0, 0, side * 0.7, side * 0.7, 40)
    drawn += stitches(ring, mix(_MINT, DARK, 0.2), Seam(max(1.0, side * 0.016), side * 0.05, 4))
    return drawn + wrapper(side, -1) + wrapper(side, 1) + sweet(side)


def wrapper(side: float, end: int) -> Drawn:
    """One end of the paper, twisted; `end` -1 is the left one."""
    tail = [(0.17, 0.03), (0.36, 0.17), (0.33, 0.08), (0.38, 0.0), (0.33, -0.08), (0.36, -0.17)]
    outline = [(end * x * side, y * side) for x, y in [*tail, (0.17, -0.03)]]
    drawn = felt(outline, mix(_SWEET, DARK, 0.4), max(1.5, side * 0.03))
    drawn += felt(outline, mix(_SWEET, CREAM, 0.45), 1.0)
    for height in (-0.08, 0.0, 0.08):
        fold = [(end * 0.2 * side, height * 0.2 * side), (end * 0.33 * side, height * side)]
        drawn += thread(fold, faded(_SWEET, 0.8), max(1.0, side * 0.012))
    return drawn


def sweet(side: float) -> Drawn:
    """The candy itself: a striped ball."""
    drawn = ellipse(0, 0, side * 0.47, side * 0.41, mix(_SWEET, DARK, 0.45))
    drawn += ellipse(0, 0, side * 0.43, side * 0.37, _SWEET)
    for across in (-0.11, 0.02, 0.15):
        stripe = [(across - 0.025, -0.15), (across + 0.025, -0.15), (across + 0.0, 0.15)]
        tilted = [(x * side, y * side) for x, y in [*stripe, (across - 0.05, 0.15)]]
        drawn += felt(tilted, CREAM, 1.0)
    return drawn + ellipse(-side * 0.09, side * 0.09, side * 0.1, side * 0.06, faded(CREAM, 0.8))


def star(x: float, y: float, size: float) -> Drawn:
    """A felt star."""
    drawn: Drawn = []
    for grow, colour in ((1.0, mix(_STAR, DARK, 0.4)), (0.8, _STAR)):
        points = []
        for i in range(10):
            away = size / 2 * grow * (0.5 if i % 2 else 1.0)
            angle = math.pi / 2 + math.pi * i / 5
            points.append((x + away * math.cos(angle), y + away * math.sin(angle)))
        drawn += felt(points, colour, max(1.0, size * 0.06))
    return drawn


def turn_badge(x: float, y: float, size: float) -> Drawn:
    """Two bent arrows: this card is going to turn."""
    drawn = disc(x, y, size, mix(theme.accent, DARK, 0.5)) + disc(x, y, size * 0.9, theme.accent)
    ink = theme.accent_ink
    for start in (20, 200):
        bow = [
            (
                x + size * 0.27 * math.cos(math.radians(start + step * 12)),
                y + size * 0.27 * math.sin(math.radians(start + step * 12)),
            )
            for step in range(11)
        ]
        drawn += thread(bow, ink, max(1.2, size * 0.08))
        angle = math.radians(start + 120)
        tip = (x + size * 0.27 * math.cos(angle), y + size * 0.27 * math.sin(angle))
        ahead = angle + math.pi / 2 + 0.25
        head = [
            (tip[0] + size * 0.17 * math.cos(ahead), tip[1] + size * 0.17 * math.sin(ahead)),
            (
                tip[0] + size * 0.15 * math.cos(ahead + 2.2),
                tip[1] + size * 0.15 * math.sin(ahead + 2.2),
            ),
            (
                tip[0] + size * 0.15 * math.cos(ahead - 2.2),
                tip[1] + size * 0.15 * math.sin(ahead - 2.2),
            ),
        ]
        drawn += felt(head, ink, 1.0)
    return drawn
