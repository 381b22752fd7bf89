"""Playing with others elsewhere: invite a friend, take up an invitation, find somebody."""

from __future__ import annotations

from app.i18n import tr
from app.screens.base import OddScreen, load_kv


class FriendScreen(OddScreen):
    """Ways to people who are not on this device."""

    def open(self) -> None:
        self.ids.pad.code = ""
        if not self.app.session.server:
            self.trouble = tr("No server is chosen yet: see the settings.")

    def invite(self, whom: str = "friend") -> None:
        """Choose a game for a table with a seat for somebody elsewhere."""
        self.app.navigator.go("choose", whom=whom)

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
