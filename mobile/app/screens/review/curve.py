"""The chances of every seat over a match, as lines: one colour and one stitch for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kivy.metrics import dp
from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from app.boards.shapes import Drawn, Point, Seam, disc, felt, rounded, stitches, thread
from app.boards.wool import seat_wool
from app.model import advice
from app.model.sock_monsters import Colour
from app.theme import DARK, WOOL, Rgba, faded, mix, theme
from app.widgets.card import Backdrop

MOST_POINTS: Final = 48
"""More of them would be a scribble: neighbours are taken together."""
WIN: Final = 1000
"""Thousandths of a win."""

_STITCHES: Final = (None, Seam(3.2, 11, 6), Seam(3.6, 3.6, 6), Seam(2.2, 18, 4))
"""How the line of each seat is sewn, dp; None for a thread without a gap."""


def seat_colour(game: str, seat: int) -> Rgba:
    """The colour that a seat has on the board, as strong as the ground needs it."""
    if game == "socker":
        wool = (theme.wool_south, theme.wool_north)[seat % 2]
    else:
        wool = seat_wool(Colour.of(seat))
    return mix(wool, WOOL, 0.25) if theme.dark else mix(wool, DARK, 0.18)


def line(points: Sequence[Point], game: str, seat: int) -> Drawn:
    """A line in the colour and with the stitch of a seat."""
    colour, seam = seat_colour(game, seat), _STITCHES[seat % len(_STITCHES)]
    if seam is None:
        return thread(points, colour, dp(1.6))
    return stitches(points, colour, Seam(*(dp(each) for each in seam)), closed=False)


def marker(x: float, y: float, game: str, seat: int) -> Drawn:
    """Where a line ends: another shape for each seat."""
    colour, size = seat_colour(game, seat), dp(5)
    if seat % 4 == 0:
        return disc(x, y, 2 * size, colour)
    if seat % 4 == 1:
        return felt(rounded(x - size, y - size, 2 * size, 2 * size, dp(1)), colour)
    if seat % 4 == 2:
        return felt(
            [(x, y + size * 1.3), (x + size * 1.2, y - size), (x - size * 1.2, y - size)], colour
        )
    return felt(
        [(x, y + size * 1.3), (x + size * 1.3, y), (x, y - size * 1.3), (x - size * 1.3, y)], colour
    )


def thinned(curve: Sequence[advice.Point], seat: int) -> list[tuple[float, float]]:
    """The line of a seat from (0, 0) to (1, 1): across the match, and up to a win for certain. Of
    many points neighbours are taken together; the last one, the end, stays by itself."""
    if not curve:
        return []
    first, last = curve[0].revision, curve[-1].revision
    span = max(1, last - first)
    points = [((one.revision - first) / span, one.expected[seat] / WIN) for one in curve]
    size = -(-(len(points) - 1) // MOST_POINTS) or 1
    found: list[tuple[float, float]] = []
    for start in range(0, len(points) - 1, size):
        some = points[start : min(start + size, len(points) - 1)]
        found.append((sum(x for x, _ in some) / len(some), sum(y for _, y in some) / len(some)))
    return [*found, points[-1]]


class Curve(Widget):
    """All lines. `curve` is a sequence of `advice.Point`; `mine` is drawn over the others."""

    curve = ObjectProperty(())
    game = StringProperty("")
    mine = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        refresh = self._backdrop.refresh
        self.bind(curve=refresh, game=refresh, mine=refresh)

    def backdrop(self) -> Drawn:
        """The frame, a line for even chances, and one for each seat."""
        left, low = self.x + dp(8), self.y + dp(8)
        width, height = self.width - dp(20), self.height - dp(16)
        if min(width, height) < dp(20):
            return []
        frame = rounded(self.x, self.y, self.width, self.height, dp(12))
        drawn = felt(frame, mix(theme.card, theme.ground, 0.55))
        seats = len(self.curve[0].expected) if self.curve else 0
        for share in (0.0, 1 / seats if seats else 0.5, 1.0):
            y = low + share * height
            drawn += stitches(
                [(left, y), (left + width, y)],
                faded(theme.seam, 0.8),
                Seam(dp(1), dp(3), dp(5)),
                closed=False,
            )
        for seat in sorted(range(seats), key=lambda seat: seat == self.mine):
            points = [
                (left + x * width, low + min(1.0, max(0.0, y)) * height)
                for x, y in thinned(self.curve, seat)
            ]
            if len(points) > 1:
                drawn += line(points, self.game, seat)
            drawn += marker(*points[-1], self.game, seat)
        return drawn


class Sample(Widget):
    """A short piece of a seat's line, for the legend."""

    game = StringProperty("")
    seat = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(game=self._backdrop.refresh, seat=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """The line and its end."""
        seat, y = int(self.seat), self.center_y
        drawn = line([(self.x, y), (self.right - dp(6), y)], self.game, seat)
        return drawn + marker(self.right - dp(6), y, self.game, seat)


class LegendRow(BoxLayout):
    """Whose line is which."""

    game = StringProperty("")
    seat = NumericProperty(0)
    name = StringProperty("")


class Thread(Widget):
    """How far something is: a thread that is drawn through, with a ball of wool at its end."""

    share = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(share=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """The way, and what of it is done."""
        left, right, y = self.x + dp(9), self.right - dp(9), self.center_y
        end = left + (right - left) * min(1.0, max(0.0, self.share))
        seam = Seam(dp(2), dp(6), dp(6))
        drawn = stitches([(left, y), (right, y)], faded(theme.seam, 0.8), seam, closed=False)
        if end > left:
            drawn += thread([(left, y), (end, y)], theme.accent, dp(2.5))
        return drawn + disc(end, y, dp(16), theme.accent)
