"""Being called while the app is away: whether somebody wants it, and what the server is told of it.

A device is registered with one server for one player, the one who plays here, and only as long as
they want it. Free of Kivy; what the platform can do stands behind two doors.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol

from app.model.gateway import GatewayError
from app.model.session import Session
from app.model.terms import Pace
from app.model.values import MatchStatus, MyMatch

QUIET_FROM: Final = 20 * 60
QUIET_UNTIL: Final = 7 * 60
"""Between these minutes of the day nobody is called: children sleep, or should."""
LEAVING_S: Final = 3.0
"""How long somebody who goes elsewhere waits for the server that they leave."""
_FILE = "calls"

log = logging.getLogger("oddsocks")


class PushDoor(Protocol):
    """How a server reaches this device while the app is closed. Neither call raises."""

    @property
    def able(self) -> bool:
        """Whether there is such a way."""
        ...

    async def token(self) -> str:
        """What a server calls this device by; "" if there is none now."""
        ...

    async def drop(self) -> None:
        """Make the token worthless, for whoever has it."""
        ...

    def time_zone(self) -> str:
        """Where the device is, by its name in the IANA database."""
        ...


class Notifier(Protocol):
    """Short words outside the app, one for each `key`. No call raises."""

    @property
    def able(self) -> bool:
        """Whether anything can be shown."""
        ...

    async def permit(self) -> bool:
        """Ask the device whether the app may, which may ask the person; True if it may."""
        ...

    def show(self, key: str, title: str, text: str) -> None:
        """Show something instead of whatever is shown under `key`."""
        ...

    def clear(self, key: str) -> None:
        """Take back what is shown under `key`, by whomever."""
        ...


class NoPush:
    """No server reaches this device."""

    able = False

    async def token(self) -> str:
        return ""

    async def drop(self) -> None:
        """Nothing is there."""

    def time_zone(self) -> str:
        return "UTC"


class NoNotes:
    """Nothing can be shown outside the app."""

    able = False

    async def permit(self) -> bool:
        return False

    def show(self, key: str, title: str, text: str) -> None:
        """Nowhere."""

    def clear(self, key: str) -> None:
        """Nothing is there."""


class Calls:
    """Keeps what the server knows of this device in line with what its owner wants."""

    def __init__(self, session: Session, push: PushDoor, notes: Notifier) -> None:
        self.push, self.notes = push, notes
        self._session = session
        self._turn = asyncio.Lock()
        self._told: tuple[str, ...] = ()
        """What the server was told last since the app is open."""

    @property
    def able(self) -> bool:
        """Whether the device can tell anything while the app is away."""
        return self.push.able or self.notes.able

    @property
    def wanted(self) -> bool:
        """Whether its owner wants that."""
        return self.able and self._session.settings.now.tell_turns

    # --- asking, once -----------------------------------------------------------------------------

    def should_ask(self, match: MyMatch | None) -> bool:
        """Whether it is time to ask: somebody comes from a match over days for the first time."""
        return (
            self.able
            and not self.wanted
            and match is not None
            and match.status is MatchStatus.RUNNING
            and match.table.terms.pace is Pace.DAYS
            and not self._session.store.read(_FILE).get("asked")
        )

    def asked(self) -> None:
        """They were asked; whatever they say, it is not asked again."""
        self._keep(asked=True)

    # --- what the server knows --------------------------------------------------------------------

    async def sync(self) -> None:
        """Tell the server where to call, or to call no more, if it does not know. Raises what
        gateways raise; then the next time tells it."""
        async with self._turn:
            if not self._session.server or not self.push.able:
                return
            if not self.wanted:
                await self._forget()
                return
            token = await self.push.token()
            if token:
                await self._register(token)

    async def leave(self) -> None:
        """Somebody else will play here, or elsewhere: whom the server knew is called here no more.
        With a server that does not answer, the token becomes worthless instead."""
        async with self._turn:
            if not self._registered:
                return
            try:
                async with asyncio.timeout(LEAVING_S):
                    await self._forget()
            except (GatewayError, TimeoutError, ValueError) as error:
                log.info("not forgotten there: %s", error)
                await self.push.drop()
                self._gone()

    def forgotten(self) -> None:
        """The server has forgotten all devices of the player by itself."""
        self._gone()

    async def _register(self, token: str) -> None:
        online, before = self._session.online, self._registered
        player = (await online.sign_in()).player_id
        telling = (self._session.server, player, token, self.push.time_zone())
        if telling == self._told:
            return
        if before and before != token:
            await online.forget_device(before)
        await online.register_device(token, self.push.time_zone(), QUIET_FROM, QUIET_UNTIL)
        self._told = telling
        self._keep(server=self._session.server, token=token)

    async def _forget(self) -> None:
        if self._registered:
            await self._session.online.forget_device(self._registered)
            self._gone()

    @property
    def _registered(self) -> str:
        """The token that the server in use knows; "" if it knows none."""
        kept = self._session.store.read(_FILE)
        token = kept.get("token") if kept.get("server") == self._session.server else ""
        return token if isinstance(token, str) else ""

    def _gone(self) -> None:
        self._told = ()
        self._keep(server="", token="")

    def _keep(self, **values: object) -> None:
        store = self._session.store
        store.write(_FILE, store.read(_FILE) | values)
