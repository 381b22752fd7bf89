"""A table of somebody else: what is played there, and whether to sit down."""

from __future__ import annotations

from functools import partial

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty

from app.i18n import tr
from app.model.games import game_title, offer_of
from app.model.session import fresh_id
from app.model.term_knobs import terms_words
from app.model.values import Table, TableStatus
from app.model.words import seat_names_at
from app.screens.base import OddScreen, load_kv
from app.widgets import Chip
from app.widgets.dialog import Choice


class JoinScreen(OddScreen):
    """Opened with a `code`, or with the `table_id` of an invitation or of the open list."""

    key = StringProperty("")
    title = StringProperty("")
    about = StringProperty("")
    terms = StringProperty("")
    invited = BooleanProperty(False)
    ready = BooleanProperty(False)
    free = NumericProperty(0)
    """How many seats are free."""
    persons = ListProperty([])
    """Who of this device sits down: "" is its owner."""

    def open(self) -> None:
        self.key = self.title = self.about = self.terms = ""
        self.ready, self.free = False, 0
        self._request_id = ""
        self._table: Table | None = None
        self.persons = [""]
        table_id = self.params.get("table_id", "")
        inbox = self.app.inbox
        self.invited = bool(inbox and table_id in inbox.invitations)
        self._show_persons()
        self.run(self._look)

    async def _look(self) -> None:
        online, code = self.app.session.online, self.params.get("code", "")
        if code:
            table = await online.find_table(code)
        else:
            table = await online.get_table(self.params["table_id"])
        if table.match_id:
            # Taken up before, perhaps on another device.
            self.app.show_table(table, instead=True)
            return
        self._show(table)

    def _show(self, table: Table) -> None:
        self._table = table
        one = offer_of(table.game, table.options)
        self.key = one.key if one else ""
        self.title = game_title(table.game, table.options)
        self.about = tr("With {names}", names=seat_names_at(table))
        self.terms = terms_words(table.terms)
        self.free = sum(seat.is_open for seat in table.seats)
        self.ready = table.status is TableStatus.OPEN and self.free > 0
        if not self.ready:
            self.trouble = tr("That table is full.")
        self._show_persons()

    # --- who sits down ----------------------------------------------------------------------------

    def _show_persons(self) -> None:
        place = self.ids.persons
        place.clear_widgets()
        me = self.app.session.people.me
        for person in self.persons:
            words = person or tr("You ({name})", name=me)
            chip = Chip(text=words, chosen=True)
            chip.bind(on_release=lambda _, person=person: self.remove(person))
            place.add_widget(chip)

    def ask_who(self) -> None:
        """Somebody else of this device wants to sit down, too."""
        names = [name for name in self.app.session.people.offered() if name not in self.persons]
        choices = [Choice(name, name, partial(self.add, name), icon="person") for name in names[:8]]
        self.app.ask(tr("Who else plays on this device?"), "", choices)

    def add(self, name: str) -> None:
        """Somebody else of this device."""
        if len(self.persons) < self.free:
            self._choose([*self.persons, name])

    def remove(self, name: str) -> None:
        """Not after all; the owner stays."""
        if name:
            self._choose([one for one in self.persons if one != name])

    def _choose(self, persons: list[str]) -> None:
        self.persons, self._request_id = persons, ""  # which stands for those that it was sent for
        self._show_persons()

    # --- and off ----------------------------------------------------------------------------------

    def sit_down(self) -> None:
        """Take the seats."""
        if self.ready and not self.busy:
            self.run(self._sit_down)

    async def _sit_down(self) -> None:
        # The same id until there is an answer: trying again takes no second seat.
        self._request_id = self._request_id or fresh_id()
        online, nonces = self.app.session.online, self.app.session.nonces
        me, nonce = await online.sign_in(), b""
        if self._table and all(seat.player_id != me.player_id for seat in self._table.seats):
            # Who sits there already, from another device, stays as they are.
            nonce = nonces.for_table(self._table)
        table = await online.sit_down(
            self._request_id,
            code=self.params.get("code", ""),
            table_id=self.params.get("table_id", ""),
            persons=tuple(self.persons),
            nonce=nonce,
        )
        if nonce:
            nonces.given(table)
        for name in filter(None, self.persons):
            self.app.session.people.met(name)
        self.app.show_table(table, instead=True)

    def decline(self) -> None:
        """Not this time."""
        table_id = self.params["table_id"]
        if self.app.inbox is not None:
            self.app.inbox.forget_invitation(table_id)
        self.app.spawn_quietly(self.app.session.online.decline(table_id))
        self.back()


load_kv(__file__)
