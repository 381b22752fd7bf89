"""A table that waits: for a friend, or for its match to be made."""

from __future__ import annotations

import asyncio

from kivy.core.clipboard import Clipboard
from kivy.properties import StringProperty

from app.i18n import tr
from app.model.gateway import Offline
from app.model.values import Table, TableStatus
from app.screens.base import OddScreen, load_kv

POLL_S = 1.0


class TableScreen(OddScreen):
    """Shows the invitation code and goes on by itself when the match starts."""

    code = StringProperty("")
    table_id = StringProperty("")

    def open(self) -> None:
        self.table_id, self.code = self.params["table_id"], self.params.get("code", "")
        self.run(self._wait)

    def resume(self) -> None:
        self.run(self._wait)

    def pause(self) -> None:
        self.app.tasks.cancel(self)

    async def _wait(self) -> None:
        while True:
            try:
                table = await self.app.session.online.get_table(self.table_id)
                self.app.offline = False
            except Offline:
                self.app.offline = True
            else:
                if self._shown(table):
                    return
            await asyncio.sleep(POLL_S)

    def _shown(self, table: Table) -> bool:
        """Show how the table stands; True when there is nothing left to wait for."""
        self.code = table.invitation_code
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

    def leave(self) -> None:
        """Close the table and go back."""
        self.app.tasks.cancel(self)
        self.app.tasks.spawn(self._leave(self.table_id), owner=self.app)
        self.back()

    async def _leave(self, table_id: str) -> None:
        try:
            await self.app.session.online.leave_table(table_id)
        except Exception as error:
            self.app.report(error)


load_kv(__file__)
