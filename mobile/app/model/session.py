"""Who plays here, on which server, and what the app remembers between two starts.

There are two gateways: `here`, which needs no network, and `online` to the server, if one is set.
A match id says to which of them it belongs.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeAlias

from app.i18n import LANGUAGES, tr
from app.i18n.system import system_language
from app.model.gateway import Gateway
from app.model.introduction import Introduction, Known
from app.model.kept import KeptActs
from app.model.nonces import Nonces
from app.model.online import Online
from app.model.people import People
from app.model.places import is_here
from app.model.settings import Settings
from app.model.shown import Shown
from app.model.store import Store
from app.model.troubles import ForPeople

_SETTINGS = "settings"
_SCREENS = "screens"
MOST_SCREENS = 8

Meet: TypeAlias = Callable[[str], Awaitable[Introduction]]


def language_of(store: Store) -> str:
    """The language to speak: the one chosen on this device, else that of the system."""
    chosen = store.read(_SETTINGS).get("language")
    return chosen if isinstance(chosen, str) and chosen in LANGUAGES else system_language()


def fresh_id() -> str:
    """A request id nobody has used."""
    return uuid.uuid4().hex


class Session:
    """The gateways in use and what is kept on the device.

    `here` is the gateway of this device. `connect` makes one for a server's address; it raises
    `ForPeople` when the address is of no use. `meet` asks the
    server of an address or link which authority it goes by.
    """

    def __init__(
        self,
        store: Store,
        people: People,
        here: Gateway,
        connect: Callable[[str], Online],
        server: str = "",
        meet: Meet | None = None,
    ) -> None:
        self.store, self.people, self.here = store, people, here
        self._connect = connect
        self._online: Online | None = None
        self._fixed = server
        self._settings = store.read(_SETTINGS)
        self.settings = Settings(self._settings, self._set)
        self.shown = Shown(store)
        self.nonces = Nonces(store)
        self.known = Known(store)
        self._meet = meet

    @property
    def server(self) -> str:
        """The address in use; empty when nobody has chosen one."""
        return self._fixed or str(self._settings.get("server", ""))

    @property
    def online(self) -> Online:
        """The gateway to that server. Raises `ForPeople` when the address is of no use."""
        if self._online is None:
            self._online = self._connect(self.server)
        return self._online

    @property
    def kept(self) -> KeptActs:
        """What is on its way to the server."""
        return KeptActs(self.store, self.server)

    def at(self, match_id: str) -> Gateway:
        """The gateway that a match or table belongs to. Raises `ForPeople` as `online` does."""
        return self.here if is_here(match_id) else self.online

    @property
    def gateways(self) -> Iterator[Gateway]:
        """All there are: this device, then the server if one is set; raises as `online` does."""
        yield self.here
        if self.server:
            yield self.online

    async def use_server(self, server: str) -> None:
        """Change the server, after checking that the address can be read (`ForPeople`)."""
        fresh = self._connect(server)
        old, self._online, self._fixed = self._online, fresh, ""
        self._set("server", server)
        if old is not None:
            await old.close()

    async def meet(self, server: str) -> Introduction:
        """Ask a server that nobody vouches for which authority it goes by, so that a person can
        compare it. Raises `ForPeople` where there is nothing to compare, and `GatewayError`."""
        if self._meet is None:
            raise ForPeople(tr("This server shows nothing that could be compared."))
        return await self._meet(server)

    def rest(self) -> None:
        """The app is about to be paused."""
        self.here.rest()

    async def close(self) -> None:
        """Let go of everything."""
        await self.here.close()
        if self._online is not None:
            await self._online.close()

    # --- settings ---------------------------------------------------------------------------

    def _set(self, name: str, value: Any) -> None:
        self._settings[name] = value
        self.store.write(_SETTINGS, self._settings)

    # --- where we were ------------------------------------------------------------------------

    def remember_screens(self, screens: list[tuple[str, dict[str, str]]]) -> None:
        """Keep the way to the screen on show, so that it comes back after a kill."""
        kept = [{"name": name, "params": params} for name, params in screens[-MOST_SCREENS:]]
        self.store.write(_SCREENS, {"screens": kept}, durable=False)

    def remembered_screens(self) -> list[tuple[str, dict[str, str]]]:
        """The way kept last; empty when there is none that can be read."""
        found: list[tuple[str, dict[str, str]]] = []
        kept = self.store.read(_SCREENS).get("screens", [])
        for screen in kept if isinstance(kept, list) else []:
            try:
                params = {str(key): str(value) for key, value in screen["params"].items()}
                found.append((str(screen["name"]), params))
            except (TypeError, KeyError, AttributeError):
                return []
        return found
