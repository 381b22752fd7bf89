"""Being oneself on another device: the code of a linked device, or the one that was kept."""

from __future__ import annotations

from functools import partial

from kivy.properties import BooleanProperty

from app.i18n import tr
from app.model.session import fresh_id
from app.model.values import Player
from app.screens.base import OddScreen, load_kv


class CodeScreen(OddScreen):
    """Types a link code of 8 signs or a recovery code of 20."""

    long = BooleanProperty(False)
    """Whether it is the code that was kept."""
    _asked: tuple[str, str] = ("", "")
    """The last code, and the request that used it: a link code is good for one only, and whoever
    types it again, since its answer was lost, means the same."""

    def open(self) -> None:
        self.long = False
        self.ids.pad.code = ""

    def choose(self, *, long: bool) -> None:
        """Which kind of code it is."""
        self.long = long
        self.ids.pad.code = ""

    def use(self, code: str) -> None:
        """Be whose code it is."""
        self.run(partial(self._use, code))

    async def _use(self, code: str) -> None:
        online, calls = self.app.session.online, self.app.outside.calls
        await calls.leave()  # Whoever this was is called here no more.
        try:
            me = await (online.recover(code) if self.long else self._link(code))
        finally:
            self.ids.pad.code = ""
            self.app.outside.online()
        self.app.session.people.rename_me(me.display_name)
        self.app.outside.reminders.forget()
        self.app.watch_inbox()
        self.app.navigator.home()
        self.app.toast(tr("You are {name} now.", name=me.display_name))

    async def _link(self, code: str) -> Player:
        if self._asked[0] != code:
            self._asked = (code, fresh_id())
        me: Player = await self.app.session.online.link(self._asked[1], code)
        return me


load_kv(__file__)
