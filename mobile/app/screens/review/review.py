"""How a finished match went: all chances, how much was luck, and which moves cost something."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from app.i18n import tr
from app.model.advice import Decision, Progress, Review
from app.model.advice_words import (
    best_words,
    hints_words,
    loss_words,
    luck_numbers,
    luck_words,
    move_words,
    played_words,
)
from app.model.follow import Connection
from app.model.games import offer_of
from app.model.look import seats_here
from app.model.reviewing import reviewed
from app.model.troubles import trouble
from app.model.values import Match
from app.model.words import names_at, seat_names
from app.screens.base import OddScreen, load_kv
from app.screens.review import moment
from app.screens.review.curve import LegendRow
from app.widgets import Card, Chip


class CostlyRow(ButtonBehavior, Card):
    """A decision that cost something; a touch shows it on the board."""

    decision = ObjectProperty(None, allownone=True)
    move = StringProperty("")
    cost = StringProperty("")
    played = StringProperty("")
    best = StringProperty("")

    def __init__(self, decision: Decision, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.decision = decision
        self.move, self.cost = move_words(decision), loss_words(decision)
        self.played, self.best = played_words(decision), best_words(decision)


class ReviewScreen(OddScreen):
    """`match_id` is a match that is over. It is looked at with the eyes of one seat of this
    device; where several people share it, with those of whoever is chosen."""

    key = StringProperty("")
    """Which game it is; "" until that is known."""
    seat = NumericProperty(-1)
    done = NumericProperty(0)
    """The share of the match that was looked at, 0 to 1."""
    waits = StringProperty("")
    """What is done meanwhile; "" once there is something to see."""
    ready = BooleanProperty(False)
    luck = StringProperty("")
    luck_about = StringProperty("")
    hints = StringProperty("")
    flawless = BooleanProperty(False)

    def open(self) -> None:
        self.match: Match | None = None
        self.review: Review | None = None
        self.seat, self.key = -1, ""
        self.ids.who.clear_widgets()
        self._begin()

    def close(self) -> None:
        self.ids.moment.close()
        super().close()

    def pause(self) -> None:
        """A paused app's loop stands still: let the stream go; what is done stays done."""
        self.app.tasks.cancel(self)

    def resume(self) -> None:
        if not self.ready:
            self._begin()

    def takes_back(self) -> bool:
        return bool(self.ids.moment.close())

    # --- asking -------------------------------------------------------------------------------

    def again(self) -> None:
        """Once more, after trouble."""
        if not self.busy:
            self._begin()

    def look_as(self, seat: int) -> None:
        """With the eyes of another seat of this device."""
        if seat != self.seat:
            self.seat = seat
            self._begin()

    def _begin(self) -> None:
        self.app.tasks.cancel(self)
        self.ready, self.review, self.done = False, None, 0
        self.waits = tr("Looking at every move once more…")
        self.ids.legend.clear_widgets()
        self.ids.costly.clear_widgets()
        self.run(self._look)

    async def _look(self) -> None:
        try:
            match_id = self.params.get("match_id", "")
            gateway = self.app.session.at(match_id)
            if self.match is None:
                self._meet(await gateway.get_match(match_id))
            async for update in reviewed(gateway, match_id, int(self.seat)):
                match update:
                    case Progress(done=done, total=total):
                        self.app.offline = False
                        self.done = done / total if total else 0
                    case Connection(online=online):
                        self.app.offline = not online
                    case Review():
                        self._show(update)
        finally:
            self.waits = ""
            self.app.offline = False

    def _meet(self, match: Match) -> None:
        self.match = match
        one = offer_of(match.game, match.options)
        self.key = one.key if one else ""
        here = [seat for seat in seats_here(match) if seat >= 0]
        if self.seat not in here:
            self.seat = here[0] if here else 0
        for seat in here if len(here) > 1 else []:
            name = names_at(match.seats, match.game)[seat]
            chip = Chip(text=name, chosen=seat == self.seat, font_size="16sp")
            chip.seat = seat
            chip.bind(on_release=lambda chip: self.look_as(chip.seat))
            self.ids.who.add_widget(chip)
        self.bind(seat=self._choose)

    def _choose(self, *_: object) -> None:
        for chip in self.ids.who.children:
            chip.chosen = chip.seat == self.seat

    # --- showing ------------------------------------------------------------------------------

    def _show(self, review: Review) -> None:
        match = self.match
        assert match is not None
        names = seat_names(match)
        self.review = review
        curve = self.ids.curve
        curve.game, curve.mine, curve.curve = match.game, review.seat, review.curve
        for seat, name in enumerate(names):
            row = LegendRow(game=match.game, seat=seat, name=name)
            self.ids.legend.add_widget(row)
        self.luck, self.luck_about = luck_words(review), luck_numbers(review)
        self.hints = hints_words(review.hints_used, names)
        self.flawless = not review.costly
        for decision in review.costly:
            row = CostlyRow(decision)
            row.bind(on_release=lambda row: self.show_moment(row.decision))
            self.ids.costly.add_widget(row)
        self.ids.scroll.scroll_y = 1
        self.ready = True

    def show_moment(self, decision: Decision) -> None:
        """Show a decision on the board."""
        self.app.tasks.spawn(self._show_moment(decision), owner=self)

    async def _show_moment(self, decision: Decision) -> None:
        match_id = self.params.get("match_id", "")
        try:
            gateway = self.app.session.at(match_id)
            match = await gateway.get_ply(match_id, decision.revision)
        except Exception as error:
            self.app.toast(trouble(error))
            self.app.report(error)
            return
        if self.review is not None:
            self.ids.moment.open(match, self.review.seat, decision)


__all__ = ["CostlyRow", "ReviewScreen", "moment"]

load_kv(__file__)
