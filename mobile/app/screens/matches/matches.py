"""What the player takes part in, live: whose turn it is, how long, who invites, what is new."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.recycleview.views import RecycleDataViewBehavior

from app.model.my_matches import rows
from app.model.values import MyMatch
from app.screens.base import OddScreen, load_kv
from app.widgets import Card

LOOK_EVERY_S = 20.0
"""How often the times left are told anew."""


class MatchRow(RecycleDataViewBehavior, ButtonBehavior, Card):
    """One match of the list; the list makes only as many rows as fit (kivy#7991)."""

    title = StringProperty("")
    state_words = StringProperty("")
    key = StringProperty("")
    mine = BooleanProperty(False)
    over = BooleanProperty(False)
    news = BooleanProperty(False)
    invited = BooleanProperty(False)
    match_id = StringProperty("")
    table_id = StringProperty("")
    code = StringProperty("")


class MatchesScreen(OddScreen):
    """A list of fixed row height."""

    empty = BooleanProperty(False)
    bare = BooleanProperty(False)
    """Whether there is nothing at all to show, not even a trouble."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self._known: dict[str, MyMatch] = {}
        self._ticking: Any = None
        self.bind(empty=self._lay_bare, trouble=self._lay_bare, busy=self._lay_bare)

    def _lay_bare(self, *_: object) -> None:
        self.bare = self.empty and not self.trouble and not self.busy

    def open(self) -> None:
        self.ids.rows.data = []
        self._known = {}
        self.empty = False
        if self.app.inbox is not None:
            self.app.inbox.listen(self._show)
        self._ticking = Clock.schedule_interval(lambda _: self._show(), LOOK_EVERY_S)
        self.run(self._list)

    def close(self) -> None:
        if self.app.inbox is not None:
            self.app.inbox.leave(self._show)
        if self._ticking is not None:
            self._ticking.cancel()
        super().close()

    async def _list(self) -> None:
        try:
            # Those of this device come at once, whether or not the server answers.
            for gateway in self.app.session.gateways:
                for match in await gateway.list_my_matches():
                    self._known[match.table.table_id] = match
                self._show()
            self._tell_seen()
        finally:
            self.empty = not self.ids.rows.data

    def _show(self) -> None:
        inbox = self.app.inbox
        # What came in is newer than what was listed.
        known = self._known | (inbox.matches if inbox else {})
        news = {one.table.match_id for one in known.values() if inbox and inbox.is_news(one)}
        found = rows(
            known.values(),
            inbox.invitations.values() if inbox else (),
            news,
            self.app.session.people.me,
            inbox.times.now_ms if inbox else None,
        )
        data = [asdict(row) for row in found]
        for row in data:
            row["state_words"] = row.pop("state")
        self.ids.rows.data = data
        self.empty = self.empty and not data

    def _tell_seen(self) -> None:
        """Invitations on show have been seen."""
        inbox = self.app.inbox
        unseen = [key for key, one in inbox.invitations.items() if not one.seen] if inbox else []
        if unseen:
            self.app.spawn_quietly(self.app.session.online.mark_seen(unseen))

    def show(self, row: MatchRow) -> None:
        """Open a match, the table it will start from, or an invitation."""
        if row.invited:
            self.app.navigator.go("join", table_id=row.table_id)
        elif row.match_id:
            self.app.navigator.go("match", match_id=row.match_id)
        else:
            self.app.navigator.go("table", table_id=row.table_id, code=row.code)


load_kv(__file__)
