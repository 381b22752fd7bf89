"""Who plays here, on which server, and what the app remembers between two starts."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from app.model.gateway import Gateway
from app.model.store import Store
from app.model.values import Agent, SeatRequest, SeatWish, Table
from services.engine.core.options import OptionValue

_SETTINGS = "settings"
_SCREENS = "screens"
MOST_SCREENS = 8


def fresh_id() -> str:
    """A request id nobody has used."""
    return uuid.uuid4().hex


class Session:
    """The gateway in use and what is kept on the device.

    `connect` makes a gateway for a server's address; it raises `ValueError` with a sentence a
    person can read when the address is of no use.
    """

    def __init__(self, store: Store, connect: Callable[[str], Gateway], server: str = "") -> None:
        self.store = store
        self._connect = connect
        self._gateway: Gateway | None = None
        self._fixed = server
        self._settings = store.read(_SETTINGS)

    @property
    def server(self) -> str:
        """The address in use; empty when nobody has chosen one."""
        return self._fixed or str(self._settings.get("server", ""))

    @property
    def gateway(self) -> Gateway:
        """The gateway to that server. Raises `ValueError` when the address is of no use."""
        if self._gateway is None:
            self._gateway = self._connect(self.server)
        return self._gateway

    async def use_server(self, server: str) -> None:
        """Change the server, after checking that the address can be read (`ValueError`)."""
        fresh = self._connect(server)
        old, self._gateway, self._fixed = self._gateway, fresh, ""
        self.set("server", server)
        if old is not None:
            await old.close()

    async def close(self) -> None:
        """Let go of the connection."""
        if self._gateway is not None:
            await self._gateway.close()

    # --- settings ---------------------------------------------------------------------------

    def get(self, name: str, default: Any) -> Any:
        """A setting kept on the device; `default` when it is missing or of another type."""
        value = self._settings.get(name, default)
        return value if isinstance(value, type(default)) else default

    def set(self, name: str, value: Any) -> None:
        """Keep a setting."""
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

    # --- tables ---------------------------------------------------------------------------------

    async def play_agent(self, agent: Agent, options: Mapping[str, OptionValue]) -> Table:
        """Open a table against a computer opponent; it starts at once."""
        seats: tuple[SeatRequest, ...] = (SeatWish.ME, agent)
        return await self.gateway.open_table(fresh_id(), agent.game, seats, options)

    async def invite(self, game: str, options: Mapping[str, OptionValue]) -> Table:
        """Open a table with a seat for a friend."""
        seats = (SeatWish.ME, SeatWish.FRIEND)
        return await self.gateway.open_table(fresh_id(), game, seats, options)
