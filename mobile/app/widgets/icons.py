"""Icons drawn by hand: the font has no pictures, and a phone may have none either."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import cos, pi, sin

from app.boards.shapes import Drawn, Point, arc, disc, felt, oval, rounded, thread
from app.theme import DARK, WOOL, Rgba


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws in a square around (x, y), which reaches from -0.5 to 0.5 in both directions."""

    x: float
    y: float
    size: float
    colour: Rgba

    def at(self, across: float, up: float) -> Point:
        """The pixel of a place in the square."""
        return (self.x + across * self.size, self.y + up * self.size)

    def line(self, points: Iterable[Point], thick: float = 0.055) -> Drawn:
        """A line through places."""
        placed = [self.at(*point) for point in points]
        return thread(placed, self.colour, max(1.2, self.size * thick))

    def ring(self, points: list[Point], thick: float = 0.055) -> Drawn:
        """A closed line through places."""
        return self.line([*points, points[0]], thick)

    def shape(self, points: Iterable[Point]) -> Drawn:
        """A filled shape."""
        return felt([self.at(*point) for point in points], self.colour)

    def dot(self, across: float, up: float, size: float, colour: Rgba | None = None) -> Drawn:
        """A filled disc."""
        return disc(*self.at(across, up), size * self.size, colour or self.colour)


def icon(name: str, x: float, y: float, size: float, colour: Rgba) -> Drawn:
    """The icon `name`, `size` pixels large around (x, y); nothing for an unknown one."""
    drawing = _ICONS.get(name)
    return drawing(Pen(x, y, size, colour)) if drawing else []


def _back(pen: Pen) -> Drawn:
    return pen.line([(0.14, 0.3), (-0.16, 0), (0.14, -0.3)], 0.07)


def _gear(pen: Pen) -> Drawn:
    drawn = pen.ring(oval(0, 0, 0.5, 0.5), 0.08)
    for angle in [pi * i / 4 for i in range(8)]:
        drawn += pen.line(
            [(0.26 * cos(angle), 0.26 * sin(angle)), (0.41 * cos(angle), 0.41 * sin(angle))], 0.08
        )
    return drawn


def _again(pen: Pen) -> Drawn:
    drawn = pen.line(arc(0, 0, 0.64, 0.64, 70, 340), 0.07)
    return drawn + pen.shape([(0.36, 0.3), (0.06, 0.48), (0.06, 0.14)])


def _go(pen: Pen) -> Drawn:
    """On with it."""
    return pen.shape([(-0.24, 0.32), (0.34, 0), (-0.24, -0.32)])


def _find(pen: Pen) -> Drawn:
    """Looking for something: a glass."""
    return pen.ring(oval(-0.07, 0.07, 0.52, 0.52), 0.075) + pen.line(
        [(0.13, -0.13), (0.4, -0.4)], 0.12
    )


def _key(pen: Pen) -> Drawn:
    """A code to keep: a key."""
    drawn = pen.ring(oval(-0.24, 0, 0.34, 0.34), 0.08) + pen.line([(-0.06, 0), (0.42, 0)], 0.08)
    return (
        drawn
        + pen.line([(0.22, 0), (0.22, -0.18)], 0.08)
        + pen.line([(0.38, 0), (0.38, -0.18)], 0.08)
    )


def _enter(pen: Pen) -> Drawn:
    """In with a code: an arrow through a door."""
    drawn = pen.line([(0.02, 0.36), (0.34, 0.36), (0.34, -0.36), (0.02, -0.36)], 0.07)
    drawn += pen.line([(-0.4, 0), (0.02, 0)], 0.08)
    return drawn + pen.shape([(-0.06, 0.17), (0.16, 0), (-0.06, -0.17)])


def _best(pen: Pen) -> Drawn:
    """The best: a star."""
    points = [
        (reach * sin(pi * i / 5), reach * cos(pi * i / 5))
        for i, reach in enumerate([0.46, 0.2] * 5)
    ]
    return pen.shape(points)


def _cut(pen: Pen) -> Drawn:
    """No connection: two waves and a stroke through them."""
    drawn = pen.dot(0, -0.24, 0.13)
    for width in (0.45, 0.85):
        drawn += pen.line(arc(0, -0.26, width, width, 45, 135), 0.06)
    return drawn + pen.line([(-0.32, 0.3), (0.32, -0.34)], 0.06)


def _rub(pen: Pen) -> Drawn:
    """One sign back."""
    tag = [(-0.42, 0), (-0.16, 0.25), (0.4, 0.25), (0.4, -0.25), (-0.16, -0.25)]
    drawn = pen.ring(tag)
    drawn += pen.line([(0.0, 0.1), (0.2, -0.1)])
    return drawn + pen.line([(0.0, -0.1), (0.2, 0.1)])


def _list(pen: Pen) -> Drawn:
    drawn: Drawn = []
    for row in (-0.24, 0.0, 0.24):
        drawn += pen.dot(-0.32, row, 0.12)
        drawn += pen.line([(-0.14, row), (0.38, row)], 0.06)
    return drawn


def _friends(pen: Pen) -> Drawn:
    drawn: Drawn = []
    for aside, scale in ((0.22, 0.8), (-0.14, 1.0)):
        drawn += pen.dot(aside, 0.18 * scale, 0.28 * scale)
        drawn += pen.shape(arc(aside, -0.36, 0.54 * scale, 0.7 * scale, 0, 180))
    return drawn


def _monster(pen: Pen) -> Drawn:
    """The computer: a round monster with horns and one eye."""
    drawn = pen.shape(oval(0, -0.06, 0.72, 0.66))
    for aside in (-1, 1):
        drawn += pen.shape([(aside * 0.32, 0.06), (aside * 0.3, 0.46), (aside * 0.06, 0.2)])
    return drawn + pen.dot(0, -0.02, 0.3, WOOL) + pen.dot(0.02, -0.03, 0.14, DARK)


def _end(pen: Pen) -> Drawn:
    """A tick: done."""
    return pen.line([(-0.3, 0), (-0.08, -0.24), (0.34, 0.28)], 0.08)


def _up(pen: Pen) -> Drawn:
    """An arrow upwards."""
    drawn = pen.line([(0, -0.36), (0, 0.3)], 0.09)
    return drawn + pen.shape([(-0.28, 0.1), (0.28, 0.1), (0, 0.46)])


def _paste(pen: Pen) -> Drawn:
    drawn = pen.ring(rounded(-0.28, -0.4, 0.56, 0.72, 0.08))
    return drawn + pen.shape(rounded(-0.15, 0.22, 0.3, 0.2, 0.05))


def _person(pen: Pen) -> Drawn:
    drawn = pen.dot(0, 0.2, 0.34)
    return drawn + pen.shape(arc(0, -0.4, 0.66, 0.84, 0, 180))


def _cross(pen: Pen) -> Drawn:
    drawn = pen.line([(-0.24, 0.24), (0.24, -0.24)], 0.07)
    return drawn + pen.line([(-0.24, -0.24), (0.24, 0.24)], 0.07)


def _plus(pen: Pen) -> Drawn:
    return pen.line([(-0.3, 0), (0.3, 0)], 0.08) + pen.line([(0, -0.3), (0, 0.3)], 0.08)


def _more(pen: Pen) -> Drawn:
    """There is more below."""
    return pen.line([(-0.3, 0.14), (0, -0.16), (0.3, 0.14)], 0.08)


def _less(pen: Pen) -> Drawn:
    return pen.line([(-0.3, -0.14), (0, 0.16), (0.3, -0.14)], 0.08)


def _change(pen: Pen) -> Drawn:
    """Somebody else instead: an arrow each way."""
    drawn = pen.line([(-0.34, 0.16), (0.2, 0.16)], 0.07)
    drawn += pen.shape([(0.16, 0.34), (0.42, 0.16), (0.16, -0.02)])
    drawn += pen.line([(0.34, -0.2), (-0.2, -0.2)], 0.07)
    return drawn + pen.shape([(-0.16, -0.38), (-0.42, -0.2), (-0.16, -0.02)])


def _dots(pen: Pen) -> Drawn:
    """There is more to do."""
    return pen.dot(-0.3, 0, 0.17) + pen.dot(0, 0, 0.17) + pen.dot(0.3, 0, 0.17)


def _bulb(pen: Pen) -> Drawn:
    """A hint: a lamp."""
    drawn = pen.shape(oval(0, 0.14, 0.58, 0.58))
    drawn += pen.shape([(-0.16, -0.08), (0.16, -0.08), (0.13, -0.24), (-0.13, -0.24)])
    return drawn + pen.line([(-0.12, -0.3), (0.12, -0.3)]) + pen.line([(-0.07, -0.4), (0.07, -0.4)])


def _curve(pen: Pen) -> Drawn:
    """How it went: a line that goes up and down."""
    drawn = pen.line([(-0.38, 0.4), (-0.38, -0.36), (0.42, -0.36)], 0.06)
    return drawn + pen.line([(-0.26, -0.14), (-0.06, 0.1), (0.12, -0.06), (0.38, 0.32)], 0.08)


def _flag(pen: Pen) -> Drawn:
    """Giving up: a flag."""
    return pen.line([(-0.26, -0.42), (-0.26, 0.4)], 0.07) + pen.shape(
        [(-0.24, 0.4), (0.34, 0.22), (-0.24, 0.0)]
    )


def _talk(pen: Pen) -> Drawn:
    """Something to say: a bubble."""
    return pen.shape(rounded(-0.4, -0.14, 0.8, 0.5, 0.16)) + pen.shape(
        [(-0.2, -0.1), (0.08, -0.1), (-0.22, -0.4)]
    )


def _home(pen: Pen) -> Drawn:
    """A house with a door."""
    drawn = pen.line([(-0.42, 0.02), (0, 0.4), (0.42, 0.02)], 0.08)
    drawn += pen.line([(-0.3, 0.06), (-0.3, -0.38), (0.3, -0.38), (0.3, 0.06)], 0.08)
    return drawn + pen.line([(0, -0.36), (0, -0.12)], 0.12)


def _sun(pen: Pen) -> Drawn:
    """A holiday."""
    drawn = pen.dot(0, 0, 0.4)
    for across, up in ((1, 0), (0, 1), (-1, 0), (0, -1), (0.7, 0.7), (-0.7, 0.7)):
        drawn += pen.line([(across * 0.3, up * 0.3), (across * 0.42, up * 0.42)], 0.06)
    for across in (-0.7, 0.7):
        drawn += pen.line([(across * 0.3, -0.21), (across * 0.42, -0.3)], 0.06)
    return drawn


def _phone(pen: Pen) -> Drawn:
    """This device: a phone."""
    return pen.ring(rounded(-0.24, -0.44, 0.48, 0.88, 0.09)) + pen.dot(0, -0.3, 0.09)


def _book(pen: Pen) -> Drawn:
    """An open book."""
    drawn: Drawn = []
    for side in (-1, 1):
        page = [(0, 0.26), (side * 0.2, 0.34), (side * 0.42, 0.3)]
        drawn += pen.line([*page, (side * 0.42, -0.26), (side * 0.2, -0.22), (0, -0.32)], 0.06)
    return drawn + pen.line([(0, 0.26), (0, -0.32)], 0.06)


def _ask(pen: Pen) -> Drawn:
    """A question mark."""
    drawn = pen.line([*arc(0, 0.16, 0.44, 0.44, 170, -70), (0, -0.12)], 0.09)
    return drawn + pen.dot(0, -0.34, 0.12)


def _dice(pen: Pen) -> Drawn:
    """A die that shows three."""
    drawn = pen.ring(rounded(-0.34, -0.34, 0.68, 0.68, 0.14), 0.075)
    for place in (-0.17, 0.0, 0.17):
        drawn += pen.dot(place, -place, 0.13)
    return drawn


_ICONS: dict[str, Callable[[Pen], Drawn]] = {
    "back": _back,
    "gear": _gear,
    "again": _again,
    "best": _best,
    "enter": _enter,
    "find": _find,
    "go": _go,
    "key": _key,
    "cut": _cut,
    "rub": _rub,
    "list": _list,
    "friends": _friends,
    "monster": _monster,
    "end": _end,
    "up": _up,
    "paste": _paste,
    "person": _person,
    "cross": _cross,
    "plus": _plus,
    "more": _more,
    "less": _less,
    "change": _change,
    "phone": _phone,
    "book": _book,
    "ask": _ask,
    "bulb": _bulb,
    "curve": _curve,
    "dots": _dots,
    "flag": _flag,
    "talk": _talk,
    "sun": _sun,
    "home": _home,
    "dice": _dice,
}
