"""Settings: what a person likes, and the server. Changes take effect at once and are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from app.i18n import LANGUAGES, tr
from app.i18n.system import system_language
from app.model.gateway import Untrusted
from app.model.introduction import LINK, Introduction
from app.model.settings import TEXT_SIZES, Speed
from app.screens.base import OddScreen, load_kv
from app.widgets import Chip
from app.widgets.dialog import Choice


@dataclass(frozen=True, slots=True)
class Liking:
    """Something to set, with a line that explains it: what each chip is called, and what it
    changes."""

    key: str
    title: str
    about: str
    choices: Sequence[tuple[str, dict[str, Any]]]


class LikingRow(BoxLayout):
    """One setting. `on_choice(changes)`: another value is wanted."""

    key = StringProperty("")
    title = StringProperty("")
    about = StringProperty("")

    __events__ = ("on_choice",)

    def __init__(self, liking: Liking, **kwargs: Any) -> None:
        super().__init__(key=liking.key, title=liking.title, about=liking.about, **kwargs)
        self.liking = liking
        for label, changes in liking.choices:
            chip = Chip(text=label)
            chip.bind(on_release=lambda _, changes=changes: self.dispatch("on_choice", changes))
            self.ids.chips.add_widget(chip)

    def show(self, now: Any) -> None:
        """Mark what is set."""
        for chip, (_, changes) in zip(
            self.ids.chips.children[::-1], self.liking.choices, strict=True
        ):
            chip.chosen = all(getattr(now, name) == value for name, value in changes.items())

    def on_choice(self, changes: dict[str, Any]) -> None:
        """`changes` are wanted."""


class SettingsScreen(OddScreen):
    """One row a setting."""

    told = StringProperty("")
    language = StringProperty("")
    """The language chosen; "" for the system's."""

    def open(self) -> None:
        self.told = ""
        self.language = self.app.session.settings.now.language
        self.ids.server.text = self.app.session.server
        place = self.ids.likings
        place.clear_widgets()
        for liking in likings(tells=self.app.outside.calls.able):
            row = LikingRow(liking)
            row.bind(on_choice=lambda _, changes: self.change(changes))
            place.add_widget(row)
        self.mark()

    def change(self, changes: dict[str, Any]) -> None:
        """Set something."""
        self.app.session.settings.change(**changes)
        self.mark()

    def mark(self) -> None:
        """Show what is set."""
        for row in self.ids.likings.children:
            row.show(self.app.session.settings.now)

    def chip(self, key: str, index: int) -> Chip:
        """The chip of a choice."""
        row = next(row for row in self.ids.likings.children if row.key == key)
        chip: Chip = row.ids.chips.children[::-1][index]
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
            raise ValueError(tr("Type an address, such as play.example.org."))
        session = self.app.session
        if server.lower().startswith(LINK):
            self._compare(await session.meet(server))
            return
        try:
            await self._connect(server)
        except Untrusted:
            if session.known.authority(server):
                raise ValueError(
                    tr("Somebody else answers there than the server you know. Nothing was sent.")
                ) from None
            self._compare(await session.meet(server))

    async def _connect(self, server: str) -> None:
        await self.app.outside.calls.leave()
        try:
            await self.app.session.use_server(server)
        except ValueError:
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
        _switch("left_handed", tr("Left-handed"), tr("The menu of a match lies on the left.")),
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
