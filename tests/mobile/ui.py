"""The app in the process, offscreen, touched by real touches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from kivy.core.window import Window
from kivy.graphics.opengl import (
    GL_SCISSOR_TEST,
    glDisable,
    glEnable,
    glScissor,
    glViewport,
)
from kivy.metrics import Metrics, dp
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from app.boards.socker import SockerBoard
from app.device.doors import Doors
from app.model.inbox import Inbox
from app.model.online import Online
from app.model.people import People
from app.model.session import Session
from app.model.store import Notebook, Store
from app.net.address import parse_address
from app.net.fake import FakeGateway
from app.net.local import LocalGateway
from app.net.local_shelf import Shelf
from app.net.remote import RemoteGateway
from app.script import drawn, tap, tap_cell, tap_widget
from app.shell import OddsocksApp
from app.sound.player import Player
from app.window import finish_every_frame
from tests.mobile.garbage import app_ended, collected_later
from tests.mobile.positions import SEATS, cell

SMALL = (320, 568)
PHONE, PHONE_WIDE = (390, 844), (844, 390)
TABLET, TABLET_HIGH = (1024, 768), (768, 1024)
SIZES = (PHONE, PHONE_WIDE, TABLET, TABLET_HIGH)

finish_every_frame()


class Hands:
    """A person with a running app."""

    def __init__(self, app: OddsocksApp, gateway: FakeGateway) -> None:
        self.app, self.gateway = app, gateway

    @property
    def screen(self) -> Any:
        """The screen on show."""
        return self.app.navigator.current

    @property
    def inbox(self) -> Inbox:
        """What comes in."""
        assert self.app.inbox is not None
        return self.app.inbox

    @property
    def part(self) -> Any:
        """The game's part of the match screen."""
        return self.screen.part

    @property
    def board(self) -> SockerBoard:
        """The board on show."""
        board = self.part.ids.board
        assert isinstance(board, SockerBoard)
        return board

    async def until(self, ready: Callable[[], object], seconds: float = 60) -> None:
        """Wait for something to come on show."""
        end = time.monotonic() + seconds
        while not ready():
            assert time.monotonic() < end, f"not on show in time: {ready}"
            assert not self.app.troubles, self.app.troubles
            await asyncio.sleep(0.01)

    async def take_phone(self) -> str:
        """Wait until a shared phone is to be handed over, and say that it was; to whom."""
        curtain = self.screen.ids.curtain
        await self.until(lambda: curtain.closed and curtain.name)
        await self.settle()
        name = str(curtain.name)
        tap_widget(curtain.ids.ready)
        await self.until(lambda: not curtain.closed)
        return name

    async def turn_to(self, size: tuple[int, int]) -> None:
        """Give the window another size, dp, as turning the device does: far cheaper than a start
        of the app in that size."""
        Window.size = (int(dp(size[0])), int(dp(size[1])))
        await self.until(lambda: tuple(self.app.root.size) == tuple(Window.size))
        await self.settle()

    async def settle(self) -> None:
        """Let layouts finish."""
        await drawn(4)

    async def press(self, name: str) -> None:
        """Touch a widget by its id."""
        await self.settle()
        tap_widget(self.find(name))
        await self.settle()

    async def reach(self, widget: Any) -> None:
        """Scroll to a widget of a long screen, and touch it."""
        await self.show(widget)
        tap_widget(widget)
        await self.settle()

    async def show(self, widget: Any) -> None:
        """Scroll to a widget, where it can be scrolled to."""
        above = widget.parent
        while above is not above.parent and not hasattr(above, "scroll_to"):
            above = above.parent
        if hasattr(above, "scroll_to"):
            above.scroll_to(widget, animate=False)
        await self.settle()

    def find(self, name: str) -> Any:
        """A widget of the screen, or of its game's part, by its id."""
        part: Any = getattr(self.screen, "part", None)
        return self.screen.ids.get(name) or part.ids[name]

    async def choose(self, key: str) -> None:
        """On the screen with all games: touch one, and wait for its table."""
        await self.on("choose")
        await self.settle()
        card = next(card for card in self.screen.ids.games.children if card.key == key)
        await self.show(card)
        tap_widget(card)
        await self.on("setup")
        await self.until(lambda: self.screen.ready)
        await self.settle()

    async def on(self, name: str) -> None:
        """Wait for a screen; for that of a match until it is there."""
        await self.until(lambda: self.screen.name == name)
        if name == "match":
            await self.until(lambda: self.part is not None)
        await self.settle()

    def tap(self, widget: Widget) -> None:
        """Touch a widget."""
        tap_widget(widget)

    def touch(self, name: str) -> None:
        """Touch a cell of the board."""
        tap_cell(self.board, cell(name))

    def back_key(self, key: int = 27) -> bool:
        """The back key; whether the app took it."""
        return bool(Window.dispatch("on_keyboard", key, 0, None, []))

    async def play_position(self, position: str, seats: tuple[Any, ...] | None = None) -> str:
        """Open a match that stands at `position`."""
        match_id = self.gateway.start("socker", seats or SEATS, {}, position)
        self.app.navigator.go("match", match_id=match_id)
        await self.on("match")
        await self.until(lambda: self.board.hand.view.position and self.board.resting)
        await self.settle()
        return match_id

    async def counted(self, match_id: str, count: int) -> None:
        """Wait until the server has counted so many actions and the board shows them."""
        events = self.gateway.matches[match_id].events
        await self.until(lambda: len(events) >= count)
        await self.until(lambda: self.board.hand.view.position == self.position(match_id))
        await self.until(lambda: self.board.resting)
        assert len(events) == count

    def position(self, match_id: str) -> str:
        """Where the server stands."""
        return self.gateway.seen(self.gateway.matches[match_id]).position


@asynccontextmanager
async def hands_on(
    session: Session,
    gateway: FakeGateway | None = None,
    *,
    size: tuple[int, int] = PHONE,
    density: float = 1,
    fontscale: float = 1,
    doors: Doors | None = None,
) -> AsyncGenerator[Hands]:
    """The app on `session`, started at a size in dp, on a platform with these doors."""
    Metrics.density, Metrics.dpi, Metrics.fontscale = density, 160 * density, fontscale
    Window.size = (int(size[0] * density), int(size[1] * density))
    app = OddsocksApp(session, doors)
    app.player = Player(lambda _path: None)  # Nobody listens; tests/mobile/test_sounds.py does.
    running = asyncio.create_task(app.async_run("asyncio"))
    collected_later()
    hands = Hands(app, gateway or FakeGateway())
    try:
        await hands.until(lambda: app.root is not None and app.root.parent is not None)
        await hands.until(lambda: tuple(app.root.size) == tuple(Window.size))
        await hands.settle()
        yield hands
        assert app.troubles == []
    finally:
        app.stop()
        await running
        await app.finish()
        Window.clear()
        app_ended()


@asynccontextmanager
async def playing(
    folder: Path, gateway: FakeGateway | None = None, **looks: Any
) -> AsyncGenerator[Hands]:
    """The app on a gateway without a network, as `hands_on`."""
    gateway = gateway or FakeGateway(agents_play=False)
    async with hands_on(session_on(folder, gateway), gateway, **looks) as hands:
        yield hands


@contextmanager
def one_pixel() -> Iterator[None]:
    """Squeeze all that is drawn in the block into a single pixel, for who looks at none of them.

    The app lays out, builds and sends every frame all the same. But without a graphics card filling
    the pixels takes several times as long as all of that.
    """

    def squeeze(*_: Any) -> None:
        # Each frame anew, since a change of the window's size undoes it.
        glViewport(0, 0, 1, 1)
        glEnable(GL_SCISSOR_TEST)  # clearing knows no viewport
        glScissor(0, 0, 1, 1)

    Window.bind(on_draw=squeeze)
    try:
        yield
    finally:
        Window.unbind(on_draw=squeeze)
        glDisable(GL_SCISSOR_TEST)
        Window.update_viewport()


def session_on(folder: Path, server: FakeGateway | None = None) -> Session:
    """What the app keeps in `folder`; with a server in the test's hands, or none."""
    store = Notebook(folder)
    people = People(store)
    here = LocalGateway(Shelf(Store(folder / "matches")), lambda: people.me, pace_s=0)

    def connect(address: str) -> Online:
        return server if server is not None else RemoteGateway(parse_address(address))

    return Session(store, people, here, connect, "fake:1" if server is not None else "")


async def answer(hands: Hands, key: str) -> None:
    """Touch an answer of the sheet over the screen."""
    dialog = hands.app.root.ids.dialog
    await hands.until(lambda: dialog.shown and key in dialog.choices)
    await hands.settle()
    tap_widget(dialog.choices[key])
    await hands.settle()


async def menu(hands: Hands) -> set[str]:
    """Open the menu of a match; what it offers."""
    tap_widget(hands.part.ids.back)
    dialog = hands.app.root.ids.dialog
    await hands.until(lambda: dialog.shown)
    return set(dialog.choices)


def scrolls(widget: Widget) -> bool:
    """Whether a widget may lie outside the window until somebody scrolls."""
    above = widget.parent
    while above is not None and above is not above.parent:
        if isinstance(above, ScrollView):
            return True
        above = above.parent
    return False


def on_show(root: Widget) -> Iterator[Widget]:
    """Every widget under `root` that can be seen and touched."""
    for widget in root.walk(restrict=True):
        if widget.width < 1 or widget.height < 1 or widget.opacity == 0:
            continue
        x, y = widget.to_window(*widget.pos)
        if x < Window.width and y < Window.height and x + widget.width > 0:
            yield widget


__all__ = [
    "SMALL",
    "Hands",
    "answer",
    "hands_on",
    "menu",
    "on_show",
    "one_pixel",
    "playing",
    "scrolls",
    "session_on",
    "tap",
    "tap_cell",
    "tap_widget",
]
