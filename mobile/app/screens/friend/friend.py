"""Playing with a friend: invite one, or take up an invitation.

The code is typed on keys of our own: the letters that codes are made of and no others, so that
no keyboard has to be suffered (kivy#6898, kivy#4151).
"""

from __future__ import annotations

from functools import partial

from kivy.core.clipboard import Clipboard
from kivy.properties import StringProperty

from app.i18n import tr
from app.model.session import fresh_id
from app.screens.base import OddScreen, load_kv
from app.widgets import Chip

KEYS = "23456789CDFGHJKMNPQRTVWXY"
"""The signs that codes are made of: no vowels, no look-alikes."""
CODE_LENGTH = 6


class FriendScreen(OddScreen):
    """Invite, or join by code."""

    code = StringProperty("")

    def open(self) -> None:
        self.code = ""
        if not self.app.session.server:
            self.trouble = tr("No server is chosen yet: see the settings.")
        if not self.ids.pad.children:
            for key in KEYS:
                chip = Chip(text=key, chosen=True)
                chip.bind(on_release=lambda pressed: self.type(pressed.text))
                self.ids.pad.add_widget(chip)

    def type(self, key: str) -> None:
        """One more sign; the last one joins."""
        if self.busy or len(self.code) >= CODE_LENGTH:
            return
        self.trouble = ""
        self.code += key
        if len(self.code) == CODE_LENGTH:
            self.join()

    def rub(self) -> None:
        """One sign less."""
        self.code = self.code[:-1]
        self.trouble = ""

    def paste(self) -> None:
        """Take the code from what was copied, if there is one in it."""
        signs = [sign for sign in Clipboard.paste().upper() if sign in KEYS]
        self.code = "".join(signs)[:CODE_LENGTH]
        if len(self.code) == CODE_LENGTH:
            self.join()
        else:
            self.trouble = tr("There is no code in what was copied.")

    def invite(self) -> None:
        """Choose a game for a table with a seat for a friend."""
        self.app.navigator.go("choose", whom="friend")

    def join(self) -> None:
        """Take up the invitation typed."""
        self.run(partial(self._join, self.code))

    async def _join(self, code: str) -> None:
        try:
            table = await self.app.session.online.join_table(fresh_id(), code)
        except Exception:
            self.code = ""
            raise
        self.app.show_table(table, instead=True)


load_kv(__file__)
