"""The vector shapes everything is cut from: felt with soft edges, stitches, wool.

All functions return lists of canvas instructions in pixels, y upwards. Kivy's plain polygons
have hard edges, so each felt shape gets a thin smooth line of its own colour around it.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias

from kivy.graphics import (
    Color,
    InstructionGroup,
    Mesh,
    Rectangle,
    SmoothEllipse,
    SmoothLine,
)
from kivy.graphics.texture import Texture

from app.theme import Rgba

Point: TypeAlias = tuple[float, float]
Drawn: TypeAlias = list[Any]


class Seam(NamedTuple):
    """A running stitch: the width of its thread, the length of a stitch, the gap to the next."""

    width: float
    dash: float
    gap: float


def fill(group: InstructionGroup, drawn: Drawn) -> None:
    """Put a drawing in place of what a layer held."""
    group.clear()
    for instruction in drawn:
        group.add(instruction)


def flat(points: Iterable[Point]) -> list[float]:
    """[x, y, x, y, …], as Kivy wants it."""
    return [number for point in points for number in point]


def curve(points: Sequence[Point], steps: int = 6, *, closed: bool = True) -> list[Point]:
    """A smooth line through the points (Catmull-Rom)."""
    count = len(points)
    spans = count if closed else count - 1
    found: list[Point] = []
    for i in range(spans):
        before, start, end, after = (
            points[(i + k) % count] if closed else points[min(max(i + k, 0), count - 1)]
            for k in (-1, 0, 1, 2)
        )
        for step in range(steps):
            t = step / steps
            found.append(
                (
                    _catmull(before[0], start[0], end[0], after[0], t),
                    _catmull(before[1], start[1], end[1], after[1], t),
                )
            )
    if not closed:
        found.append(points[-1])
    return found


def _catmull(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b
        + (c - a) * t
        + (2 * a - 5 * b + 4 * c - d) * t * t
        + (3 * b - a - 3 * c + d) * t * t * t
    )


def rounded(x: float, y: float, width: float, height: float, radius: float) -> list[Point]:
    """The outline of a rectangle with round corners."""
    radius = min(radius, width / 2, height / 2)
    found: list[Point] = []
    corners = [
        (x + width - radius, y + radius, -90),
        (x + width - radius, y + height - radius, 0),
        (x + radius, y + height - radius, 90),
        (x + radius, y + radius, 180),
    ]
    for centre_x, centre_y, start in corners:
        for step in range(7):
            angle = math.radians(start + step * 15)
            found.append((centre_x + radius * math.cos(angle), centre_y + radius * math.sin(angle)))
    return found


def oval(x: float, y: float, width: float, height: float, count: int = 32) -> list[Point]:
    """The outline of an ellipse around (x, y)."""
    return [
        (
            x + width / 2 * math.cos(2 * math.pi * i / count),
            y + height / 2 * math.sin(2 * math.pi * i / count),
        )
        for i in range(count)
    ]


def arc(x: float, y: float, width: float, height: float, start: int, end: int) -> list[Point]:
    """A piece of an ellipse around (x, y), degrees counted from the right, upwards."""
    return [
        (
            x + width / 2 * math.cos(math.radians(start + (end - start) * i / 10)),
            y + height / 2 * math.sin(math.radians(start + (end - start) * i / 10)),
        )
        for i in range(11)
    ]


def felt(points: Sequence[Point], colour: Rgba, edge: float = 1.2) -> Drawn:
    """A piece of felt: a filled outline, star-shaped seen from its middle."""
    middle = (
        sum(x for x, _ in points) / len(points),
        sum(y for _, y in points) / len(points),
    )
    ring = [middle, *points, points[0]]
    vertices = [number for x, y in ring for number in (x, y, 0.0, 0.0)]
    return [
        Color(*colour),
        Mesh(vertices=vertices, indices=list(range(len(ring))), mode="triangle_fan"),
        SmoothLine(points=flat(points), width=edge, close=True),
    ]


def disc(x: float, y: float, diameter: float, colour: Rgba) -> Drawn:
    """A round piece around (x, y)."""
    return ellipse(x, y, diameter, diameter, colour)


def ellipse(x: float, y: float, width: float, height: float, colour: Rgba) -> Drawn:
    """An oval piece around (x, y)."""
    return [
        Color(*colour),
        SmoothEllipse(pos=(x - width / 2, y - height / 2), size=(width, height)),
    ]


def thread(points: Sequence[Point], colour: Rgba, width: float) -> Drawn:
    """A line of wool."""
    return [Color(*colour), SmoothLine(points=flat(points), width=width)]


def stitches(points: Sequence[Point], colour: Rgba, seam: Seam, *, closed: bool = True) -> Drawn:
    """A running stitch along a line, all of it one mesh. (Kivy's own dashes only work at a
    width of one pixel.)"""
    vertices, indices = _sewn(tuple(points), seam, closed)
    return [Color(*colour), Mesh(vertices=vertices, indices=indices, mode="triangles")]


@lru_cache(maxsize=256)
def _sewn(points: tuple[Point, ...], seam: Seam, closed: bool) -> tuple[list[float], list[int]]:
    """Vertices and indices of the mesh. Kept, since a button that is touched is drawn anew in
    another colour, and sewing is most of drawing it."""
    ends = [*points, points[0]] if closed else list(points)
    vertices: list[float] = []
    indices: list[int] = []
    for bent in _dashes(ends, seam.dash, seam.gap):
        for start, end in itertools.pairwise(bent):
            length = math.dist(start, end)
            if length < 1e-6:
                continue
            across = (
                (start[1] - end[1]) / length * seam.width / 2,
                (end[0] - start[0]) / length * seam.width / 2,
            )
            first = len(vertices) // 4
            for x, y, side in ((*start, 1), (*end, 1), (*end, -1), (*start, -1)):
                vertices += (x + side * across[0], y + side * across[1], 0, 0)
            indices += (first, first + 1, first + 2, first, first + 2, first + 3)
    return vertices, indices


def _dashes(points: Sequence[Point], dash: float, gap: float) -> Iterable[list[Point]]:
    sewing, left = True, dash
    current: list[Point] = [points[0]]
    for start, end in itertools.pairwise(points):
        length = math.dist(start, end)
        done = 0.0
        while length - done > left:
            done += left
            share = done / length
            corner = (
                start[0] + (end[0] - start[0]) * share,
                start[1] + (end[1] - start[1]) * share,
            )
            if sewing:
                yield [*current, corner]
            current = [corner]
            sewing, left = not sewing, gap if sewing else dash
        left -= length - done
        current.append(end)
    if sewing and len(current) > 1:
        yield current


@cache
def felt_grain() -> Texture:
    """A tile of felt fibres, white and black specks with little opacity; made once, by code."""
    side = 96
    rng = random.Random("felt")
    pixels = bytearray(side * side * 4)
    for _ in range(1500):
        x, y = rng.randrange(side), rng.randrange(side)
        light = rng.choice((0, 255))
        angle, length = rng.uniform(0, math.pi), rng.randint(3, 8)
        for step in range(length):
            column = int(x + step * math.cos(angle)) % side
            row = int(y + step * math.sin(angle)) % side
            at = 4 * (row * side + column)
            pixels[at : at + 4] = bytes((light, light, light, 22))
    texture = _texture(side, bytes(pixels))
    texture.wrap = "repeat"
    return texture


@cache
def lamp_light() -> Texture:
    """A round light that fades outwards; stretched over whatever it shines on."""
    side = 48
    pixels = bytearray()
    for row in range(side):
        for column in range(side):
            away = math.hypot(column + 0.5 - side / 2, row + 0.5 - side / 2) / (side / 2)
            pixels += bytes((255, 255, 255, int(255 * max(0.0, 1 - away) ** 2)))
    return _texture(side, bytes(pixels))


def _texture(side: int, pixels: bytes) -> Texture:
    texture = Texture.create(size=(side, side), colorfmt="rgba")
    texture.mag_filter = texture.min_filter = "linear"

    def draw(blank: Texture) -> None:
        blank.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")

    draw(texture)
    texture.add_reload_observer(draw)  # after a lost context (kivy#3671)
    return texture


def grain(x: float, y: float, width: float, height: float, scale: float, alpha: float) -> Drawn:
    """Fibres over a rectangle; `scale` is the size of the tile in pixels."""
    across, up = width / scale, height / scale
    return [
        Color(1, 1, 1, alpha),
        Rectangle(
            pos=(x, y),
            size=(width, height),
            texture=felt_grain(),
            tex_coords=(0, 0, across, 0, across, up, 0, up),
        ),
    ]
