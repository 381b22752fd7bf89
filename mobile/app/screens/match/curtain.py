"""The curtain between two people on one device: nothing is seen before it is in the right hands."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout

from app.screens.base import load_kv


class Curtain(FloatLayout):
    """Covers the match while `closed`. `on_ready(seat)`: the person of that seat is here."""

    closed = BooleanProperty(False)
    key = StringProperty("")
    """Which game lies behind it."""
    name = StringProperty("")
    """Who is waited for; "" while it is nobody's turn on this device."""
    seat = NumericProperty(0)

    __events__ = ("on_ready",)

    def close(self, name: str = "", seat: int = 0) -> None:
        """Cover everything until the person called `name` is here."""
        self.name, self.seat = name, seat
        self.closed = True

    def open(self) -> None:
        """Show the match."""
        self.closed = False

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing behind a closed curtain can be touched."""
        return bool(super().on_touch_down(touch)) or self.closed

    def on_ready(self, seat: int) -> None:
        """The person of `seat` has the device in hand."""


load_kv(__file__)
