"""Who is to sit here? A sheet over the table in the making."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout

from app.i18n import tr
from app.model.people import clean
from app.model.values import Here, SeatRequest, SeatWish
from app.screens.base import load_kv
from app.screens.setup.rows import WishCard


class SeatSheet(FloatLayout):
    """Offers everybody who may take a seat: opponents, names of this device, a friend afar."""

    shown = BooleanProperty(False)
    title = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._screen: Any = None
        self._seat = 0

    def ask(self, screen: Any, seat: int) -> None:
        """Ask who is to sit on `seat` of the screen's plan."""
        self._screen, self._seat = screen, seat
        self.title = tr("Who plays here?")
        self.ids.name.text = ""
        self.ids.wishes.clear_widgets()
        for wish in self._wishes():
            card = WishCard(wish=wish, me=screen.app.session.people.me)
            card.chosen = wish == screen.plan.seats[seat]
            card.bind(on_release=lambda card: self.choose(card.wish))
            self.ids.wishes.add_widget(card)
        self.ids.scroll.scroll_y = 1
        self.shown = True

    def _wishes(self) -> list[SeatRequest]:
        session, plan = self._screen.app.session, self._screen.plan
        taken = set(plan.people)
        names = [name for name in session.people.offered() if name not in taken]
        wishes: list[SeatRequest] = [SeatWish.ME]
        here = plan.seats[self._seat]
        if isinstance(here, Here):
            wishes.append(here)
        wishes += self._screen.agents
        if session.server:
            wishes.append(SeatWish.FRIEND)
        return wishes + [Here(name) for name in names]

    def choose(self, wish: SeatRequest) -> None:
        """Take one of them."""
        self.close()
        self._screen.sit(self._seat, wish)

    def name_typed(self) -> None:
        """Somebody whose name is not among those offered; on their own seat the owner is called
        so from now on."""
        name = clean(self.ids.name.text)
        if not name:
            return
        if self._screen.plan.seats[self._seat] is SeatWish.ME:
            self._screen.app.session.people.rename_me(name)
            self.choose(SeatWish.ME)
        else:
            self.choose(Here(name))

    def close(self) -> bool:
        """Go away; whether it was there."""
        was = bool(self.shown)
        self.shown = False
        return was

    def on_touch_down(self, touch: Any) -> bool:
        """A touch beside the sheet closes it; nothing behind it can be touched."""
        if not self.shown:
            return False
        if not self.ids.card.collide_point(*touch.pos):
            self.close()
            return True
        return bool(super().on_touch_down(touch)) or True


load_kv(__file__)
