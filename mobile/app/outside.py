"""The app as it is met from outside: links that open it, and what it tells while nobody looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window

from app.device.doors import Doors
from app.i18n import tr
from app.model.calls import Calls
from app.model.links import (
    BrokenLink,
    JoinLink,
    MatchLink,
    ServerLink,
    TableLink,
    read_link,
)
from app.model.places import is_here
from app.model.reminders import Reminders
from app.model.values import MyMatch
from app.widgets.dialog import Choice

Stack = list[tuple[str, dict[str, str]]]


class Outside:
    """Belongs to the app, lives as long, and knows when nobody looks at it."""

    def __init__(self, app: Any, doors: Doors) -> None:
        self.calls = Calls(app.session, doors.push, doors.notes)
        self.reminders = Reminders(self.calls)
        self._app, self._links = app, doors.links
        self._paused = False
        self._on_show = ""
        """The match on show."""
        self._wanted: bool | None = None

    def start(self) -> None:
        """The app is on show."""
        Window.bind(focus=self._focused)
        self._links.listen(self._came)
        link = self._links.first()
        if link:
            self.open(link)

    def stop(self) -> None:
        """The app ends."""
        Window.unbind(focus=self._focused)

    # --- whether somebody looks -------------------------------------------------------------------

    @property
    def away(self) -> bool:
        """Whether nobody looks: the app is paused, or another window is in front of it."""
        return self._paused or not Window.focus

    def pause(self) -> None:
        """The app goes to the background."""
        self._paused = True

    def resume(self) -> None:
        """It is back."""
        self._paused = False
        self._focused()

    def _focused(self, *_: object) -> None:
        if not self.away:
            self.reminders.seen(self._on_show)

    def moved(self, stack: Stack) -> None:
        """Another screen is on show."""
        before, self._on_show = self._on_show, ""
        name, params = stack[-1]
        if name == "match":
            self._on_show = params.get("match_id", "")
            self._focused()
        elif before and all(one != "match" for one, _ in stack):
            self._left(before)

    def _left(self, match_id: str) -> None:
        """The player has come out of a match."""
        if self.calls.should_ask(self._match(match_id)):
            self.ask()

    # --- what waits -------------------------------------------------------------------------------

    def came_in(self) -> None:
        """The inbox has changed."""
        inbox = self._app.inbox
        if inbox is None:
            return
        for match in inbox.matches.values():
            self._app.session.nonces.started(match.table)
        self.reminders.look(inbox.matches.values(), away=self.away)

    def online(self) -> None:
        """The server is there, perhaps again, perhaps another, perhaps for somebody else."""
        self._app.spawn_quietly(self.calls.sync())

    def _match(self, match_id: str) -> MyMatch | None:
        inbox = self._app.inbox
        known = inbox.matches.values() if inbox else ()
        return next((one for one in known if one.table.match_id == match_id), None)

    # --- whether that is wanted -------------------------------------------------------------------

    def ask(self) -> None:
        """Asked once, on the way out of the first match over days; no is an answer for good."""
        self.calls.asked()
        yes = Choice(
            "tell", tr("Yes, tell me"), lambda: self._app.session.settings.change(tell_turns=True)
        )
        about = tr(
            "This device can tell you while the app is away. At night it stays quiet. In the "
            "settings you can change that."
        )
        self._app.ask(tr("Tell you when it is your turn?"), about, [yes])

    def wanted(self, *, wanted: bool) -> None:
        """Somebody wants to be told, or not any more."""
        before, self._wanted = self._wanted, wanted
        if before is None or before is wanted:
            return
        if wanted:
            self._app.spawn_quietly(self._switch_on())
        else:
            self.reminders.forget()
            self._app.spawn_quietly(self.calls.sync())

    async def _switch_on(self) -> None:
        if await self.calls.notes.permit():
            await self.calls.sync()
            return
        self._app.session.settings.change(tell_turns=False)
        if self._app.navigator.current.name == "settings":
            self._app.navigator.current.mark()
        self._app.toast(tr("Your device does not allow it. Its own settings can change that."))

    # --- links ------------------------------------------------------------------------------------

    def _came(self, text: str) -> None:
        """On whatever thread the platform tells it."""
        Clock.schedule_once(lambda _: self.open(text))

    def open(self, text: str) -> None:
        """Go where a link leads; one that leads nowhere is said so."""
        go: Callable[..., None] = self._app.navigator.go
        try:
            link = read_link(text)
        except BrokenLink as error:
            self._app.ask(tr("This link leads nowhere"), str(error), ())
            return
        here = isinstance(link, MatchLink) and is_here(link.match_id)
        if not (self._app.session.server or here or isinstance(link, ServerLink)):
            self._ask_server()
            return
        again = self._app.navigator.current.name == "join"
        match link:
            case JoinLink(code=code):
                go("join", instead=again, code=code)
            case TableLink(table_id=table_id):
                go("join", instead=again, table_id=table_id)
            case MatchLink(match_id=match_id):
                if match_id != self._on_show:
                    go("match", match_id=match_id)
            case ServerLink(link=server):
                go("settings")
                self._app.navigator.current.introduce(server)

    def _ask_server(self) -> None:
        settings = Choice(
            "settings", tr("To the settings"), lambda: self._app.navigator.go("settings"), main=True
        )
        about = tr("Choose the server first. Then open the link once more.")
        self._app.ask(tr("No server is chosen yet"), about, [settings])
