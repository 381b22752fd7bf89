"""Keys for codes: the signs that codes are made of and no others, so that no keyboard has to be
suffered (kivy#6898, kivy#4151)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.core.clipboard import Clipboard
from kivy.lang import Builder
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from app.boards.shapes import Drawn
from app.theme import DARK, faded, mix, theme
from app.widgets.buttons import Chip
from app.widgets.card import patch

KEYS = "23456789CDFGHJKMNPQRTVWXY"
"""The signs that codes are made of: no vowels, no look-alikes."""


class Key(Chip):
    """One sign to type: all stand out alike, and none looks like what was chosen of several."""

    def backdrop(self) -> Drawn:
        """A patch that gives under the finger."""
        cloth = mix(theme.card_high, DARK, 0.18) if self.state == "down" else theme.card_high
        return patch(self, cloth, radius=dp(16), seam=faded(theme.seam, 0.6))


class CodePad(BoxLayout):
    """Types a code of `length` signs. `on_whole(code)` when the last one is there; `on_nothing`
    when what was to be pasted holds no code."""

    length = NumericProperty(6)
    code = StringProperty("")
    locked = BooleanProperty(False)
    """Whether keys do nothing just now."""
    flat = BooleanProperty(False)
    """Whether the window is low, and the keys lie in few long rows."""

    __events__ = ("on_whole", "on_nothing")

    def __init__(self, **kwargs: Any) -> None:
        self.keys: dict[str, Key] = {}
        super().__init__(**kwargs)

    def on_kv_post(self, base_widget: Any) -> None:
        """Only now are there the places that kv makes."""
        super().on_kv_post(base_widget)
        for key in KEYS:
            chip = Key(text=key, chosen=True)
            chip.bind(on_release=lambda pressed: self.type(pressed.text))
            self.ids.pad.add_widget(chip)
            self.keys[key] = chip

    def type(self, key: str) -> None:
        """One more sign; the last one is the code."""
        if self.locked or len(self.code) >= self.length:
            return
        self.code += key
        self._whole()

    def rub(self) -> None:
        """One sign less."""
        self.code = self.code[:-1]

    def paste(self) -> None:
        """Take the code from what was copied, also out of a link."""
        if self.locked:
            return
        copied = Clipboard.paste().rpartition("/")[2].upper()
        self.code = "".join(sign for sign in copied if sign in KEYS)[: int(self.length)]
        if not self._whole():
            self.code = ""
            self.dispatch("on_nothing")

    def _whole(self) -> bool:
        if len(self.code) < self.length:
            return False
        self.dispatch("on_whole", self.code)
        return True

    def shown(self, code: str, length: float) -> str:
        """The code in groups, with dots for what is missing."""
        signs = [*code, *"·" * (int(length) - len(code))]
        group = 5 if length > 8 else 4 if length > 6 else 6
        groups = [" ".join(signs[i : i + group]) for i in range(0, len(signs), group)]
        return "   ".join(groups) if length <= 8 else "\n".join(groups)

    def on_whole(self, code: str) -> None:
        """The code is whole."""

    def on_nothing(self) -> None:
        """There was no code in what was copied."""


Builder.load_file(str(Path(__file__).with_suffix(".kv")))
