"""Text fields that get along with the keyboards of phones."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.core.window import Window
from kivy.factory import Factory
from kivy.metrics import dp
from kivy.uix.textinput import TextInput

from app.boards.shapes import Drawn
from app.theme import faded, mix, theme
from app.widgets.card import Backdrop, patch


class TypedText(TextInput):
    """A text field for phones; wherever kv says `TextInput`, this is made.

    A word that the keyboard suggests is entered once: some keyboards hand it over without taking
    back what they have shown of it, and it would stand there twice (kivy#6898, kivy#7294). And as
    long as it is typed into, the field lies in the upper half of the window: a phone's keyboard
    covers the lower one, and how high it is can't be relied on (kivy#4151).
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        # Under what the field itself draws there, the cursor and the colour of its words.
        self.canvas.before.remove(self._backdrop)
        self.canvas.before.insert(0, self._backdrop)
        self.bind(focus=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """A pocket in the felt."""
        seam = theme.accent if self.focus else faded(theme.seam, 0.6)
        return patch(self, mix(theme.card, theme.ground, 0.6), radius=dp(14), seam=seam)

    def keyboard_on_textinput(self, window: Any, text: str) -> None:
        if self._ime_composition:
            self.window_on_textedit(window, "")
        super().keyboard_on_textinput(window, text)

    def on_focus(self, _field: object, focused: bool) -> None:
        """Lift the app until this field is in the upper half, and let it down again."""
        app = App.get_running_app()
        if app is None or app.root is None:
            return
        app.root.y = 0
        if focused:
            app.root.y = max(0, Window.height / 2 - self.to_window(*self.pos)[1])


Factory.unregister("TextInput")
Factory.register("TextInput", cls=TypedText)
