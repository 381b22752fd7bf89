"""A decision of a finished match on its board: what was done there, and what was better."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout

from app.model.advice import Decision
from app.model.advice_words import best_words, loss_words, move_words, played_words
from app.model.look import Look, look_of
from app.model.values import Match, SeatView
from app.model.words import seat_names
from app.screens.base import load_kv
from app.screens.learn.still import BoardPicture


class Moment(FloatLayout):
    """Over the review while `shown`. Nothing of it can be played."""

    shown = BooleanProperty(False)
    title = StringProperty("")
    cost = StringProperty("")
    played = StringProperty("")
    best = StringProperty("")
    better = BooleanProperty(True)
    """Whether the better action is lit, or the one that was made."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.picture: BoardPicture | None = None
        self._look: Look | None = None
        self._decision: Decision | None = None

    def open(self, match: Match, seat: int, decision: Decision) -> None:
        """Show `match` as it stood at `decision`, as `seat` saw it."""
        own = next((view for view in match.views if view.seat == seat), None)
        if own is None:
            return
        view = SeatView(seat, own.view, tuple(dict.fromkeys((decision.best, decision.played))))
        self._look = look_of(replace(match, views=(view,)), seat, seat_names(match))
        self._decision = decision
        self.title, self.cost = move_words(decision), loss_words(decision)
        self.played, self.best = played_words(decision), best_words(decision)
        self.light(better=True)
        self.shown = True

    def light(self, *, better: bool) -> None:
        """Show the better action, or the one that was made."""
        if self._look is None or self._decision is None:
            return
        self.better = better
        self.ids.place.clear_widgets()
        self.picture = BoardPicture(self._look, key=self._look.match.match_id)
        self.ids.place.add_widget(self.picture)
        self.picture.propose(self._decision.best if better else self._decision.played)

    def close(self) -> bool:
        """Go away; whether it was there."""
        was = bool(self.shown)
        self.shown = False
        self.ids.place.clear_widgets()
        self.picture = self._look = self._decision = None
        return was

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing behind it can be touched."""
        return bool(super().on_touch_down(touch)) or self.shown


load_kv(__file__)
