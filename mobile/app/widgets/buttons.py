"""Buttons cut from felt. All are at least 48 dp in both directions."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, OptionProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from app.boards.shapes import Drawn, disc
from app.theme import DARK, Rgba, faded, mix, theme
from app.widgets.card import Backdrop, patch
from app.widgets.fitted import Fitted
from app.widgets.icons import icon


class FeltButton(ButtonBehavior, Fitted):
    """A button with words: `main` in lamp yellow for the one thing to do now, else plain."""

    kind = OptionProperty("plain", options=["plain", "main", "quiet"])
    icon = StringProperty("")
    gone = BooleanProperty(False)
    """Takes no room, as if it were not there."""
    badge = BooleanProperty(False)
    """Whether something behind it waits for the player."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        refresh = self._backdrop.refresh
        self.bind(
            kind=refresh, icon=refresh, state=refresh, disabled=refresh, gone=refresh, badge=refresh
        )
        self.bind(texture_size=refresh)

    def backdrop(self) -> Drawn:
        """The drawing under the words."""
        colour: Rgba = {"main": theme.accent, "plain": theme.card_high}.get(self.kind, theme.card)
        ink: Rgba = theme.accent_ink if self.kind == "main" else theme.ink
        if self.disabled:
            colour, ink = mix(colour, theme.ground, 0.6), faded(ink, 0.4)
        elif self.state == "down":
            colour = mix(colour, DARK, 0.18)
        # Here, since a button's ink follows from more than the colours in use.
        self.color = self.disabled_color = ink
        seam = faded(ink, 0.28) if self.kind == "main" else faded(theme.seam, 0.6)
        drawn = patch(self, colour, radius=dp(18), seam=seam)
        if self.icon:
            words = self.texture_size[0] if self.text else 0
            left = self.center_x - words / 2 - (dp(22) if words else 0)
            drawn += icon(self.icon, max(self.x + dp(28), left), self.center_y, dp(26), ink)
        if self.badge:
            drawn += disc(self.right - dp(8), self.top - dp(8), dp(16), theme.accent)
        return drawn


class QuietLine(ButtonBehavior, Label):
    """A line of words that can be touched, beside buttons that matter more."""


class IconButton(ButtonBehavior, Widget):
    """A round button with a picture; `label` is what it is called, for tests and readers."""

    icon = StringProperty("")
    label = StringProperty("")
    high = BooleanProperty(False)
    """On a card, on which its disc would not be seen."""
    badge = BooleanProperty(False)
    """Whether something behind it waits for the player."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        refresh = self._backdrop.refresh
        self.bind(icon=refresh, state=refresh, high=refresh, badge=refresh)

    def backdrop(self) -> Drawn:
        """The picture."""
        colour: Rgba = theme.card_high if self.high else theme.card
        if self.state == "down":
            colour = mix(colour, DARK, 0.2)
        x, y = self.center
        drawn = disc(x, y, dp(44), colour)
        drawn += icon(self.icon, x, y, dp(24), theme.ink)
        if self.badge:
            drawn += disc(x + dp(16), y + dp(16), dp(12), theme.accent)
        return drawn


class Chip(ButtonBehavior, Fitted):
    """One of several choices."""

    chosen = BooleanProperty(False)
    needed = NumericProperty(0)
    """How high its words have to be, pixels; as high as its neighbours need it gets."""

    def __init__(self, **kwargs: Any) -> None:
        self._level = Clock.create_trigger(self._level_row, -1)
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(chosen=self._backdrop.refresh, state=self._backdrop.refresh)
        self.bind(needed=self._level, parent=self._level)

    def _level_row(self, *_: object) -> None:
        """No choice stands out because its words are longer."""
        row = [one for one in self.parent.children if isinstance(one, Chip)] if self.parent else []
        for one in row:
            one.height = max(other.needed for other in row)

    def backdrop(self) -> Drawn:
        """The drawing under the words."""
        colour = theme.card_high if self.chosen else theme.card
        seam = theme.accent if self.chosen else None
        return patch(self, colour, radius=dp(16), seam=seam)
