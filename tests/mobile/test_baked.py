"""Drawings that become one mesh."""

from __future__ import annotations

import pytest
from kivy.core.window import Window
from kivy.graphics import Color, Mesh, Rectangle, SmoothEllipse, SmoothLine

from app.boards.baked import FADE, Baked
from app.boards.seek_cards import candy, card, star
from app.boards.shapes import Drawn, Seam, disc, felt, stitches, thread
from app.model.hide_and_seek import MONSTERS

assert Window is not None, "instructions need a window's graphics"

RED, BLUE = [0.9, 0.1, 0.1, 1.0], [0.1, 0.1, 0.9, 0.5]
SQUARE = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]


def corners(drawn: Drawn) -> list[tuple[float, ...]]:
    """x, y, red, green, blue and opacity of the three corners of each triangle."""
    mesh = Baked(drawn).mesh()
    assert mesh.mode == "triangles"
    numbers = [round(number, 4) for number in mesh.vertices]
    return [tuple(numbers[6 * i : 6 * i + 6]) for i in mesh.indices]


def area(found: list[tuple[float, ...]], opacity: float = 1.0) -> float:
    """What the triangles that are nowhere clearer than `opacity` cover."""
    total = 0.0
    for i in range(0, len(found), 3):
        (ax, ay), (bx, by), (cx, cy) = (one[:2] for one in found[i : i + 3])
        if all(one[5] >= opacity for one in found[i : i + 3]):
            total += abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
    return total


def test_felt_covers_its_shape_and_fades_out_around_it() -> None:
    found = corners(felt(SQUARE, RED, 1.0))
    assert area(found) == pytest.approx(100)
    assert {one[2:5] for one in found} == {(0.9, 0.1, 0.1)}
    reach = [x for x, *_ in found]
    assert (min(reach), max(reach)) == pytest.approx((-FADE, 10 + FADE), abs=1e-3)
    assert {one[5] for one in found if one[0] < -0.01} == {0.0}


def test_each_piece_keeps_its_colour_and_later_ones_lie_above() -> None:
    found = corners(felt(SQUARE, RED) + disc(5, 5, 4, BLUE))
    colours = [one[2:5] for one in found]
    assert colours == sorted(colours, reverse=True)
    assert {one[5] for one in found if one[2:5] == (0.1, 0.1, 0.9)} == {0.5, 0.0}
    assert area([one for one in found if one[2] == 0.1], 0.5) == pytest.approx(3.14 * 4, rel=0.1)


def test_lines_are_as_wide_as_kivy_draws_them() -> None:
    found = corners(thread([(0, 0), (20, 0)], RED, 3))
    solid = [one[1] for one in found if one[5] == 1.0]
    assert (min(solid), max(solid)) == (-2, 2)
    assert max(one[1] for one in found) == pytest.approx(2 + FADE)
    sewn = corners(stitches([(0, 0), (20, 0)], RED, Seam(2, 4, 2), closed=False))
    assert area(sewn) == pytest.approx(2 * (4 + 4 + 4 + 2), rel=0.15)


def test_all_cards_candies_and_stars_can_be_baked() -> None:
    pictures = [candy(90), star(0, 0, 40)]
    pictures += [
        card(face, (90, 80), night=night, known=face)
        for face in (*MONSTERS, None)
        for night in (False, True)
    ]
    for drawn in pictures:
        mesh = Baked(drawn).mesh()
        assert max(mesh.indices) == len(mesh.vertices) // 6 - 1 < 2**16
        shapes = [one for one in drawn if isinstance(one, Mesh | SmoothLine | SmoothEllipse)]
        assert len(shapes) > 2


def test_what_needs_a_texture_is_refused() -> None:
    with pytest.raises(TypeError, match="Rectangle"):
        Baked([Color(1, 1, 1), Rectangle(size=(1, 1))])


def test_a_strip_is_covered_triangle_by_triangle() -> None:
    numbers = [number for x, y in ((0, 0), (0, 10), (10, 0), (10, 10)) for number in (x, y, 0, 0)]
    strip = Mesh(vertices=numbers, indices=[0, 1, 2, 3], mode="triangle_strip")
    assert area(corners([Color(*RED), strip])) == pytest.approx(100)
    with pytest.raises(TypeError, match="a mesh of points"):
        Baked([Color(*RED), Mesh(vertices=numbers, indices=[0, 1, 2, 3], mode="points")])
