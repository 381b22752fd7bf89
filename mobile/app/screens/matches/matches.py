"""The player's tables and matches, newest first."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.recycleview.views import RecycleDataViewBehavior

from app.i18n import tr
from app.model.games import game_title, offer_of
from app.model.values import MatchStatus, MyMatch
from app.model.words import match_state, opponents
from app.screens.base import OddScreen, load_kv
from app.widgets import Card


class MatchRow(RecycleDataViewBehavior, ButtonBehavior, Card):
    """One match of the list; the list makes only as many rows as fit (kivy#7991)."""

    title = StringProperty("")
    state_words = StringProperty("")
    key = StringProperty("")
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
        found: list[MyMatch] = []
        try:
            # Those of this device come at once, whether or not the server answers.
            for gateway in self.app.session.gateways:
                found += await gateway.list_my_matches()
                found.sort(key=lambda match: -match.table.opened_at_ms)
                self.ids.rows.data = list(map(self._row, found))
        finally:
            self.empty = not found

    def _row(self, match: MyMatch) -> dict[str, Any]:
        table = match.table
        one = offer_of(table.game, table.options)
        running = match.status is MatchStatus.RUNNING
        me = self.app.session.people.me
        names = opponents(match, me)
        return {
            "title": names[:1].upper() + names[1:],
            "state_words": tr(
                "{state} · {game}",
                state=match_state(match, me),
                game=game_title(table.game, table.options),
            ),
            "key": one.key if one else "",
            "mine": running and match.actor in match.my_seats,
            "over": match.status is MatchStatus.FINISHED,
            "match_id": table.match_id,
            "table_id": table.table_id,
            "code": table.invitation_code,
        }

    def show(self, row: MatchRow) -> None:
        """Open a match, or the table it will start from."""
        if row.match_id:
            self.app.navigator.go("match", match_id=row.match_id)
        else:
            self.app.navigator.go("table", table_id=row.table_id, code=row.code)


load_kv(__file__)
