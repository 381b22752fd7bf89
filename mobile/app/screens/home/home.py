"""Home: what can be played."""

from __future__ import annotations

from kivy.properties import StringProperty

from app.i18n import tr
from app.model.places import is_here
from app.model.values import MatchStatus, MyMatch
from app.model.words import opponents
from app.screens.base import OddScreen, load_kv


class HomeScreen(OddScreen):
    """The start. Offers the newest match that waits for this player, if there is one."""

    greeting = StringProperty("")
    continued = StringProperty("")
    waiting_match = StringProperty("")

    def open(self) -> None:
        self.continued = self.waiting_match = ""
        self.greeting = tr("You play as {name}.", name=self.app.session.people.me)
        self.run(self._look)

    async def _look(self) -> None:
        """Those of this device come at once, whether or not the server answers."""
        for gateway in self.app.session.gateways:
            for match in await gateway.list_my_matches():
                if not self.continued and _waits(match):
                    self.continued = tr(
                        "Go on with {names}", names=opponents(match, self.app.session.people.me)
                    )
                    self.waiting_match = match.table.match_id

    def choose(self, whom: str) -> None:
        """Choose a game to play with the computer, or with people here."""
        self.app.navigator.go("choose", whom=whom)

    def go_on(self) -> None:
        """Open the match that waits."""
        self.app.navigator.go("match", match_id=self.waiting_match)


def _waits(match: MyMatch) -> bool:
    """Whether a match goes on as soon as it is opened. On this device opponents wait, too."""
    if match.status is not MatchStatus.RUNNING:
        return False
    return match.actor in match.my_seats or is_here(match.table.match_id)


load_kv(__file__)
