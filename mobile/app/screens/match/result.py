"""How a match ended, over its board; and what can be done next."""

from __future__ import annotations

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from app.screens.base import load_kv


class ResultSheet(FloatLayout):
    """The same for every game; the game's part gives the score and the picture."""

    over = BooleanProperty(False)
    busy = BooleanProperty(False)
    title = StringProperty("")
    score = StringProperty("")
    reason = StringProperty("")
    trouble = StringProperty("")

    __events__ = ("on_rematch", "on_home")

    def show_figure(self, figure: Widget) -> None:
        """Put a picture over the words."""
        self.ids.figure.clear_widgets()
        self.ids.figure.add_widget(figure)

    def on_rematch(self) -> None:
        """Play again."""

    def on_home(self) -> None:
        """Go home."""


load_kv(__file__)
