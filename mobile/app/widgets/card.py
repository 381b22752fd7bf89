"""Grounds and cards: felt with a stitched seam."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from app.boards.shapes import Drawn, Seam, felt, grain, lamp_light, rounded, stitches
from app.theme import Rgba, faded, theme


class Backdrop(InstructionGroup):
    """A drawing under a widget, made anew when the widget or the colours change: its `backdrop`, or
    what `draw` says where it has several, each of which changes for reasons of its own."""

    def __init__(self, widget: Widget, draw: Callable[[], Drawn] | None = None) -> None:
        super().__init__()
        self._drawn = widget.backdrop if draw is None else draw
        self.refresh = Clock.create_trigger(self._draw, -1)
        widget.canvas.before.add(self)
        widget.bind(pos=self.refresh, size=self.refresh)
        theme.follow(self._draw)

    def _draw(self, *_: object) -> None:
        self.clear()
        for instruction in self._drawn():
            self.add(instruction)


def patch(widget: Widget, colour: Rgba, *, radius: float, seam: Rgba | None) -> Drawn:
    """A patch of felt the size of `widget`: shadow, cloth, fibres, stitches."""
    x, y, width, height = widget.x, widget.y, widget.width, widget.height
    if min(width, height) < dp(4):
        return []
    shape = rounded(x, y, width, height, radius)
    shadow = [(px + dp(1), py - dp(2.5)) for px, py in shape]
    drawn = felt(shadow, theme.shade, dp(1.5))
    drawn += felt(shape, colour, dp(0.6))
    inset = radius * 0.3
    drawn += grain(x + inset, y + inset, width - 2 * inset, height - 2 * inset, dp(96), 0.55)
    if seam is not None:
        gap = dp(5)
        line = rounded(x + gap, y + gap, width - 2 * gap, height - 2 * gap, radius - gap * 0.6)
        drawn += stitches(line, seam, Seam(dp(1.3), dp(6), dp(4)))
    return drawn


class Card(BoxLayout):
    """A sheet of felt, one step lighter than the ground."""

    radius = NumericProperty(dp(18))
    high = BooleanProperty(False)
    chosen = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(high=self._backdrop.refresh, chosen=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """The drawing under the content."""
        colour = theme.card_high if self.high or self.chosen else theme.card
        seam = theme.accent if self.chosen else faded(theme.seam, 0.55)
        return patch(self, colour, radius=self.radius, seam=seam)


class Ground(Widget):
    """What everything lies on: a dark floor and the light of one lamp from the top left."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)

    def backdrop(self) -> Drawn:
        """The drawing under everything."""
        reach = max(self.width, self.height) * 0.9
        return [
            Color(*theme.ground),
            Rectangle(pos=self.pos, size=self.size),
            Color(*theme.glow),
            Rectangle(
                pos=(self.x - reach * 0.55, self.top - reach * 0.55),
                size=(reach * 1.1, reach * 1.1),
                texture=lamp_light(),
            ),
            *grain(self.x, self.y, self.width, self.height, dp(96), 0.35),
        ]
