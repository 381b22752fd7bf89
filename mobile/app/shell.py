"""The Kivy application: screens, the way back, insets, pauses, and words over everything."""

from __future__ import annotations

import logging
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from kivy.app import App
from kivy.core.window import Window
from kivy.metrics import Metrics
from kivy.properties import BooleanProperty, ListProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import NoTransition

from app import widgets
from app.boards.motion import style
from app.device.doors import Doors
from app.i18n import language, use_language
from app.model.gateway import GatewayError
from app.model.inbox import Inbox
from app.model.kept import send_unchanged
from app.model.session import Session, language_of
from app.model.settings import Preferences
from app.model.sounds import Sound
from app.model.troubles import ForPeople
from app.model.values import Table
from app.navigation import Navigator, Screens
from app.outside import Outside
from app.screens.about.about import AboutScreen, LicenceScreen
from app.screens.base import load_kv
from app.screens.choose.choose import ChooseScreen
from app.screens.friend.friend import FriendScreen
from app.screens.home.home import HomeScreen
from app.screens.join.join import JoinScreen
from app.screens.learn.learn import LearnScreen
from app.screens.learn.lesson import LessonScreen
from app.screens.learn.rules import RulesScreen
from app.screens.lobby.lobby import LobbyScreen
from app.screens.match.match import MatchScreen
from app.screens.matches.matches import MatchesScreen
from app.screens.people.best import BestScreen
from app.screens.people.code import CodeScreen
from app.screens.people.friends import FriendsScreen
from app.screens.people.profile import ProfileScreen
from app.screens.quick.quick import QuickScreen
from app.screens.review.review import ReviewScreen
from app.screens.settings.settings import SettingsScreen
from app.screens.setup.setup import SetupScreen
from app.screens.table.table import TableScreen
from app.sound.player import Player
from app.tasks import Tasks
from app.theme import register_fonts, theme
from app.widgets.dialog import Choice

log = logging.getLogger("oddsocks")

BACK_KEYS = (27, 1073742106)
"""Escape and Android's back key in both its codes (kivy#9075)."""

SCREENS = {
    "home": HomeScreen,
    "choose": ChooseScreen,
    "setup": SetupScreen,
    "friend": FriendScreen,
    "join": JoinScreen,
    "lobby": LobbyScreen,
    "quick": QuickScreen,
    "table": TableScreen,
    "matches": MatchesScreen,
    "match": MatchScreen,
    "review": ReviewScreen,
    "profile": ProfileScreen,
    "friends": FriendsScreen,
    "code": CodeScreen,
    "best": BestScreen,
    "settings": SettingsScreen,
    "learn": LearnScreen,
    "rules": RulesScreen,
    "lesson": LessonScreen,
    "about": AboutScreen,
    "licence": LicenceScreen,
}


class Shell(FloatLayout):
    """The ground, the screens within the insets, and the words over them."""


load_kv(__file__)


class OddsocksApp(App):
    """One app, one session. Everything over the network runs on Kivy's own asyncio loop."""

    title = "Oddsocks"
    root: Any
    offline = BooleanProperty(False)
    insets = ListProperty([0, 0, 0, 0])
    """Left, top, right and bottom pixels that a notch or a bar covers (kivy#9126)."""

    def __init__(self, session: Session, doors: Doors | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.session = session
        self.outside = Outside(self, doors or Doors())
        self.tasks = Tasks(self.report)
        self.player = Player()
        self.navigator: Navigator
        self.troubles: list[Exception] = []
        self.inbox: Inbox | None = None
        """What comes in from the server; None while no server is set."""
        self._was_online = False
        self._fontscale = Metrics.fontscale

    def build(self) -> Shell:
        register_fonts()
        use_language(language_of(self.session.store))
        self.session.settings.listen(self._use)
        Window.clearcolor = theme.ground
        Window.bind(on_keyboard=self._on_keyboard)
        return self._built()

    def _built(self) -> Shell:
        """All there is to show, in the language in use."""
        shell = Shell()
        manager: Screens = shell.ids.screens
        manager.transition = NoTransition()
        manager.offer({name: partial(screen, self, name=name) for name, screen in SCREENS.items()})
        self.navigator = Navigator(manager, self._moved)
        return shell

    def _use(self, now: Preferences) -> None:
        """What was set takes effect at once, everywhere."""
        if theme.dark != now.dark:
            theme.use(dark=now.dark)
        style.less, style.pace = now.less_motion, now.speed.factor
        self.player.use(now)
        self.outside.wanted(wanted=now.tell_turns)
        scale = self._fontscale * now.text_size
        if Metrics.fontscale != scale:
            Metrics.fontscale = scale
            if self.root is not None:
                self._speak()  # Type that was made to fit knows its size in pixels only.

    def _hear(self, _style: object, sound: Sound) -> None:
        self.player.play(sound)

    def use_language(self, chosen: str) -> None:
        """Speak `chosen` from now on, "" for the system's: every screen is built anew, and the
        one on show stays on show (ADR 0120)."""
        self.session.settings.change(language=chosen)
        self._speak()

    def _speak(self) -> None:
        use_language(language_of(self.session.store))
        stack = self.navigator.stack
        self.navigator.current.close()
        Window.remove_widget(self.root)
        self.root = self._built()
        Window.add_widget(self.root)
        self.navigator.start(stack)

    def on_start(self) -> None:
        style.bind(on_sound=self._hear)
        self.watch_inbox()  # First, since screens listen to it.
        self.navigator.start(self.session.remembered_screens())
        self.outside.start()

    # --- what comes in --------------------------------------------------------------------------

    def watch_inbox(self) -> None:
        """Follow what comes in for this player from now on, if a server is set."""
        self.tasks.cancel(self.inbox)
        self.inbox, self._was_online = None, False
        if not self.session.server:
            return
        try:
            gateway = self.session.online
        except ForPeople as error:  # An address of no use: the settings say so.
            self.report(error)
            return
        self.inbox = Inbox(self.session.store, self.session.server, self.session.shown)
        self.inbox.listen(self._came_in)
        self.tasks.spawn(self.inbox.follow(gateway), owner=self.inbox)

    def on_stop(self) -> None:
        Window.unbind(on_keyboard=self._on_keyboard)
        self.outside.stop()
        self.navigator.current.close()

    def on_pause(self) -> bool:
        """Pausing freezes the loop, so nothing may be waiting for the network meanwhile."""
        self.outside.pause()
        self.navigator.current.pause()
        self.tasks.cancel(self.inbox)
        self._was_online = False
        self.session.rest()
        return True

    def on_resume(self) -> None:
        """Everything is drawn anew (kivy#3671) and streams start from the last revision."""
        self.outside.resume()
        if self.inbox is not None:
            self.tasks.spawn(self.inbox.follow(self.session.online), owner=self.inbox)
        if language() != language_of(self.session.store):
            # The device speaks another language than before.
            self._speak()
            return
        theme.property("dark").dispatch(theme)
        self.navigator.current.resume()

    def _on_keyboard(self, _window: object, key: int, *_: object) -> bool:
        if key not in BACK_KEYS:
            return False
        if self.root.ids.dialog.close():
            return True
        # At home the key is left to the platform, which sends the app to the background.
        return self.navigator.back()

    def _moved(self, stack: list[tuple[str, dict[str, str]]]) -> None:
        self.session.remember_screens(stack)
        if self.root is not None:
            # What was said and asked was about another screen.
            self.toast("")
            self.root.ids.dialog.close()
            self.outside.moved(stack)

    def _came_in(self) -> None:
        """Whenever the server is back, what was done offline goes on its way; where a match has
        moved on meanwhile, that is asked when it is opened."""
        inbox, before = self.inbox, self._was_online
        self._was_online = bool(inbox and inbox.online)
        self.outside.came_in()
        if self._was_online and not before:
            self.outside.online()
            for match_id in self.session.kept.matches:
                if self.navigator.params.get("match_id") != match_id:
                    self.spawn_quietly(
                        send_unchanged(self.session.online, self.session.kept, match_id)
                    )

    def spawn_quietly(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something that nobody waits for; trouble with it goes into the log."""

        async def guarded() -> None:
            try:
                await work
            except Exception as error:
                self.report(error)

        self.tasks.spawn(guarded(), owner=self)

    def ask(self, title: str, about: str, choices: Sequence[Choice]) -> None:
        """Ask something over whatever is on show."""
        self.root.ids.dialog.ask(title, about, choices)

    def toast(self, text: str) -> None:
        """Say `text` over whatever is on show."""
        if self.root is not None:
            self.root.ids.toast.say(text)

    def show_table(self, table: Table, *, instead: bool = False) -> None:
        """Go to a table's match, or wait for it."""
        self.session.nonces.started(table)
        if table.match_id:
            self.navigator.go("match", instead=instead, match_id=table.match_id)
        else:
            self.navigator.go(
                "table", instead=instead, table_id=table.table_id, code=table.invitation_code
            )

    def report(self, error: Exception) -> None:
        """Keep trouble for the log. Being refused or offline is no fault of the app's, nor is what
        a person was told about in words meant for them."""
        if isinstance(error, GatewayError | ForPeople):
            log.info("%s: %s (%r)", type(error).__name__, error, error.__cause__)
        else:
            self.troubles.append(error)
            log.error("unexpected", exc_info=error)

    async def finish(self) -> None:
        """Stop all tasks and close the connection."""
        self.session.settings.leave(self._use)
        style.unbind(on_sound=self._hear)
        self.player.close()
        await self.tasks.stop()
        await self.session.close()


__all__ = ["OddsocksApp", "widgets"]
