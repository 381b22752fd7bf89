"""Short words over the screen: why a touch did nothing, and that the server is away."""

from __future__ import annotations

from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.label import Label

from app.boards.shapes import Drawn
from app.theme import faded, theme
from app.widgets.card import Backdrop, patch
from app.widgets.icons import icon

SHOWN_S = 2.6


class Toast(Label):
    """One line that goes away by itself. Touches go through it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(opacity=0, **kwargs)
        self._backdrop = Backdrop(self)
        self._hide = Clock.create_trigger(self._fade, SHOWN_S)

    def backdrop(self) -> Drawn:
        """The patch under the words."""
        return patch(self, theme.card_high, radius=dp(16), seam=faded(theme.seam, 0.5))

    def say(self, text: str) -> None:
        """Show `text` for a while."""
        Animation.cancel_all(self, "opacity")
        self.text = text
        self.opacity = 1 if text else 0
        self._hide.cancel()
        if text:
            self._hide()

    def _fade(self, *_: object) -> None:
        Animation(opacity=0, duration=0.25, t="out_cubic").start(self)


class Banner(Label):
    """Shown as long as `on` is true; takes no room and no touches."""

    on = BooleanProperty(False)
    icon = StringProperty("cut")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)

    def backdrop(self) -> Drawn:
        """The patch and the picture."""
        drawn = patch(self, theme.card_high, radius=dp(16), seam=theme.warn)
        return drawn + icon(self.icon, self.x + dp(26), self.center_y, dp(22), theme.warn)
