"""The rows of a table in the making: a seat, and something to choose."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from app.i18n import tr
from app.model.games import Knob
from app.model.term_knobs import TermKnob
from app.model.values import Agent, Here, SeatRequest, SeatWish
from app.model.words import portrait
from app.screens.base import load_kv
from app.widgets import Card, Chip


class WishCard(ButtonBehavior, Card):
    """Somebody who may sit on a seat."""

    wish = ObjectProperty(None, allownone=True)
    me = StringProperty("")
    icon = StringProperty("")
    title = StringProperty("")
    about = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if self.wish is not None:
            self.icon, self.title, self.about = describe(self.wish, self.me)


class SeatRow(WishCard):
    """A seat and who sits there; a touch offers others. `on_remove`: the seat is to go."""

    removable = BooleanProperty(False)

    __events__ = ("on_remove",)

    def on_remove(self) -> None:
        """The seat is to go."""


class KnobRow(BoxLayout):
    """One option with its line and its choices. `on_choice(index)`: another one is wanted."""

    title = StringProperty("")
    about = StringProperty("")

    __events__ = ("on_choice",)

    def __init__(self, knob: Knob | TermKnob, chosen: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.knob = knob
        self.title, self.about = knob.title, knob.about
        for index, label in enumerate([choice.label for choice in knob.choices]):
            chip = Chip(text=label, chosen=index == chosen)
            chip.bind(on_release=lambda _, index=index: self.dispatch("on_choice", index))
            self.ids.chips.add_widget(chip)

    def on_choice(self, index: int) -> None:
        """The choice of this number is wanted."""


def describe(wish: SeatRequest, me: str) -> tuple[str, str, str]:
    """Icon, name and a line for whoever `wish` is."""
    match wish:
        case Agent():
            words = portrait(wish)
            return ("monster", words.name, words.about)
        case Here(name=name):
            return ("person", name, tr("On this phone"))
        case SeatWish.ME:
            return ("person", tr("You ({name})", name=me), tr("On this phone"))
        case SeatWish.FRIEND:
            return ("friends", tr("A friend"), tr("Comes with a code you pass on"))


load_kv(__file__)
