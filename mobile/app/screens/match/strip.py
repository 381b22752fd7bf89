"""Beside the game, for a match with people elsewhere: time left, who is away, and more to do.

A strip over the board. It takes no room in a match of this device, where nobody waits for anybody.
"""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from app.i18n import tr, trn
from app.model.terms import SeatState
from app.model.times import ServerTime, clock_words, left_of
from app.model.values import Agent, Match
from app.model.words import portrait
from app.screens.base import load_kv

TICK_S = 0.5


class SeatTag(BoxLayout):
    """One seat: its name, its time, and whether somebody plays for it."""

    seat = NumericProperty(0)
    name = StringProperty("")
    time = StringProperty("")
    short = BooleanProperty(False)
    acting = BooleanProperty(False)
    away = BooleanProperty(False)


class MatchStrip(BoxLayout):
    """All seats of a match. `on_menu`: more is wanted."""

    wide = BooleanProperty(False)
    shown = BooleanProperty(False)
    line = StringProperty("")
    """Who plays for whom, and how many watch."""
    asks = BooleanProperty(False)
    """Whether something waits for an answer behind the button."""
    match = ObjectProperty(None, allownone=True)

    __events__ = ("on_menu",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.times = ServerTime()
        self._names: tuple[str, ...] = ()
        self._away = ""
        self._ticking: Any = None

    def show(self, match: Match, names: tuple[str, ...]) -> None:
        """This is how the match stands."""
        new = self.match is None or len(self._names) != len(names)
        self.match, self._names = match, names
        if match.clock is not None:
            self.times.heard(match.clock.now_ms)
        self.shown = True
        self._away = away_words(match, names)
        self.count(match.watchers)
        if new:
            self._make(len(names))
        self._tick()
        if self._ticking is None:
            self._ticking = Clock.schedule_interval(self._tick, TICK_S)

    def use_hand(self, *, left: bool) -> None:
        """Put the button where the thumb is."""
        top, menu = self.ids.top, self.ids.menu
        top.remove_widget(menu)
        top.add_widget(menu, index=len(top.children) if left else 0)

    def forget(self) -> None:
        """No match is on show."""
        self.shown, self.match, self._names = False, None, ()
        self.line = self._away = ""
        self.asks = False
        self.ids.seats.clear_widgets()
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    def heard(self, now_ms: int, watchers: int) -> None:
        """The server said what time it is."""
        self.times.heard(now_ms)
        self.count(watchers)

    def count(self, watchers: int) -> None:
        """How many people watch."""
        words = trn("{count} watches", "{count} watch", watchers) if watchers else ""
        self.line = " · ".join(part for part in (self._away, words) if part)

    @property
    def tags(self) -> dict[int, SeatTag]:
        """The tags by seat."""
        return {tag.seat: tag for tag in self.ids.seats.children}

    def _make(self, count: int) -> None:
        self.ids.seats.clear_widgets()
        for seat in range(count):
            self.ids.seats.add_widget(SeatTag(seat=seat))

    def _tick(self, *_: object) -> None:
        match: Match | None = self.match
        if match is None:
            return
        for seat, tag in self.tags.items():
            left = left_of(match, seat, self.times.now_ms)
            tag.name = self._names[seat]
            tag.time = clock_words(left, match.terms.pace) if left else ""
            tag.short = bool(left and left.short)
            tag.acting = match.actor == seat
            tag.away = bool(match.seats[seat].sitter)

    def on_menu(self) -> None:
        """More is wanted."""


def away_words(match: Match, names: tuple[str, ...]) -> str:
    """Who plays for whom: "Pip plays for Anna"; "" while everybody plays for themselves."""
    lines = []
    for seat, who in enumerate(match.seats):
        if not who.sitter:
            continue
        stand_in = portrait(Agent(who.sitter, match.game, 1)).name
        here = any(view.seat == seat for view in match.views)
        if who.state is SeatState.RETURNING:
            lines.append(tr("{name} is back from the next turn on.", name=names[seat]))
        elif here and len([view for view in match.views if view.seat >= 0]) == 1:
            lines.append(tr("{name} plays for you.", name=stand_in))
        else:
            lines.append(tr("{name} plays for {other}.", name=stand_in, other=names[seat]))
    return " ".join(lines)


load_kv(__file__)
