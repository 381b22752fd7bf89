"""The rows of a table in the making: a seat, and something to choose."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from app.i18n import tr
from app.model.games import Knob
from app.model.term_knobs import TermKnob
from app.model.values import Agent, Here, SeatRequest, SeatWish
from app.model.words import portrait
from app.screens.base import load_kv
from app.widgets import Card, ChoiceRow


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


def knob_row(knob: Knob | TermKnob, chosen: int) -> ChoiceRow:
    """The row of an option."""
    labels = [choice.label for choice in knob.choices]
    row = ChoiceRow(labels, key=knob.key, title=knob.title, about=knob.about)
    row.mark([chosen])
    return row


def describe(wish: SeatRequest, me: str) -> tuple[str, str, str]:
    """Icon, name and a line for whoever `wish` is."""
    match wish:
        case Agent():
            words = portrait(wish)
            return ("monster", words.name, words.about)
        case Here(name=name):
            return ("person", name, tr("On this device"))
        case SeatWish.ME:
            return ("person", tr("You ({name})", name=me), tr("On this device"))
        case SeatWish.FRIEND:
            return ("friends", tr("A friend"), tr("Comes with a code you pass on"))


load_kv(__file__)
