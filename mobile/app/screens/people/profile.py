"""Who I am to others: name, picture, how I play; and what belongs to an account."""

from __future__ import annotations

from functools import partial

from kivy.core.clipboard import Clipboard
from kivy.properties import BooleanProperty, StringProperty

from app.i18n import tr, trn
from app.model.games import game_title
from app.model.online import Profile, Rating
from app.model.people import LONGEST_NAME, clean
from app.screens.base import OddScreen, load_kv
from app.screens.people.code_sheet import CodeSheet
from app.widgets import Badge
from app.widgets.dialog import Choice


class ProfileScreen(OddScreen):
    """Without a server only the name on this device."""

    player_name = StringProperty("")
    picture = StringProperty("")
    rated = StringProperty("")
    online = BooleanProperty(False)
    kept = BooleanProperty(False)
    """Whether there is a recovery code."""
    code = StringProperty("")
    """A code to be written down, as long as it is on show."""
    code_title = StringProperty("")
    code_about = StringProperty("")

    def open(self) -> None:
        self.player_name = self.app.session.people.me
        self.picture = self.rated = self.code = ""
        self.kept = False
        self.ids.name.text = self.player_name
        self.ids.pictures.clear_widgets()
        self.online = bool(self.app.session.server)
        if self.online:
            self.run(self._load)

    async def _load(self) -> None:
        online = self.app.session.online
        self._show(await online.profile())
        self.rated = "\n".join(map(_rating_words, await online.ratings()))

    def _show(self, profile: Profile) -> None:
        self.player_name = profile.player.display_name
        self.ids.name.text = self.player_name
        self.picture, self.kept = profile.player.picture, profile.has_recovery_code
        place = self.ids.pictures
        place.clear_widgets()
        for picture in profile.pictures:
            badge = Badge(picture=picture, chosen=picture == self.picture)
            badge.bind(on_release=lambda pressed: self.choose(pressed.picture))
            place.add_widget(badge)

    # --- name and picture -----------------------------------------------------------------------

    def rename(self) -> None:
        """Take the name typed, here and on the server."""
        name = clean(self.ids.name.text)
        if not name:
            self.trouble = trn(
                "A name has 1 to {count} letter.", "A name has 1 to {count} letters.", LONGEST_NAME
            )
            return
        self.app.session.people.rename_me(name)
        self.player_name = self.ids.name.text = name
        self.trouble = ""
        if self.online:
            self.run(partial(self._change, name, None))
        else:
            self.app.toast(tr("You are {name} now.", name=name))

    def choose(self, picture: str) -> None:
        """Another picture."""
        self.run(partial(self._change, None, picture))

    async def _change(self, name: str | None, picture: str | None) -> None:
        me = await self.app.session.online.change_profile(name=name, picture=picture)
        self.player_name, self.picture = me.display_name, me.picture
        for badge in self.ids.pictures.children:
            badge.chosen = badge.picture == me.picture
        if name is not None:
            self.app.toast(tr("You are {name} now.", name=me.display_name))

    # --- codes ----------------------------------------------------------------------------------

    def ask_recovery(self) -> None:
        """A code to keep; a new one makes the one before worthless, so that is asked first."""
        if not self.kept:
            self.make_recovery()
            return
        about = tr("The code you have written down is no good any more then.")
        fresh = Choice("fresh", tr("Yes, a new code"), self.make_recovery, "again")
        self.app.ask(tr("Another code?"), about, [fresh])

    def make_recovery(self) -> None:
        """Ask for the code and show it."""
        self.run(self._recovery)

    async def _recovery(self) -> None:
        self.code = await self.app.session.online.make_recovery_code()
        self.code_title = tr("Your code to keep")
        self.code_about = tr(
            "Write it down or print it, and keep it safe. With it you are {name} again on any "
            "device. It is shown only now.",
            name=self.player_name,
        )
        self.kept = True

    def make_link(self) -> None:
        """A code for another device of the same person."""
        self.run(self._link)

    async def _link(self) -> None:
        self.code = await self.app.session.online.make_link_code()
        self.code_title = tr("For your other device")
        self.code_about = tr(
            "On the other device: You, then “I have a code”. It is good for a few minutes, once."
        )

    def copy(self) -> None:
        """Put the code on show where it can be pasted or printed from."""
        Clipboard.copy(self.code)
        self.app.toast(tr("The code is copied."))

    def takes_back(self) -> bool:
        """A code on show goes first."""
        was = bool(self.code)
        self.code = ""
        return was

    # --- the end of things ----------------------------------------------------------------------

    def ask_sign_out(self) -> None:
        """Really all other devices?"""
        about = tr("All your other devices forget who you are. This one stays.")
        out = Choice("out", tr("Yes, sign them out"), self.sign_out, "cross")
        self.app.ask(tr("Sign out the other devices?"), about, [out])

    def sign_out(self) -> None:
        """End the sessions of all other devices."""
        self.run_quietly(self._sign_out(), tr("The other devices are signed out."))

    async def _sign_out(self) -> None:
        await self.app.session.online.sign_out_everywhere()
        # The server has forgotten this device as well, which goes on to be called.
        self.app.outside.calls.forgotten()
        self.app.outside.online()

    def ask_delete(self) -> None:
        """Really? This can't be taken back, so it is asked twice."""
        about = tr("Your friends, codes and ratings go, and nobody can bring them back.")
        go_on = Choice("delete", tr("Delete my account"), self._ask_again, "cross")
        self.app.ask(tr("Delete your account?"), about, [go_on])

    def _ask_again(self) -> None:
        really = Choice("really", tr("Yes, for ever"), self.delete, "cross")
        self.app.ask(tr("Really for ever?"), tr("This can't be undone."), [really])

    def delete(self) -> None:
        """Delete the account on the server; what is on this device stays."""
        self.run(self._delete)

    async def _delete(self) -> None:
        await self.app.session.online.delete_account()
        self.app.outside.calls.forgotten()
        self.app.outside.reminders.forget()
        self.app.watch_inbox()
        self.app.navigator.home()
        self.app.toast(tr("Your account is deleted."))


def _rating_words(rating: Rating) -> str:
    game = game_title(rating.game, {"edition": rating.edition} if rating.edition else {})
    matches = trn("{count} match", "{count} matches", rating.matches)
    points = trn("{count} point", "{count} points", rating.points)
    return f"{game}: {points} · {matches}"


__all__ = ["CodeSheet", "ProfileScreen"]

load_kv(__file__)
