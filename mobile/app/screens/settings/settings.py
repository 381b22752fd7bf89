"""Settings: the server, the colours of night or day, and how much moves."""

from __future__ import annotations

from functools import partial

from kivy.properties import StringProperty

from app.i18n import LANGUAGES, tr
from app.i18n.system import system_language
from app.screens.base import OddScreen, load_kv
from app.theme import theme


class SettingsScreen(OddScreen):
    """Changes take effect at once and are kept."""

    told = StringProperty("")
    language = StringProperty("")
    """The language chosen; "" for the system's."""

    def open(self) -> None:
        self.told = ""
        self.language = self.app.session.get("language", "")
        self.ids.server.text = self.app.session.server

    def use_server(self) -> None:
        """Check the address typed and use it from now on."""
        self.told = ""
        self.run(partial(self._use_server, self.ids.server.text.strip()))

    async def _use_server(self, server: str) -> None:
        if not server:
            raise ValueError(tr("Type an address, such as play.example.org."))
        await self.app.session.use_server(server)
        me = await self.app.session.online.sign_in()
        self.told = tr("Connected, as {name}.", name=me.display_name)

    def system_language(self) -> str:
        """What the chip of the system's language says."""
        return tr("As the device: {language}", language=LANGUAGES[system_language()])

    def use_language(self, language: str) -> None:
        """Speak another language; "" for the system's."""
        if language != self.language:
            self.app.use_language(language)

    def use_colours(self, *, dark: bool) -> None:
        """Night or day."""
        theme.use(dark=dark)
        self.app.session.set("dark", dark)

    def use_motion(self, *, less: bool) -> None:
        """Whether things move from place to place, or are there at once."""
        self.app.session.settings.change(less_motion=less)


load_kv(__file__)
