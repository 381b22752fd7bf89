"""A table that waits: for friends, or for its match to be made."""

from __future__ import annotations

import asyncio
from functools import partial

from kivy.core.clipboard import Clipboard
from kivy.properties import BooleanProperty, StringProperty

from app.i18n import tr
from app.model.gateway import Offline
from app.model.term_knobs import terms_words
from app.model.values import Player, Table, TableStatus
from app.model.words import seat_names_at
from app.screens.base import OddScreen, load_kv
from app.widgets.dialog import Choice

POLL_S = 1.0


class TableScreen(OddScreen):
    """Shows the invitation as a code, a link and a picture for another phone's camera, and goes on
    by itself when the match starts."""

    code = StringProperty("")
    link = StringProperty("")
    table_id = StringProperty("")
    about = StringProperty("")
    terms = StringProperty("")
    host = BooleanProperty(False)
    """Whether leaving closes the table."""

    def open(self) -> None:
        self.table_id, self.code = self.params["table_id"], self.params.get("code", "")
        self.link = self.about = self.terms = ""
        self.run(self._wait)

    def resume(self) -> None:
        self.run(self._wait)

    def pause(self) -> None:
        self.app.tasks.cancel(self)

    def close(self) -> None:
        self.app.offline = False
        super().close()

    async def _wait(self) -> None:
        while True:
            try:
                table = await self.app.session.online.get_table(self.table_id)
                self.app.offline = False
            except Offline:
                self.app.offline = True
            else:
                if await self._shown(table):
                    return
            await asyncio.sleep(POLL_S)

    async def _shown(self, table: Table) -> bool:
        """Show how the table stands; True when there is nothing left to wait for."""
        self.code, self.link = table.invitation_code, table.link
        nonces = self.app.session.nonces
        await nonces.add(self.app.session.online, table)
        nonces.started(table)
        self.terms = terms_words(table.terms)
        self.about = tr("Here already: {names}", names=seat_names_at(table))
        me = await self.app.session.online.sign_in()
        self.host = table.seats[0].player_id == me.player_id
        if table.match_id:
            self.app.navigator.go("match", instead=True, match_id=table.match_id)
            return True
        if table.status is TableStatus.CLOSED:
            self.trouble = tr("This table is closed.")
            return True
        return False

    def copy(self) -> None:
        """Put the code where it can be pasted into a message."""
        Clipboard.copy(self.code)
        self.app.toast(tr("The code is copied."))

    def copy_link(self) -> None:
        """The same for the link."""
        Clipboard.copy(self.link)
        self.app.toast(tr("The link is copied."))

    # --- friends ----------------------------------------------------------------------------------

    def ask_friend(self) -> None:
        """Which friend is to be invited?"""
        self.run_quietly(self._ask_friend(), "")

    async def _ask_friend(self) -> None:
        friends = await self.app.session.online.friends()
        choices = [
            Choice(one.player_id, one.display_name, partial(self.invite, one), icon="person")
            for one in friends
        ]
        about = "" if choices else tr("You have no friends here yet. Tell somebody your code.")
        self.app.ask(tr("Whom do you want to invite?"), about, choices)

    def invite(self, friend: Player) -> None:
        """Tell a friend that there is a seat."""
        self.run_quietly(
            self.app.session.online.invite(self.table_id, friend.player_id),
            tr("{name} is invited.", name=friend.display_name),
        )

    def leave(self) -> None:
        """Close the table, or get up from it, and go back."""
        self.app.tasks.cancel(self)
        self.app.session.nonces.taken_back(self.table_id)
        self.app.spawn_quietly(self.app.session.online.leave_table(self.table_id))
        self.back()


load_kv(__file__)
