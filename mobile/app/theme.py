"""The palette, the type sizes and the grid: one place for how everything looks.

A children's room at night with one lamp on: night indigo or oat-coloured linen, cards one step
lighter, and a single accent, lamp yellow, for the one thing to do now.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakMethod

from kivy.core.text import LabelBase
from kivy.event import EventDispatcher
from kivy.metrics import sp
from kivy.properties import BooleanProperty, ColorProperty
from kivy.utils import get_color_from_hex

Rgba: TypeAlias = list[float]

FONTS = Path(__file__).parent / "assets" / "fonts"
FONT = "Noto"

SIZES_SP = {"small": 14, "text": 16, "lead": 20, "title": 28, "poster": 40}

_NIGHT = {
    "ground": "#1f2140",
    "card": "#2b2e54",
    "card_high": "#383c69",
    "ink": "#f5eddf",
    "ink_dim": "#bdb8d6",
    "accent": "#f7c65b",
    "accent_ink": "#332a1c",
    "seam": "#6c70a3",
    "glow": "#f7b85b2e",
    "shade": "#0d0e2466",
    "warn": "#f0907f",
    "felt": "#3f7357",
    "felt_other": "#467c5f",
    "felt_line": "#9fcdaa",
    "wool_south": "#dd5d4e",
    "wool_south_deep": "#a83a35",
    "wool_north": "#5b93d6",
    "wool_north_deep": "#34609c",
    "linen": "#5d5a72",
    "linen_line": "#8b88a3",
}
_DAY = {
    "ground": "#efe4cf",
    "card": "#faf4e8",
    "card_high": "#fffdf7",
    "ink": "#2f2b4a",
    "ink_dim": "#68617f",
    "accent": "#f2b63c",
    "accent_ink": "#332a1c",
    "seam": "#c9b892",
    "glow": "#fff6dcd0",
    "shade": "#5b4a2a40",
    "warn": "#b8402f",
    "felt": "#6aa579",
    "felt_other": "#74b084",
    "felt_line": "#d9f0da",
    "wool_south": "#d9503f",
    "wool_south_deep": "#a33128",
    "wool_north": "#3f7cc4",
    "wool_north_deep": "#27578f",
    "linen": "#cdbf9f",
    "linen_line": "#a8977088",
}

CREAM = get_color_from_hex("#f8efdd")
SKIN = get_color_from_hex("#f3d3b3")
CHEEK = get_color_from_hex("#e79a8a")
DARK = get_color_from_hex("#2b2540")
WOOL = get_color_from_hex("#fbf3e2")
WOOL_SHADE = get_color_from_hex("#cdb78f")


class Theme(EventDispatcher):
    """The colours in use. What is drawn by hand follows them; rules of .kv do by themselves."""

    dark = BooleanProperty(True)
    ground = ColorProperty()
    card = ColorProperty()
    card_high = ColorProperty()
    ink = ColorProperty()
    ink_dim = ColorProperty()
    accent = ColorProperty()
    accent_ink = ColorProperty()
    seam = ColorProperty()
    glow = ColorProperty()
    shade = ColorProperty()
    warn = ColorProperty()
    felt = ColorProperty()
    felt_other = ColorProperty()
    felt_line = ColorProperty()
    wool_south = ColorProperty()
    wool_south_deep = ColorProperty()
    wool_north = ColorProperty()
    wool_north_deep = ColorProperty()
    linen = ColorProperty()
    linen_line = ColorProperty()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._followers: set[WeakMethod[Callable[[], None]]] = set()
        self.use(dark=True)

    def follow(self, redraw: Callable[[], None]) -> None:
        """Call a method whenever all colours have changed, for as long as its object lives.

        What is bound to a property stays bound: every card of every screen that ever was would.
        """
        self._followers.add(WeakMethod(redraw, self._followers.discard))

    def on_dark(self, *_: object) -> None:
        """It is night or day now."""
        for follower in [*self._followers]:
            redraw = follower()
            if redraw is not None:
                redraw()

    def use(self, *, dark: bool) -> None:
        """Switch to night or day; `dark` changes last, when all colours are in place."""
        colours = _NIGHT if dark else _DAY
        for name, colour in colours.items():
            setattr(self, name, get_color_from_hex(colour))
        for name in colours.keys() - {"ink"}:
            # Every label has a rule that follows `ink`. One that names another colour comes after
            # it, also where that colour is the same by night and by day and has not changed.
            self.property(name).dispatch(self)
        self.dark = dark


def register_fonts() -> None:
    """Make our font known, and the one that Kivy uses where none is named (row 35)."""
    regular = str(FONTS / "NotoSansCJKkr-Regular.subset.otf")
    bold = str(FONTS / "NotoSansCJKkr-Bold.subset.otf")
    for name in (FONT, "Roboto"):
        LabelBase.register(name, fn_regular=regular, fn_bold=bold)


def size(name: str) -> float:
    """A type size in pixels: small, text, lead, title or poster."""
    return float(sp(SIZES_SP[name]))


def mix(one: Rgba, other: Rgba, share: float) -> Rgba:
    """The colour `share` of the way from `one` to `other`."""
    return [a + (b - a) * share for a, b in zip(one, other, strict=True)]


def faded(colour: Rgba, alpha: float) -> Rgba:
    """The colour with another opacity."""
    return [*colour[:3], alpha]


theme = Theme()
