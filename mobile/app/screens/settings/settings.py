"""Settings: the server, the colours of night or day, and how much moves."""

from __future__ import annotations

from functools import partial

from kivy.properties import StringProperty

from app.i18n import tr
from app.screens.base import OddScreen, load_kv
from app.theme import theme


class SettingsScreen(OddScreen):
    """Changes take effect at once and are kept."""

    told = StringProperty("")

    def open(self) -> None:
        self.told = ""
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

    def use_colours(self, *, dark: bool) -> None:
        """Night or day."""
        theme.use(dark=dark)
        self.app.session.set("dark", dark)

    def use_motion(self, *, less: bool) -> None:
        """Whether things move from place to place, or are there at once."""
        self.app.session.settings.change(less_motion=less)


load_kv(__file__)
