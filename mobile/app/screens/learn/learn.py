"""Learn: the rules of each game, and lessons to try them out."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.widget import Widget

from app.boards.seek_cards import star
from app.boards.shapes import Drawn, disc
from app.i18n import tr
from app.model.games import Offer, offers
from app.model.lessons import Progress, lessons
from app.screens.base import OddScreen, load_kv
from app.screens.match.parts import PARTS
from app.theme import faded, theme
from app.widgets import Card
from app.widgets.card import Backdrop


class Stars(Widget):
    """A star for each lesson that is solved, and a dot for each that waits."""

    done = NumericProperty(0)
    count = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._backdrop = Backdrop(self)
        self.bind(done=self._backdrop.refresh, count=self._backdrop.refresh)

    def backdrop(self) -> Drawn:
        """Side by side from the left."""
        drawn: Drawn = []
        step = min(self.height * 1.1, self.width / max(1, self.count))
        for number in range(int(self.count)):
            x, y = self.x + step * (number + 0.5), self.center_y
            if number < self.done:
                drawn += star(x, y, step * 0.86)
            else:
                drawn += disc(x, y, step * 0.36, faded(theme.ink_dim, 0.5))
        return drawn


class LearnCard(Card):
    """One game."""

    screen = ObjectProperty(None, allownone=True)
    key = StringProperty("")
    title = StringProperty("")
    done = NumericProperty(0)
    count = NumericProperty(0)
    progress = StringProperty("")
    follows = BooleanProperty(False)
    """Whether this is the one thing to do next."""

    def practise(self) -> None:
        """Open the first lesson that waits."""
        self.screen.practise(self.key)


class LearnScreen(OddScreen):
    """All games that this app can show."""

    def open(self) -> None:
        self.ids.games.clear_widgets()
        cards = [self._card(one) for one in offers() if one.game in PARTS]
        for card in cards:
            self.ids.games.add_widget(card)
        waiting = [card for card in cards if card.done < card.count]
        if waiting:
            # What was begun goes first.
            max(waiting, key=lambda card: card.done > 0).follows = True

    def _card(self, one: Offer) -> LearnCard:
        done, count = len(self._progress.done(one.key)), len(lessons(one.key))
        words = (
            tr("All lessons solved")
            if done == count
            else tr("{done} of {count} lessons", done=done, count=count)
        )
        return LearnCard(
            screen=self, key=one.key, title=one.title, done=done, count=count, progress=words
        )

    def practise(self, key: str) -> None:
        """Open the first lesson of a game that waits."""
        self.app.navigator.go("lesson", key=key, number=str(self._progress.next(key)))

    @property
    def _progress(self) -> Progress:
        return Progress(self.app.session.store)


load_kv(__file__)
