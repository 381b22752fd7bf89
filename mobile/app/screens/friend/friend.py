"""Playing with others elsewhere: invite a friend, take up an invitation, find somebody."""

from __future__ import annotations

from kivy.properties import BooleanProperty

from app.i18n import tr
from app.screens.base import OddScreen, load_kv


class FriendScreen(OddScreen):
    """Ways to people who are not on this device."""

    online = BooleanProperty(False)
    """Whether a server is set."""

    def open(self) -> None:
        self.ids.pad.code = ""
        self.online = bool(self.app.session.server)
        if not self.online:
            self.trouble = tr("No server is chosen yet: see the settings.")

    def invite(self) -> None:
        """Choose a game for a table with a seat for somebody elsewhere."""
        self.app.navigator.go("choose", whom="friend")

    def quick(self) -> None:
        """Choose a game to be brought together for."""
        self.app.navigator.go("choose", whom="quick")

    def look(self, code: str) -> None:
        """Look at the table of a code before sitting down."""
        self.app.navigator.go("join", code=code)

    def no_code(self) -> None:
        """What was pasted was something else."""
        self.trouble = tr("There is no code in what was copied.")


load_kv(__file__)
