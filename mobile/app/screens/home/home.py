"""Home: what can be played, and what waits."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from app.i18n import tr
from app.model.my_matches import next_one
from app.model.times import turn_left
from app.model.troubles import trouble
from app.model.values import MyMatch
from app.model.words import opponents
from app.screens.base import OddScreen, load_kv


class HomeScreen(OddScreen):
    """The start. Offers the match that waits for this player, if there is one."""

    greeting = StringProperty("")
    continued = StringProperty("")
    waiting_match = StringProperty("")
    state = StringProperty("")
    """What is wrong with the server, if anything: it is too new, or does not answer."""
    calls = BooleanProperty(False)
    """Whether something in the list of matches waits for the player."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self._here: tuple[MyMatch, ...] = ()

    def open(self) -> None:
        self._here = ()
        self.greeting = tr("You play as {name}.", name=self.app.session.people.me)
        if self.app.inbox is not None:
            self.app.inbox.listen(self._show)
        self._show()
        self.run(self._look)

    def close(self) -> None:
        if self.app.inbox is not None:
            self.app.inbox.leave(self._show)
        super().close()

    async def _look(self) -> None:
        self._here = await self.app.session.here.list_my_matches()
        self._show()

    def _show(self) -> None:
        """What waits: of this device, and of the server as far as it has told."""
        inbox = self.app.inbox
        there = tuple(inbox.matches.values()) if inbox else ()
        self.calls = bool(inbox and inbox.waiting)
        self.state = self._state()
        match = next_one(there) or next_one(self._here)
        self.waiting_match = match.table.match_id if match else ""
        if match is None:
            self.continued = ""
            return
        names = opponents(match, self.app.session.people.me)
        left = turn_left(match.deadline_ms, inbox.times.now_ms if inbox else None)
        words = tr("Go on with {names}", names=names)
        self.continued = f"{words}\n{left}" if left else words

    def _state(self) -> str:
        inbox = self.app.inbox
        if inbox is not None and inbox.error is not None:
            return trouble(inbox.error)
        if inbox is not None and inbox.online is False:
            return tr("The server doesn't answer. What is on this device goes on.")
        return ""

    def choose(self, whom: str) -> None:
        """Choose a game to play with the computer, or with people here."""
        self.app.navigator.go("choose", whom=whom)

    def go_on(self) -> None:
        """Open the match that waits."""
        self.app.navigator.go("match", match_id=self.waiting_match)


load_kv(__file__)
