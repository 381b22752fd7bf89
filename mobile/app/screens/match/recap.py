"""While you were away: what happened since a match was on show last, before the present."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.floatlayout import FloatLayout

from app.boards.motion import style
from app.boards.shapes import Drawn
from app.model.live import Acted
from app.model.look import look_of, seats_here
from app.model.recap import Missed
from app.model.values import Match
from app.model.words import seat_names
from app.screens.base import load_kv
from app.screens.match.part import GamePart
from app.theme import faded, theme
from app.widgets.card import patch
from app.widgets.icons import icon
from app.widgets.toast import Banner

LOOK_EVERY_S = 0.05
BREATH_S = 0.3
"""How long the board rests between two events."""


class RecapNote(Banner):
    """Says what is on show."""

    def backdrop(self) -> Drawn:
        """The patch and the picture."""
        drawn = patch(self, theme.accent, radius=dp(16), seam=faded(theme.accent_ink, 0.28))
        return drawn + icon(self.icon, self.x + dp(26), self.center_y, dp(22), theme.accent_ink)


class RecapCover(FloatLayout):
    """Lies over the match while it is told; any touch ends it. `on_skip` when one does."""

    shown = BooleanProperty(False)

    __events__ = ("on_skip",)

    def on_touch_down(self, _touch: Any) -> bool:
        """A touch means the present; what it would have touched has not been seen yet."""
        if not self.shown:
            return False
        self.dispatch("on_skip")
        return True

    def on_skip(self) -> None:
        """Enough of the past."""


class Recap:
    """Shows a story on a part, event by event as fast as the part's motions are.

    `done` is called once, when everything was shown or `end` was called.
    """

    def __init__(self, part: GamePart, missed: Missed, done: Callable[[], None]) -> None:
        self.present: Match | None = None
        """How the match stands meanwhile: shown afterwards."""
        self._part, self._done = part, done
        self._story = deque(missed.story)
        self._rested_s = 0.0
        self._show(missed.before)
        self._ticking = Clock.schedule_interval(self._tick, LOOK_EVERY_S)

    def end(self) -> None:
        """Jump to the present."""
        self.cancel()
        self._part.skip()
        self._done()

    def cancel(self) -> None:
        """Nobody looks any more."""
        self._ticking.cancel()
        self._story.clear()

    def _show(self, match: Match) -> None:
        self._part.show(look_of(match, seats_here(match)[0], seat_names(match)))

    def _tick(self, passed_s: float) -> None:
        self._rested_s = self._rested_s + passed_s if self._part.resting else 0.0
        if self._rested_s < BREATH_S * style.pace:
            return
        if not self._story:
            self.end()
            return
        self._rested_s = 0.0
        event, after = self._story.popleft()
        if event.said is None:  # What happened beside the game shows in how it stands then.
            self._part.acted(Acted(event.act, event.actor))
        self._show(after)


def can_tell(part: GamePart, missed: Missed) -> bool:
    """Whether the story is for whoever holds the device: where several people share it and seats
    have secrets, that is not known yet."""
    matches = (missed.before, *(after for _, after in missed.story))
    readable = all(
        view and all(isinstance(one.view, part.view_type) for one in view)
        for view in (match.views for match in matches)
    )
    return readable and not (part.secret and len(seats_here(missed.before)) > 1)


load_kv(__file__)
