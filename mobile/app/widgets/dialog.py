"""A sheet over everything that asks one thing: a question, or what to do next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout

from app.i18n import tr
from app.widgets.buttons import FeltButton

MANY = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer. `key` is what it is called for tests; `main` marks the likely one."""

    key: str
    text: str
    act: Callable[[], None] = lambda: None
    icon: str = ""
    main: bool = False


class Dialog(FloatLayout):
    """Over all screens. A touch beside it, or the way back, is an answer as well: none of them."""

    shown = BooleanProperty(False)
    title = StringProperty("")
    about = StringProperty("")
    many = BooleanProperty(False)
    """Whether there are more answers than a low window has room for, one below the other."""
    columns = NumericProperty(1)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices: dict[str, FeltButton] = {}
        """The buttons on show, by key."""

    def ask(self, title: str, about: str, choices: Sequence[Choice]) -> None:
        """Ask; each choice closes the sheet, then acts. A button to close it comes last."""
        self.title, self.about = title, about
        self.choices = {}
        place = self.ids.choices
        place.clear_widgets()
        for choice in [*choices, Choice("close", tr("Never mind"))]:
            kind = "main" if choice.main else "quiet" if choice.key == "close" else "plain"
            button = FeltButton(text=choice.text, icon=choice.icon, kind=kind, font_size="16sp")
            button.bind(on_release=lambda _, choice=choice: self._chosen(choice))
            place.add_widget(button)
            self.choices[choice.key] = button
        self.many = len(self.choices) > MANY
        self.ids.scroll.scroll_y = 1
        self.shown = True

    def _chosen(self, choice: Choice) -> None:
        self.close()
        choice.act()

    def close(self) -> bool:
        """Go away; whether it was there."""
        was = bool(self.shown)
        self.shown = False
        return was

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing behind it can be touched."""
        if not self.shown:
            return False
        if not self.ids.card.collide_point(*touch.pos):
            self.close()
            return True
        return bool(super().on_touch_down(touch)) or True


Builder.load_file(str(Path(__file__).with_suffix(".kv")))
