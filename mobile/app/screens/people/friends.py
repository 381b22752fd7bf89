"""Friends by code, and whom one wants nothing to do with."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.core.clipboard import Clipboard
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from app.i18n import tr
from app.model.values import Player
from app.screens.base import OddScreen, load_kv
from app.screens.people.block import ask_block
from app.widgets import Card
from app.widgets.dialog import Choice


class PersonRow(ButtonBehavior, Card):
    """Somebody on a list; a touch asks what is to be done."""

    name = StringProperty("")
    picture = StringProperty("")


class FriendsScreen(OddScreen):
    """My code, the code of somebody else, and the lists."""

    code = StringProperty("")
    empty = BooleanProperty(False)
    typing = BooleanProperty(False)
    """Whether the keys for a code are on show."""

    def open(self) -> None:
        self.code, self.typing = "", False
        self.ids.pad.code = ""
        self.on_typing()
        self.run(self._load)

    def on_typing(self, *_: object) -> None:
        """Keys that are not on show must not be in the way of touches either."""
        self._pad = self.ids.pad.__self__  # Else nobody would hold it meanwhile.
        if self.typing and self._pad.parent is None:
            self.ids.card.add_widget(self._pad)
        elif not self.typing and self._pad.parent is not None:
            self._pad.parent.remove_widget(self._pad)

    async def _load(self) -> None:
        online = self.app.session.online
        self.code = await online.friend_code()
        await self._lists()

    async def _lists(self) -> None:
        online = self.app.session.online
        friends, blocked = await online.friends(), await online.blocked()
        self.empty = not friends
        self._fill(self.ids.friends, friends, self.ask_friend)
        self._fill(self.ids.blocked, blocked, self.ask_blocked)

    def _fill(self, place: Any, players: tuple[Player, ...], ask: Any) -> None:
        place.clear_widgets()
        for player in players:
            row = PersonRow(name=player.display_name, picture=player.picture)
            row.bind(on_release=lambda _, player=player: ask(player))
            place.add_widget(row)

    # --- codes ----------------------------------------------------------------------------------

    def copy(self) -> None:
        """Put my code where it can be pasted into a message."""
        Clipboard.copy(self.code)
        self.app.toast(tr("The code is copied."))

    def ask_renew(self) -> None:
        """Really another code?"""
        about = tr("Whoever has the old one can't add you any more. Friends stay friends.")
        renew = Choice("renew", tr("Yes, a new code"), partial(self.run, self._renew), "again")
        self.app.ask(tr("Another code?"), about, [renew])

    async def _renew(self) -> None:
        self.code = await self.app.session.online.friend_code(fresh=True)

    def add(self, code: str) -> None:
        """Become friends with whoever told this code."""
        self.run(partial(self._add, code))

    async def _add(self, code: str) -> None:
        try:
            friend = await self.app.session.online.add_friend(code)
        finally:
            self.ids.pad.code = ""
        self.typing = False
        self.app.toast(tr("{name} is your friend now.", name=friend.display_name))
        await self._lists()

    # --- people ---------------------------------------------------------------------------------

    def ask_friend(self, player: Player) -> None:
        """What about this friend?"""
        name = player.display_name
        online = self.app.session.online
        choices = [
            Choice("play", tr("Play together"), self.play, "friends", main=True),
            Choice(
                "remove",
                tr("Not my friend any more"),
                partial(self._do, lambda: online.remove_friend(player.player_id)),
                "cross",
            ),
            Choice(
                "block", tr("Block {name}", name=name), partial(self.ask_block, player), "cross"
            ),
        ]
        self.app.ask(name, "", choices)

    def play(self) -> None:
        """A table with a seat for a friend; who, is asked there."""
        self.app.navigator.go("choose", whom="friend")

    def ask_block(self, player: Player) -> None:
        """Really?"""
        online = self.app.session.online
        work = partial(self._do, lambda: online.block(player.player_id))
        ask_block(self.app, player.display_name, work)

    def ask_blocked(self, player: Player) -> None:
        """Take a block back?"""
        online = self.app.session.online
        work = partial(self._do, lambda: online.unblock(player.player_id))
        unblock = Choice("unblock", tr("Take the block back"), work, "again")
        self.app.ask(player.display_name, tr("You have blocked this player."), [unblock])

    def _do(self, call: Any) -> None:
        async def work() -> None:
            await call()
            await self._lists()

        self.run(work)


load_kv(__file__)
