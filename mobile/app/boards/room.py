"""The room that a board has where something, such as the words of a lesson, lies over its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

from kivy.metrics import dp

Rect: TypeAlias = tuple[float, float, float, float]
"""x, y, width and height, pixels."""

GAP_DP: Final = 6

Layout = TypeVar("Layout")


def clear_of(
    cover: Rect | None,
    place: Rect,
    fit: Callable[[Rect], Layout],
    drawn: Callable[[Layout], Rect],
) -> Layout:
    """The layout in `place`, or the largest one beside `cover` where that would lie over it.

    `fit` lays a board out in a rectangle; `drawn` is where a layout has something to see.
    """
    whole = fit(place)
    if cover is None or not _meet(drawn(whole), cover):
        return whole
    found = [fit(rect) for rect in beside(place, cover)]
    return max(found, key=lambda one: drawn(one)[2] * drawn(one)[3], default=whole)


def beside(place: Rect, cover: Rect) -> tuple[Rect, ...]:
    """What `cover` leaves of `place` on each of its sides, a little away from it."""
    x, y, width, height = place
    gap = dp(GAP_DP)
    left, bottom = cover[0] - gap, cover[1] - gap
    right, top = cover[0] + cover[2] + gap, cover[1] + cover[3] + gap
    sides = (
        (x, y, left - x, height),
        (right, y, x + width - right, height),
        (x, top, width, y + height - top),
        (x, y, width, bottom - y),
    )
    # Not more than there was: a cover may lie on one side only.
    inside = ((a, b, min(w, width), min(h, height)) for a, b, w, h in sides)
    return tuple(rect for rect in inside if rect[2] > 0 and rect[3] > 0)


def _meet(one: Rect, other: Rect) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )
