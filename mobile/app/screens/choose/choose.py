"""Which game? Four pictures to touch."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from app.i18n import tr
from app.model.games import Offer, offers
from app.screens.base import OddScreen, load_kv
from app.screens.match.parts import PARTS
from app.widgets import Card


class GameCard(ButtonBehavior, Card):
    """One game."""

    key = StringProperty("")
    title = StringProperty("")
    about = StringProperty("")
    players = StringProperty("")
    room = NumericProperty(dp(84))
    """How high its picture may be, pixels."""
    flat = BooleanProperty(False)
    """Whether the words stand beside the picture."""
    needed = NumericProperty(0)
    """How high it has to be, pixels."""


class ChooseScreen(OddScreen):
    """All games that this app can show. `whom` says with whom they are to be played."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.bind(size=self._level, wide=self._level)
        self.ids.scroll.bind(height=self._level)

    def open(self) -> None:
        self.ids.games.clear_widgets()
        for one in offers():
            if one.game in PARTS:
                self.ids.games.add_widget(self._card(one))
        self._level()

    def _card(self, one: Offer) -> GameCard:
        players = tr("2 to {most} players", most=one.most) if one.most > 2 else tr("2 players")
        card = GameCard(key=one.key, title=one.title, about=one.about, players=players)
        card.bind(on_release=self.choose, needed=self._level)
        return card

    def _level(self, *_: object) -> None:
        """All cards are as high as the highest, and their pictures as large as the screen lets.
        Upright they share all of its height, unless that would send one of them below the edge."""
        cards, columns = self.ids.games.children, self.ids.games.cols
        rows = -(-len(cards) // columns)
        share = (self.ids.scroll.height - dp(20)) / max(1, rows) - dp(10)
        for card in cards:
            card.flat = columns == 1
            words = card.needed - card.ids.picture.height
            card.room = max(dp(84), (self.height - dp(80)) / rows - words - dp(12))
        highest = max((card.needed for card in cards), default=0)
        for card in cards:
            card.height = highest if not card.flat else share if highest <= share else card.needed

    def choose(self, card: GameCard) -> None:
        """Go on with one."""
        whom = self.params.get("whom", "")
        if whom == "quick":
            self.app.navigator.go("quick", key=card.key)
        else:
            self.app.navigator.go("setup", key=card.key, whom=whom)


load_kv(__file__)
