"""Tables that anybody may join, and matches that anybody may watch."""

from __future__ import annotations

from functools import partial

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from app.i18n import trn
from app.model.games import game_title, offer_of
from app.model.term_knobs import terms_words
from app.model.values import Table
from app.model.words import seat_names_at
from app.screens.base import OddScreen, load_kv
from app.widgets import Card


class TableRow(ButtonBehavior, Card):
    """A table to touch."""

    title = StringProperty("")
    about = StringProperty("")
    terms = StringProperty("")
    key = StringProperty("")
    table_id = StringProperty("")
    match_id = StringProperty("")


class LobbyScreen(OddScreen):
    """Two lists: to join, and to watch."""

    watching = BooleanProperty(False)
    empty = BooleanProperty(False)

    def open(self) -> None:
        self.watching = False
        self.look()

    def look(self, *, watching: bool | None = None) -> None:
        """Ask the server again."""
        if watching is not None:
            self.watching = watching
        self.ids.rows.clear_widgets()
        self.empty = False
        self.app.tasks.cancel(self)
        self.run(partial(self._look, self.watching))

    async def _look(self, watching: bool) -> None:
        online = self.app.session.online
        tables = await (online.watchable() if watching else online.open_tables())
        for table in tables:
            self.ids.rows.add_widget(self._row(table))
        self.empty = not tables

    def _row(self, table: Table) -> TableRow:
        one = offer_of(table.game, table.options)
        free = sum(seat.is_open for seat in table.seats)
        about = game_title(table.game, table.options)
        if free:
            about += " · " + trn("{count} free seat", "{count} free seats", free)
        row = TableRow(
            title=seat_names_at(table),
            about=about,
            terms=terms_words(table.terms),
            key=one.key if one else "",
            table_id=table.table_id,
            match_id=table.match_id,
        )
        row.bind(on_release=self.show)
        return row

    def show(self, row: TableRow) -> None:
        """Watch a match, or look at a table before sitting down."""
        if row.match_id:
            self.app.navigator.go("match", match_id=row.match_id)
        else:
            self.app.navigator.go("join", table_id=row.table_id)

    def open_own(self) -> None:
        """A table of one's own that anybody may join."""
        self.app.navigator.go("choose", whom="anybody")


load_kv(__file__)
