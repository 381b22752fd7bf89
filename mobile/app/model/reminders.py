"""Telling outside the app that a match waits: one reminder a match, gone once it is seen.

It names the game and nobody: it may lie on a locked screen. Free of Kivy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from app.i18n import tr
from app.model.calls import QUIET_FROM, QUIET_UNTIL, Calls
from app.model.games import game_title
from app.model.inbox import is_my_turn
from app.model.values import MyMatch


class Reminders:
    """Follows how matches stand, while the app is on show and while it is not."""

    def __init__(self, calls: Calls, now: Callable[[], datetime] = datetime.now) -> None:
        """`now` is the time of day here."""
        self._calls, self._now = calls, now
        self._waiting: dict[str, bool] = {}
        """Whether each match waits for the player, as far as is known."""

    def look(self, matches: Iterable[MyMatch], *, away: bool) -> None:
        """How all matches stand now. One that begins to wait while the player is `away` is told;
        what was told of one that waits no more is taken back."""
        for match in matches:
            match_id, waits = match.table.match_id, is_my_turn(match)
            if not match_id or self._waiting.get(match_id) is waits:
                continue
            self._waiting[match_id] = waits
            if not waits:
                self._calls.notes.clear(match_id)
            elif away and self._calls.wanted and not is_quiet(self._now()):
                title = game_title(match.table.game, match.table.options)
                self._calls.notes.show(match_id, tr("It is your turn"), title)

    def seen(self, match_id: str) -> None:
        """The player looks at a match: whatever was told of it, by the server too, is old."""
        if match_id:
            self._calls.notes.clear(match_id)

    def forget(self) -> None:
        """Somebody else plays here: what was told before is not theirs."""
        for match_id, waits in self._waiting.items():
            if waits:
                self._calls.notes.clear(match_id)
        self._waiting = {}


def is_quiet(now: datetime) -> bool:
    """Whether it is the time of day at which nobody is called."""
    minute = now.hour * 60 + now.minute
    return minute >= QUIET_FROM or minute < QUIET_UNTIL
