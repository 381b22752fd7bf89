"""Room tiles and what is on them, tokens, and the two dice. All around (0, 0), sizes in pixels.

Four motifs in four colours, each colour with the hat of its elf, so that no colour speaks alone.
"""

from __future__ import annotations

from collections.abc import Callable

from kivy.graphics import Color, Mesh, SmoothLine

from app.boards.elves import hat
from app.boards.shapes import (
    Drawn,
    Point,
    Seam,
    arc,
    curve,
    disc,
    felt,
    flat,
    oval,
    rounded,
    stitches,
    thread,
)
from app.boards.socks import Needle, star
from app.boards.wool import deep, seat_wool
from app.model.sock_monsters import Colour, Motif
from app.theme import CREAM, DARK, Rgba, faded, mix, theme


def tile_back(size: float) -> Drawn:
    """A tile face down: a quilt with the moon on it."""
    return _quilt(size) + _moon(size, mix(theme.linen, CREAM, 0.4))


def tile_known(colour: Colour, motif: Motif, size: float) -> Drawn:
    """A tile face down whose face the table's memory shows: small, and pale."""
    shape = motif_shape(motif, mix(seat_wool(colour), theme.linen, 0.35), size * 0.5)
    return _quilt(size) + shape


def tile_face(colour: Colour, motif: Motif, size: float) -> Drawn:
    """A tile face up."""
    wool = seat_wool(colour)
    drawn = _card(size, deep(wool), mix(wool, CREAM, 0.1))
    inner = size * 0.395
    drawn += felt(rounded(-inner, -inner, 2 * inner, 2 * inner, size * 0.09), CREAM, 1.0)
    drawn += motif_shape(motif, wool, size * 0.62)
    corner = Needle(-size * 0.3, size * 0.26, size * 0.17)
    return drawn + hat(colour, corner)


def token(colour: Colour, motif: Motif, size: float, *, up: bool) -> Drawn:
    """A token: its motif while it is up, turned over a plain stitched disc."""
    wool = seat_wool(colour)
    if not up:
        ground = mix(theme.card, theme.ground, 0.5)
        drawn = disc(0, 0, size, ground)
        ring = oval(0, 0, size * 0.82, size * 0.82, 20)
        seam = Seam(max(1.0, size * 0.05), size * 0.12, size * 0.12)
        return drawn + stitches(ring, faded(theme.seam, 0.8), seam)
    drawn = disc(0, 0, size, deep(wool))
    drawn += disc(0, 0, size * 0.9, CREAM)
    return drawn + motif_shape(motif, wool, size * 0.62)


def motif_shape(motif: Motif, wool: Rgba, size: float) -> Drawn:
    """A piece of furniture, `size` pixels high."""
    return _MOTIFS.get(motif, _question)(Needle(0, 0, size), wool)


def colour_die(face: Colour | None, size: float) -> Drawn:
    """The die of colours; None is the face with all four."""
    drawn = _cube(size)
    if face is not None:
        drawn += disc(0, 0, size * 0.66, deep(seat_wool(face)))
        drawn += disc(0, 0, size * 0.6, seat_wool(face))
        return drawn + hat(face, Needle(0, -size * 0.08, size * 0.34), CREAM)
    for colour, x, y in (
        (Colour.BLUE, -1, 1),
        (Colour.GREEN, 1, 1),
        (Colour.RED, -1, -1),
        (Colour.YELLOW, 1, -1),
    ):
        where = (x * size * 0.19, y * size * 0.19)
        drawn += disc(*where, size * 0.36, deep(seat_wool(colour)))
        drawn += disc(*where, size * 0.32, seat_wool(colour))
        drawn += hat(colour, Needle(where[0], where[1] - size * 0.04, size * 0.18), CREAM)
    return drawn


def eye_die(size: float, *, opened: bool) -> Drawn:
    """The eye die."""
    drawn = _cube(size)
    edge = mix(DARK, CREAM, 0.12)
    width = max(1.6, size * 0.035)
    if not opened:
        lid = Needle(0, size * 0.06, size)
        points = arc(0, size * 0.06, size * 0.56, size * 0.34, 190, 350)
        drawn += thread(points, edge, width)
        for across, up in ((-0.17, -0.1), (0.0, -0.15), (0.17, -0.1)):
            lash = lid.all([(across, up), (across * 1.25, up - 0.1)])
            drawn += thread(lash, edge, width * 0.8)
        return drawn
    almond = [(-0.33, 0.0), (-0.17, 0.17), (0.0, 0.21), (0.17, 0.17), (0.33, 0.0)]
    almond += [(0.17, -0.17), (0.0, -0.21), (-0.17, -0.17)]
    outline = [(x * size, y * size) for x, y in curve(almond, 4)]
    drawn += felt(outline, edge, width)
    drawn += felt([(x * 0.9, y * 0.86) for x, y in outline], mix(CREAM, theme.accent, 0.1), 1.0)
    drawn += disc(0, 0, size * 0.28, theme.accent)
    drawn += disc(0, 0, size * 0.16, DARK)
    return drawn + disc(-size * 0.04, size * 0.05, size * 0.06, CREAM)


def _card(size: float, edge: Rgba, face: Rgba) -> Drawn:
    half = size * 0.47
    outline = rounded(-half, -half, 2 * half, 2 * half, size * 0.13)
    drawn = felt([(x + size * 0.012, y - size * 0.03) for x, y in outline], theme.shade, 1.2)
    drawn += felt(outline, edge, 1.0)
    return drawn + felt([(x * 0.955, y * 0.955 + size * 0.012) for x, y in outline], face, 1.0)


def _quilt(size: float) -> Drawn:
    """The back of all tiles."""
    drawn = _card(size, mix(theme.linen, DARK, 0.12), theme.linen)
    half = size * 0.36
    seam = Seam(max(1.0, size * 0.016), size * 0.05, size * 0.04)
    outline = rounded(-half, -half, 2 * half, 2 * half, size * 0.08)
    return drawn + stitches(outline, faded(CREAM, 0.4), seam)


def _cube(size: float) -> Drawn:
    half = size * 0.5
    outline = rounded(-half, -half, size, size, size * 0.22)
    drawn = felt([(x + size * 0.03, y - size * 0.06) for x, y in outline], theme.shade, 1.5)
    drawn += felt(outline, mix(CREAM, DARK, 0.3), 1.5)
    drawn += felt([(x * 0.94, y * 0.94 + size * 0.02) for x, y in outline], CREAM, 1.0)
    seam = Seam(max(1.0, size * 0.018), size * 0.06, size * 0.05)
    line = rounded(-half * 0.82, -half * 0.8, size * 0.82, size * 0.82, size * 0.16)
    return drawn + stitches(line, faded(mix(CREAM, DARK, 0.4), 0.7), seam)


def _moon(size: float, colour: Rgba) -> Drawn:
    """A crescent, as one strip of cloth, since seen from its middle it is no star."""
    outer = arc(-size * 0.02, 0, size * 0.36, size * 0.36, 60, 300)
    inner = arc(size * 0.05, 0, size * 0.28, size * 0.28, 60, 300)
    strip = [point for both in zip(outer, inner, strict=True) for point in both]
    vertices = [number for x, y in strip for number in (x, y, 0.0, 0.0)]
    drawn: Drawn = [
        Color(*colour),
        Mesh(vertices=vertices, indices=list(range(len(strip))), mode="triangle_strip"),
        SmoothLine(points=flat([*outer, *reversed(inner)]), width=1.0, close=True),
    ]
    return drawn + felt(star(size * 0.12, size * 0.02, size * 0.06), colour, 0.5)


def _part(needle: Needle, points: list[Point], colour: Rgba) -> Drawn:
    return felt(needle.all(points), colour, needle.width(0.02))


def _box(
    needle: Needle, left: float, bottom: float, right: float, top: float, colour: Rgba
) -> Drawn:
    return _part(needle, rounded(left, bottom, right - left, top - bottom, 0.04), colour)


def _knob(needle: Needle, x: float, y: float, size: float = 0.09) -> Drawn:
    drawn = disc(*needle.at(x, y), needle.size * size * 1.3, mix(CREAM, DARK, 0.45))
    return drawn + disc(*needle.at(x, y), needle.size * size, CREAM)


def _chest(needle: Needle, wool: Rgba) -> Drawn:
    """A round lid, bands and a lock."""
    dark = deep(wool)
    lid = [(-0.5, 0.0), *arc(0, 0.0, 1.0, 0.84, 180, 0), (0.5, 0.0)]
    drawn = _part(needle, lid, dark)
    drawn += _part(needle, [(x * 0.9, y * 0.88 + 0.01) for x, y in lid], mix(wool, CREAM, 0.2))
    drawn += _box(needle, -0.5, -0.42, 0.5, 0.02, dark)
    drawn += _box(needle, -0.45, -0.38, 0.45, -0.03, wool)
    for side in (-1, 1):
        drawn += _box(needle, side * 0.3 - 0.06, -0.42, side * 0.3 + 0.06, 0.28, dark)
    drawn += _box(needle, -0.12, -0.16, 0.12, 0.1, CREAM)
    drawn += disc(*needle.at(0, 0.0), needle.size * 0.08, DARK)
    return drawn + _box(needle, -0.022, -0.11, 0.022, 0.0, DARK)


def _wardrobe(needle: Needle, wool: Rgba) -> Drawn:
    """Tall, with two doors."""
    dark = deep(wool)
    drawn: Drawn = []
    for left in (-0.33, 0.22):
        drawn += _box(needle, left, -0.52, left + 0.11, -0.4, dark)
    drawn += _box(needle, -0.37, -0.45, 0.37, 0.45, dark)
    drawn += _box(needle, -0.43, 0.4, 0.43, 0.52, dark)
    for side in (-1, 1):
        left, right = sorted((side * 0.03, side * 0.32))
        drawn += _box(needle, left, -0.39, right, 0.37, wool)
        left, right = sorted((side * 0.08, side * 0.27))
        drawn += _box(needle, left, 0.05, right, 0.31, mix(wool, CREAM, 0.3))
        drawn += _knob(needle, side * 0.08, -0.06)
    return drawn


def _drawers(needle: Needle, wool: Rgba) -> Drawn:
    """Low and wide, with three drawers."""
    dark = deep(wool)
    drawn: Drawn = []
    for left in (-0.46, 0.34):
        drawn += _box(needle, left, -0.5, left + 0.12, -0.36, dark)
    drawn += _box(needle, -0.52, -0.42, 0.52, 0.4, dark)
    drawn += _box(needle, -0.58, 0.34, 0.58, 0.46, dark)
    for bottom in (-0.36, -0.13, 0.1):
        drawn += _box(needle, -0.45, bottom, 0.45, bottom + 0.19, mix(wool, CREAM, 0.16))
        drawn += _knob(needle, -0.22, bottom + 0.095, 0.075)
        drawn += _knob(needle, 0.22, bottom + 0.095, 0.075)
    return drawn


def _basket(needle: Needle, wool: Rgba) -> Drawn:
    """A woven basket with two handles and washing in it."""
    dark = deep(wool)
    heap = [(-0.36, 0.12), (-0.3, 0.36), (-0.1, 0.3), (0.02, 0.46), (0.2, 0.32), (0.34, 0.36)]
    drawn = _part(needle, curve([*heap, (0.38, 0.12)], 4), mix(CREAM, DARK, 0.4))
    washing = [(x * 0.9, y * 0.92) for x, y in curve([*heap, (0.38, 0.12)], 4)]
    drawn += _part(needle, washing, mix(CREAM, DARK, 0.16))
    for side in (-1, 1):
        ring = oval(side * 0.47, 0.06, 0.16, 0.22, 16)
        drawn += thread(needle.all([*ring, ring[0]]), dark, needle.width(0.045))
    bowl = [(-0.52, 0.16), (0.52, 0.16), (0.38, -0.46), (-0.38, -0.46)]
    drawn += _part(needle, bowl, dark)
    drawn += _part(needle, [(x * 0.91, y * 0.91 - 0.01) for x, y in bowl], wool)
    light = mix(wool, CREAM, 0.5)
    for row, up in enumerate((0.03, -0.11, -0.25, -0.38)):
        half = 0.45 - row * 0.03
        for i in range(4):
            left = -half + (i + 0.12 + 0.3 * (row % 2)) * half / 2
            right = min(left + half * 0.3, half - 0.02)
            drawn += thread(needle.all([(left, up), (right, up)]), light, needle.width(0.04))
    return drawn + _box(needle, -0.56, 0.1, 0.56, 0.2, dark)


def _question(needle: Needle, wool: Rgba) -> Drawn:
    """A motif of a newer server."""
    return _part(needle, oval(0, 0, 0.6, 0.6), wool)


_MOTIFS: dict[Motif, Callable[[Needle, Rgba], Drawn]] = {
    Motif.CHEST: _chest,
    Motif.WARDROBE: _wardrobe,
    Motif.DRAWER: _drawers,
    Motif.BASKET: _basket,
}
