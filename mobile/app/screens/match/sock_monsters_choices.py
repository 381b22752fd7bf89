"""The row of big choices: everything a touch can mean that has no cell of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.label import Label

from app.boards.shapes import Drawn
from app.model.sock_monsters_touch import Choice, Hand
from app.model.sock_monsters_words import choice_label
from app.model.words import cut_at
from app.screens.match.laying import GAP_DP
from app.screens.match.sock_monsters_pictures import choice_picture, moved
from app.screens.match.sock_monsters_table import CHOICE_DP, rows_for
from app.theme import DARK, FONT, faded, mix, theme
from app.widgets.card import Backdrop, patch

WORDS_SP = (14, 13, 12, 11)
READABLE_SP = 12
"""So large the words are wherever there is room for another row."""
LEAST_DP = 48
PADDING_DP = 3
SEAM_DP = 7
"""So far words and pictures stay from the edge where there is a seam."""
SEAMED_DP = 72
"""So high a choice has room for a seam."""


class ChoiceButton(ButtonBehavior, Label):
    """One choice: a picture, and what it is called."""

    choice = ObjectProperty(None)
    chosen = BooleanProperty(False)
    seamed = BooleanProperty(False)
    """Whether there is room for a seam that runs through no words."""

    def __init__(self, hand: Hand, choice: Choice, names: Sequence[str], **kwargs: Any) -> None:
        self._hand = hand
        super().__init__(**kwargs)
        self.choice = choice
        self.chosen = hand.aimed is not None and choice.act == hand.aimed
        self.text = choice_label(hand, choice, names)
        self.font_size = sp(14)
        self.bold = self.chosen
        self._backdrop = Backdrop(self)
        self.bind(state=self._backdrop.refresh, seamed=self._backdrop.refresh)
        self.bind(size=self._fit, seamed=self._fit)

    def _fit(self, *_: object) -> None:
        """The words under the picture, or beside it where there is more width than height."""
        if self._beside:
            picture = self.height * 0.95
            self.text_size = (self.width, self.height)
            self.padding = [picture, 0, dp(8), 0]
            self.halign, self.valign = "left", "middle"
        else:
            aside = dp(SEAM_DP if self.seamed else PADDING_DP)
            self.text_size = (self.width, self.height - (2 * aside if self.seamed else dp(5)))
            self.padding = [aside, 0, aside, 0]
            self.halign, self.valign = "center", "bottom"
        self.shorten, self.shorten_from = True, cut_at(self.text)
        self.font_size = self._largest(self.width - self.padding[0] - self.padding[2])

    @property
    def is_whole(self) -> bool:
        """Whether none of its words are cut off."""
        room = self.width - self.padding[0] - self.padding[2]
        return bool(_extents(self.text, self.font_size)[0] <= room)

    def _largest(self, room: float) -> float:
        """The size in which the words fit and leave room for the picture, down to what can still
        be read."""
        most = self.height * (0.9 if self._beside else 0.42)
        for size in WORDS_SP:
            width, height = _extents(self.text, sp(size))
            if width <= room and height <= most:
                break
        return float(sp(size))

    @property
    def _beside(self) -> bool:
        room = self.width - self.height * 0.95 - dp(8)
        fits = _extents(self.text, sp(READABLE_SP))[0] <= room
        return bool(self.width > self.height * 2.2) and fits

    def backdrop(self) -> Drawn:
        """Cloth, and the picture on it."""
        colour = theme.accent if self.chosen else theme.card_high
        self.color = theme.accent_ink if self.chosen else theme.ink
        if self.state == "down":
            colour = mix(colour, DARK, 0.18)
        seam = faded(theme.accent_ink, 0.28) if self.chosen else faded(theme.seam, 0.6)
        clear = self.seamed or self._beside
        drawn = patch(self, colour, radius=dp(16), seam=seam if clear else None)
        words = self.font_size * 1.45 + (dp(SEAM_DP - 2) if self.seamed else 0)
        if self._beside:
            size = self.height * 0.72
            return drawn + moved(
                self.x + self.height * 0.5,
                self.center_y,
                choice_picture(self._hand, self.choice, size),
            )
        size = min(self.height - words - dp(8), self.width * 0.62)
        if size < dp(14):
            return drawn
        y = self.y + words + (self.height - words) / 2 - dp(1)
        return drawn + moved(self.center_x, y, choice_picture(self._hand, self.choice, size))


def _extents(text: str, size: float) -> tuple[float, float]:
    """Width and height of a line of bold words, pixels."""
    width, height = CoreLabel(font_name=FONT, font_size=size, bold=True).get_extents(text)
    return (float(width), float(height))


class Choices(FloatLayout):
    """The choices of a hand, in as many rows as their words need. `on_choose(choice)` when one is
    touched."""

    __events__ = ("on_choose",)

    def show(self, hand: Hand, names: Sequence[str]) -> None:
        """Offer what `hand` offers."""
        self.clear_widgets()
        for choice in hand.choices:
            button = ChoiceButton(hand, choice, names, size_hint=(None, None))
            button.bind(on_release=lambda one: self.dispatch("on_choose", one.choice))
            self.add_widget(button)

    @property
    def narrowest(self) -> float:
        """How wide each of them has to be for all words to be read, pixels."""
        return float(self._widest(READABLE_SP) + dp(2 * PADDING_DP) + 1)

    def _widest(self, size: float) -> float:
        widths = [_extents(button.text, sp(size))[0] for button in self.children]
        return float(max(widths, default=0.0))

    def do_layout(self, *_: object, **__: object) -> None:
        buttons = list(reversed(self.children))
        if not buttons:
            return
        rows = rows_for(len(buttons), self.width, dp(1), self.narrowest)
        # Large enough to be touched comes first.
        rows = min(rows, max(1, int(self.height // dp(LEAST_DP + GAP_DP))))
        columns = math.ceil(len(buttons) / rows)
        gap = dp(GAP_DP)
        width = min((self.width - gap * (columns - 1)) / columns, dp(190))
        height = min((self.height - gap * (rows - 1)) / rows, dp(CHOICE_DP))
        # Never smaller words for a seam's sake, and all of them look the same.
        room = width - dp(2 * SEAM_DP) - 1
        seamed = height >= dp(SEAMED_DP) and self._widest(WORDS_SP[0]) <= room
        top = self.y + (self.height + rows * height + gap * (rows - 1)) / 2
        for number, button in enumerate(buttons):
            row, column = divmod(number, columns)
            here = min(columns, len(buttons) - row * columns)
            left = self.center_x - (here * width + (here - 1) * gap) / 2
            button.seamed = seamed
            button.size = (width, height)
            button.pos = (
                left + column * (width + gap),
                top - height - row * (height + gap),
            )

    def on_choose(self, choice: Choice) -> None:
        """`choice` was touched."""
