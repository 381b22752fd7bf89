"""A code on a sheet of paper: to be written down, printed, or read to another device."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout


class CodeSheet(FloatLayout):
    """Shown as long as there is a code."""

    title = StringProperty("")
    about = StringProperty("")
    code = StringProperty("")
    name = StringProperty("")
    lines = StringProperty("")
    """The code as it is written down: a group a line."""

    wide = BooleanProperty(False)

    __events__ = ("on_copy", "on_close")

    def on_code(self, *_: object) -> None:
        """Another code, or none any more."""
        self.lines = self.code.replace("-", "\n")

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing behind it can be touched."""
        if not self.code:
            return False
        return bool(super().on_touch_down(touch)) or True

    def on_copy(self) -> None:
        """The code is to be copied."""

    def on_close(self) -> None:
        """The code has been read."""
