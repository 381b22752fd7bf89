"""Something to choose: what it is, a line that explains it, and a chip for each choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from app.widgets.buttons import Chip


class ChoiceRow(BoxLayout):
    """One option with its line and its choices. `on_choice(index)`: another one is wanted."""

    key = StringProperty("")
    """What it is called, for who made it."""
    title = StringProperty("")
    about = StringProperty("")
    beside = BooleanProperty(False)
    """Whether it stands beside another."""

    __events__ = ("on_choice",)

    def __init__(self, labels: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for index, label in enumerate(labels):
            chip = Chip(text=label)
            chip.bind(on_release=lambda _, index=index: self.dispatch("on_choice", index))
            self.ids.chips.add_widget(chip)

    @property
    def chips(self) -> list[Chip]:
        """The chips, in the order of the choices."""
        return list(reversed(self.ids.chips.children))

    def mark(self, chosen: Iterable[int]) -> None:
        """These are what is chosen."""
        marked = set(chosen)
        for index, chip in enumerate(self.chips):
            chip.chosen = index in marked

    def on_choice(self, index: int) -> None:
        """The choice of this number is wanted."""
