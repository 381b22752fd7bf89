"""Settings: what a person likes, and the server. Changes take effect at once and are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.properties import StringProperty

from app.i18n import LANGUAGES, tr
from app.i18n.system import system_language
from app.model.gateway import Untrusted
from app.model.introduction import LINK, Introduction
from app.model.settings import TEXT_SIZES, Speed
from app.model.troubles import ForPeople
from app.screens.base import OddScreen, load_kv
from app.widgets import Chip, ChoiceRow
from app.widgets.dialog import Choice


@dataclass(frozen=True, slots=True)
class Liking:
    """Something to set, with a line that explains it: what each chip is called, and what it
    changes."""

    key: str
    title: str
    about: str
    choices: Sequence[tuple[str, dict[str, Any]]]


class SettingsScreen(OddScreen):
    """One row a setting."""

    told = StringProperty("")
    language = StringProperty("")
    """The language chosen; "" for the system's."""

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self._likings: dict[str, list[dict[str, Any]]] = {}
        """What each chip of a row changes, by the row's key."""

    def open(self) -> None:
        self.told = ""
        self.language = self.app.session.settings.now.language
        self.ids.server.text = self.app.session.server
        place = self.ids.likings
        place.clear_widgets()
        found = likings(tells=self.app.outside.calls.able)
        self._likings = {one.key: [changes for _, changes in one.choices] for one in found}
        for liking in found:
            labels = [label for label, _ in liking.choices]
            row = ChoiceRow(labels, key=liking.key, title=liking.title, about=liking.about)
            row.beside = self.wide
            row.bind(on_choice=lambda row, index: self.change(self._likings[row.key][index]))
            place.add_widget(row)
        self.mark()

    def change(self, changes: dict[str, Any]) -> None:
        """Set something."""
        self.app.session.settings.change(**changes)
        self.mark()

    def on_wide(self, *_: object) -> None:
        """The window was turned."""
        for row in self.ids.likings.children:
            row.beside = self.wide

    def mark(self) -> None:
        """Show what is set."""
        now = self.app.session.settings.now
        for row in self.ids.likings.children:
            row.mark(
                index
                for index, changes in enumerate(self._likings[row.key])
                if all(getattr(now, name) == value for name, value in changes.items())
            )

    def chip(self, key: str, index: int) -> Chip:
        """The chip of a choice."""
        row = next(row for row in self.ids.likings.children if row.key == key)
        chip: Chip = row.chips[index]
        return chip

    def use_server(self) -> None:
        """Check the address typed and use it from now on."""
        self.told = ""
        self.run(partial(self._use_server, self.ids.server.text.strip()))

    def introduce(self, link: str) -> None:
        """Meet the server of a link that came from outside."""
        self.ids.server.text = link
        self.use_server()

    async def _use_server(self, server: str) -> None:
        if not server:
            raise ForPeople(tr("Type an address, such as play.example.org."))
        session = self.app.session
        if server.lower().startswith(LINK):
            self._compare(await session.meet(server))
            return
        try:
            await self._connect(server)
        except Untrusted:
            if session.known.authority(server):
                raise ForPeople(
                    tr("Somebody else answers there than the server you know. Nothing was sent.")
                ) from None
            self._compare(await session.meet(server))

    async def _connect(self, server: str) -> None:
        await self.app.outside.calls.leave()
        try:
            await self.app.session.use_server(server)
        except ForPeople:
            self.app.outside.online()  # It stays with the one that it was told to leave.
            raise
        self.app.watch_inbox()
        me = await self.app.session.online.sign_in()
        self.told = tr("Connected, as {name}.", name=me.display_name)

    def _compare(self, met: Introduction) -> None:
        """Nobody vouches for a server at home but who stands before it (ADR 0150)."""
        about = tr("The server at home shows four words. Are they these?")
        same = Choice("same", tr("Yes, the same"), partial(self._trust, met), main=True)
        self.app.ask("  ".join(met.words), about, [same])

    def _trust(self, met: Introduction) -> None:
        self.app.session.known.keep(met)
        self.ids.server.text = met.server
        self.run(partial(self._connect, met.server))

    def system_language(self) -> str:
        """What the chip of the system's language says."""
        return tr("As the device: {language}", language=LANGUAGES[system_language()])

    def use_language(self, language: str) -> None:
        """Speak another language; "" for the system's."""
        if language != self.language:
            self.app.use_language(language)


def likings(*, tells: bool = True) -> list[Liking]:
    """All settings but the language and the server; `tells`: the device can tell that it is
    somebody's turn while the app is away."""
    found = [
        Liking(
            "colours",
            tr("Colours"),
            "",
            ((tr("Night"), {"dark": True}), (tr("Day"), {"dark": False})),
        ),
        Liking(
            "motion",
            tr("Motion"),
            tr("Less motion: things are where they go at once."),
            ((tr("Lively"), {"less_motion": False}), (tr("Less motion"), {"less_motion": True})),
        ),
        Liking(
            "speed",
            tr("Speed"),
            tr("How fast pawns walk and socks fly."),
            (
                (tr("Calm"), {"speed": Speed.CALM}),
                (tr("Usual"), {"speed": Speed.USUAL}),
                (tr("Quick"), {"speed": Speed.QUICK}),
            ),
        ),
        Liking(
            "sound",
            tr("Sounds"),
            "",
            (
                (tr("Off"), {"sound": False}),
                (tr("Soft"), {"sound": True, "loudness": 35}),
                (tr("Usual"), {"sound": True, "loudness": 70}),
            ),
        ),
        Liking(
            "text",
            tr("Size of texts"),
            "",
            tuple(
                (label, {"text_size": size})
                for label, size in zip(
                    (tr("Usual"), tr("Larger"), tr("Largest")), TEXT_SIZES, strict=True
                )
            ),
        ),
        _switch(
            "left_handed", tr("Left-handed"), tr("What you reach for in a match lies on the left.")
        ),
        _switch(
            "memory_help",
            tr("Memory help"),
            tr("New tables start with it, where the game has one."),
        ),
    ]
    if tells:
        about = tr("While the app is in the background. At night it stays quiet.")
        found.append(_switch("tell_turns", tr("Tell me when it is my turn"), about))
    return found


def _switch(key: str, title: str, about: str) -> Liking:
    return Liking(key, title, about, ((tr("No"), {key: False}), (tr("Yes"), {key: True})))


load_kv(__file__)
