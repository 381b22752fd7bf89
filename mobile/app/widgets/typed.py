"""Text fields that get along with the keyboards of phones."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.core.window import Window
from kivy.factory import Factory
from kivy.uix.textinput import TextInput


class TypedText(TextInput):
    """A text field for phones; wherever kv says `TextInput`, this is made.

    A word that the keyboard suggests is entered once: some keyboards hand it over without taking
    back what they have shown of it, and it would stand there twice (kivy#6898, kivy#7294). And as
    long as it is typed into, the field lies in the upper half of the window: a phone's keyboard
    covers the lower one, and how high it is can't be relied on (kivy#4151).
    """

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
