"""How a match ended, over its board; what it was like in numbers; and what can be done next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from app.model.statistics import Row
from app.screens.base import load_kv
from app.theme import FONT


class NumberLabel(Label):
    """A number, a name or a word of the table."""

    best = BooleanProperty(False)
    """The most of its row."""


class Numbers(GridLayout):
    """One row for each thing that was counted, one column for each seat."""

    line = NumericProperty(0)
    wanted = NumericProperty(0)
    """How wide the words of the first column are, pixels."""
    words = NumericProperty(0)
    """How wide that column is."""

    def on_words(self, *_: object) -> None:
        """The first column is as wide as its words, so that none of them are cut off."""
        for label in self.children:
            if label.size_hint_x is None:
                label.width = self.words

    def show(self, names: Sequence[str], rows: Sequence[Row]) -> None:
        """Show other numbers; none at all before they are known."""
        self.clear_widgets()
        self.cols = len(names) + 1
        self.line = sp(14) * 1.5
        if not rows:
            return
        font = CoreLabel(font_name=FONT, font_size=sp(14))
        self.wanted = max(font.get_extents(row.label)[0] for row in rows) + dp(8)
        self._line("", names)
        for row in rows:
            most = max(row.values)
            self._line(row.label, [str(value) for value in row.values])
            for label, value in zip(reversed(self.children[: len(names)]), row.values, strict=True):
                label.best = value == most > 0 and row.values.count(most) < len(row.values)

    def _line(self, label: str, values: Sequence[str]) -> None:
        words = NumberLabel(text=label, halign="left", size_hint_x=None, width=self.words)
        self.add_widget(words)
        for value in values:
            self.add_widget(NumberLabel(text=value, halign="center"))


class ResultSheet(FloatLayout):
    """The same for every game; the game's part gives the score and the picture."""

    over = BooleanProperty(False)
    high = BooleanProperty(False)
    """Whether there is room for a picture."""
    lying = BooleanProperty(False)
    """Whether the buttons lie side by side."""
    busy = BooleanProperty(False)
    title = StringProperty("")
    score = StringProperty("")
    reason = StringProperty("")
    trouble = StringProperty("")
    looks_back = BooleanProperty(False)
    """Whether how it went can be looked at."""
    checked = StringProperty("")
    """What became of checking the dice."""

    __events__ = ("on_rematch", "on_look_back", "on_check", "on_home")

    def show_figure(self, figure: Widget) -> None:
        """Put a picture over the words."""
        self.ids.figure.clear_widgets()
        self.ids.figure.add_widget(figure)

    def show_numbers(self, names: Sequence[str], rows: Sequence[Row]) -> None:
        """Say what the match was like; nothing before that is known."""
        self.ids.numbers.show(names, rows)

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing behind the sheet can be touched, but for the way back."""
        taken = bool(super().on_touch_down(touch))
        return taken or (self.over and self.ids.card.collide_point(*touch.pos))

    def on_rematch(self) -> None:
        """Play again."""

    def on_look_back(self) -> None:
        """See how it went."""

    def on_check(self) -> None:
        """Check the dice."""

    def on_home(self) -> None:
        """Go home."""


load_kv(__file__)
