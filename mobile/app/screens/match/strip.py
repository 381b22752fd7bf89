"""Beside the game, for a match with people elsewhere: time left, who is away, and more to do.

A strip over the board, as high as there is something to say: none in a match of this device, where
nobody waits for anybody, and none without a clock, since the placards say who plays.
"""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.metrics import sp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from app.i18n import tr, trn
from app.model.terms import SeatState
from app.model.times import ServerTime, clock_words, left_of
from app.model.values import Agent, Match
from app.model.words import portrait
from app.screens.base import load_kv

TICK_S = 0.5
TAG_SP = 140
"""So wide a name beside its time has to be."""


class SeatTag(BoxLayout):
    """One seat: its name, its time, and whether somebody plays for it."""

    seat = NumericProperty(0)
    name = StringProperty("")
    time = StringProperty("")
    short = BooleanProperty(False)
    acting = BooleanProperty(False)
    away = BooleanProperty(False)


class MatchStrip(BoxLayout):
    """The time of the seats of a match: of all, or of who acts where there is no room for more."""

    wide = BooleanProperty(False)
    shown = BooleanProperty(False)
    line = StringProperty("")
    """Who plays for whom, and how many watch."""
    timed = BooleanProperty(False)
    """Whether somebody's time runs, or somebody is away."""
    match = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.times = ServerTime()
        self._names: tuple[str, ...] = ()
        self._tags: tuple[SeatTag, ...] = ()
        self._away = ""
        self._ticking: Any = None
        self.bind(wide=self._tick, width=self._tick)

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

    def forget(self) -> None:
        """No match is on show."""
        self.shown, self.match, self._names = False, None, ()
        self.line = self._away = ""
        self.timed = False
        self._make(0)
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
        return {tag.seat: tag for tag in self._tags}

    def _make(self, count: int) -> None:
        self.ids.seats.clear_widgets()
        self._tags = tuple(SeatTag(seat=seat) for seat in range(count))

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
        self.timed = any(tag.time or tag.away for tag in self._tags)
        self._choose_tags()

    def _choose_tags(self) -> None:
        """Everybody's where there is room; else that of who acts, the only time that runs."""
        room = self.width * (0.66 if self.wide and self.line else 1) / max(1, len(self._tags))
        shown = [tag for tag in self._tags if room >= sp(TAG_SP) or tag.acting]
        if shown != self.ids.seats.children[::-1]:
            self.ids.seats.clear_widgets()
            for tag in shown:
                self.ids.seats.add_widget(tag)


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
