"""Many pieces of felt as one: a drawing of some hundred instructions becomes a single mesh.

Kivy sends every instruction to the graphics chip by itself, and thirty cards have thousands of
them. Baked, a card is one mesh whose corners bring their colours along; edges are smooth because
they fade out within a pixel.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Final

from kivy.graphics import Color, Mesh, RenderContext, SmoothEllipse, SmoothLine

from app.boards.shapes import Drawn, Point
from app.theme import Rgba

FADE: Final = 1.2
"""Pixels within which the edge of a line fades out: as Kivy's smooth lines do."""
SHARPEST: Final = 2.0
"""So much longer than a line is wide its corners may grow."""
_FORMAT: Final = [(b"vPosition", 2, "float"), (b"vTint", 4, "float")]
_VERTEX: Final = """
$HEADER$
attribute vec4 vTint;
varying vec4 tint;
void main(void) {
  tint = vTint;
  gl_Position = projection_mat * modelview_mat * vec4(vPosition.xy, 0.0, 1.0);
}
"""
_FRAGMENT: Final = """
$HEADER$
varying vec4 tint;
void main(void) {
  gl_FragColor = tint;
}
"""


def tinted() -> RenderContext:
    """A layer for baked drawings, and for nothing else."""
    # Both together: a shader that is set on its own is linked with one that does not fit.
    return RenderContext(
        vs=_VERTEX,
        fs=_FRAGMENT,
        use_parent_projection=True,
        use_parent_modelview=True,
        use_parent_frag_modelview=True,
    )


class Baked:
    """A drawing as corners and triangles."""

    def __init__(self, drawn: Drawn) -> None:
        self._corners = array("f")
        self._triangles = array("H")
        colour: Rgba = [1.0, 1.0, 1.0, 1.0]
        for one in drawn:
            if isinstance(one, Color):
                colour = one.rgba
            elif isinstance(one, SmoothLine):
                self._line(_pairs(one.points), one.width, colour, closed=one.close)
            elif isinstance(one, SmoothEllipse):
                self._oval(one.pos, one.size, colour)
            elif isinstance(one, Mesh):
                self._mesh(one, colour)
            else:
                raise TypeError(f"can't be baked: {one}")

    def mesh(self) -> Mesh:
        """The drawing, to be put on a `tinted` layer."""
        return Mesh(vertices=self._corners, indices=self._triangles, fmt=_FORMAT, mode="triangles")

    def _add(self, points: Iterable[Point], colour: Rgba) -> int:
        """Add corners; the number of the first one."""
        first = len(self._corners) // 6
        for x, y in points:
            self._corners.extend((x, y, *colour))
        return first

    def _mesh(self, mesh: Any, colour: Rgba) -> None:
        numbers = mesh.vertices
        points = [(numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 4)]
        first = self._add(points, colour)
        indices = [first + i for i in mesh.indices]
        if mesh.mode == "triangle_fan":
            hub, ring = indices[0], indices[1:]
            for one, other in itertools.pairwise(ring):
                self._triangles.extend((hub, one, other))
        elif mesh.mode == "triangle_strip":
            for i in range(len(indices) - 2):
                self._triangles.extend(indices[i : i + 3])
        elif mesh.mode == "triangles":
            self._triangles.extend(indices)
        else:
            raise TypeError(f"can't be baked: a mesh of {mesh.mode}")

    def _oval(self, corner: Sequence[float], size: Sequence[float], colour: Rgba) -> None:
        width, height = size
        count = max(12, min(48, int(max(size))))
        middle = (corner[0] + width / 2, corner[1] + height / 2)
        ring = [
            (
                middle[0] + width / 2 * math.cos(2 * math.pi * i / count),
                middle[1] + height / 2 * math.sin(2 * math.pi * i / count),
            )
            for i in range(count)
        ]
        hub = self._add([middle], colour)
        first = self._add(ring, colour)
        for i in range(count):
            self._triangles.extend((hub, first + i, first + (i + 1) % count))
        self._line(ring, 1.0, colour, closed=True)

    def _line(self, points: list[Point], width: float, colour: Rgba, *, closed: bool) -> None:
        """A band along a line that fades out at both sides."""
        points = _apart(points, closed=closed)
        if len(points) < 2:
            return
        ends = list(zip(points, _across(points, closed=closed), strict=True))
        solid = max(0.0, width - 1)
        clear = [*colour[:3], 0.0]
        bands = [(solid + FADE, clear), (solid, colour), (-solid, colour), (-solid - FADE, clear)]
        if not solid:
            del bands[2]
        rows = [
            self._add([(x + a * away, y + b * away) for (x, y), (a, b) in ends], tint)
            for away, tint in bands
        ]
        count = len(points)
        for i in range(count if closed else count - 1):
            j = (i + 1) % count
            for one, other in itertools.pairwise(rows):
                self._triangles.extend((one + i, one + j, other + i, one + j, other + j, other + i))


def _pairs(numbers: Sequence[Any]) -> list[Point]:
    if numbers and not isinstance(numbers[0], (int, float)):
        return [(x, y) for x, y in numbers]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _apart(points: list[Point], *, closed: bool) -> list[Point]:
    """The points without those that repeat the one before."""
    found = [one for i, one in enumerate(points) if not i or math.dist(one, points[i - 1]) > 1e-4]
    if closed and len(found) > 2 and math.dist(found[0], found[-1]) <= 1e-4:
        found.pop()
    return found


def _across(points: list[Point], *, closed: bool) -> list[Point]:
    """At each point the way across the line, longer at corners."""
    count = len(points)
    found: list[Point] = []
    for i, here in enumerate(points):
        before = points[i - 1] if i or closed else None
        after = points[(i + 1) % count] if i + 1 < count or closed else None
        first = _normal(before, here) if before is not None else None
        second = _normal(here, after) if after is not None else first
        assert second is not None
        first = first or second
        x, y = first[0] + second[0], first[1] + second[1]
        length = math.hypot(x, y)
        if length < 1e-6:
            found.append(second)
            continue
        x, y = x / length, y / length
        longer = min(SHARPEST, 1 / max(1e-6, x * second[0] + y * second[1]))
        found.append((x * longer, y * longer))
    return found


def _normal(start: Point, end: Point) -> Point:
    length = math.dist(start, end)
    return ((start[1] - end[1]) / length, (end[0] - start[0]) / length)
