"""The player's tables and matches, newest first."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.recycleview.views import RecycleDataViewBehavior

from app.i18n import tr
from app.model.values import MatchStatus, MyMatch
from app.model.words import match_state, opponents
from app.screens.base import OddScreen, load_kv
from app.widgets import Card


class MatchRow(RecycleDataViewBehavior, ButtonBehavior, Card):
    """One match of the list; the list makes only as many rows as fit (kivy#7991)."""

    title = StringProperty("")
    state_words = StringProperty("")
    side = NumericProperty(0)
    mine = BooleanProperty(False)
    over = BooleanProperty(False)
    match_id = StringProperty("")
    table_id = StringProperty("")
    code = StringProperty("")


class MatchesScreen(OddScreen):
    """A list of fixed row height."""

    empty = BooleanProperty(False)

    def open(self) -> None:
        self.ids.rows.data = []
        self.empty = False
        self.run(self._list)

    async def _list(self) -> None:
        gateway = self.app.session.gateway
        me = await gateway.sign_in()
        matches = await gateway.list_my_matches()
        self.ids.rows.data = [self._row(match, me.player_id) for match in matches]
        self.empty = not matches

    def _row(self, match: MyMatch, my_id: str) -> dict[str, Any]:
        seat = match.my_seats[0] if match.my_seats else 0
        running = match.status is MatchStatus.RUNNING
        return {
            "title": tr("Socker with {names}", names=opponents(match, my_id)),
            "state_words": match_state(match),
            "side": seat,
            "mine": running and match.actor in match.my_seats,
            "over": match.status is MatchStatus.FINISHED,
            "match_id": match.table.match_id,
            "table_id": match.table.table_id,
            "code": match.table.invitation_code,
        }

    def show(self, row: MatchRow) -> None:
        """Open a match, or the table it will start from."""
        if row.match_id:
            self.app.navigator.go("match", match_id=row.match_id)
        else:
            self.app.navigator.go("table", table_id=row.table_id, code=row.code)


load_kv(__file__)
