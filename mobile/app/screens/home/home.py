"""Home: what can be played."""

from __future__ import annotations

from kivy.properties import StringProperty

from app.i18n import tr
from app.model.values import MatchStatus
from app.model.words import opponents
from app.screens.base import OddScreen, load_kv


class HomeScreen(OddScreen):
    """The start. Offers the match that waits for this player, if there is one."""

    greeting = StringProperty("")
    continued = StringProperty("")
    waiting_match = StringProperty("")

    def open(self) -> None:
        self.continued = self.waiting_match = ""
        if self.app.session.server:
            self.run(self._look)
        else:
            self.trouble = tr("No server is chosen yet: see the settings.")

    async def _look(self) -> None:
        gateway = self.app.session.gateway
        me = await gateway.sign_in()
        self.greeting = tr("You play as {name}.", name=me.display_name)
        for match in await gateway.list_my_matches():
            mine = match.actor is not None and match.actor in match.my_seats
            if mine and match.status is MatchStatus.RUNNING:
                self.continued = tr("Go on against {name}", name=opponents(match, me.player_id))
                self.waiting_match = match.table.match_id
                return

    def go_on(self) -> None:
        """Open the match that waits."""
        self.app.navigator.go("match", match_id=self.waiting_match)


load_kv(__file__)
