"""The app playing by itself, through real touches, for runs without a display."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from app.boards.socker import SockerBoard
from app.model.socker import Cell, Kind, Phase, SockerAct
from app.pictures import take_picture
from app.screens.match.match import MatchScreen

PATIENCE_S = 60.0
ACTIONS = 8
"""How many actions are made: five sockers put on the pitch, and about a turn."""


class Stuck(TimeoutError):
    """Something did not come on show in time."""


async def until(ready: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait until `ready()` is true; raises `Stuck`, naming `what`, after `patience_s`."""
    end = time.monotonic() + patience_s
    while not ready():
        if time.monotonic() > end:
            raise Stuck(f"{what} did not happen within {patience_s:.0f} s")
        await asyncio.sleep(0.02)


async def drawn(frames: int = 3) -> None:
    """Wait until frames have been drawn: what came on show a moment ago has its place by then.

    A finger on a widget whose layout is still to come would hit whatever lies at its old place.
    """
    for _ in range(frames):
        frame = asyncio.Event()
        Clock.schedule_once(lambda _dt, drawn=frame: drawn.set(), 0)
        try:
            await asyncio.wait_for(frame.wait(), PATIENCE_S)
        except TimeoutError as error:  # the app has ended, or never began
            raise Stuck(f"no frame was drawn within {PATIENCE_S:.0f} s") from error


class Finger(MotionEvent):
    """A touch at a pixel of the window. (Kivy has one for tests, but it brings pytest along.)"""

    def __init__(self, x: float, y: float) -> None:
        place = {"x": x / (Window.width - 1), "y": y / (Window.height - 1)}
        super().__init__("finger", 1, place, is_touch=True, type_id="touch")
        self.profile = ["pos"]

    def depack(self, args: dict[str, float]) -> None:
        """Where the touch is, as parts of the window's size."""
        self.sx, self.sy = args["x"], args["y"]
        super().depack(args)


touches = 0
"""How many fingers have touched the window so far."""


def tap(x: float, y: float) -> None:
    """A finger down and up at a pixel of the window."""
    global touches
    touches += 1
    finger = Finger(x, y)
    EventLoop.post_dispatch_input("begin", finger)
    EventLoop.post_dispatch_input("end", finger)


def tap_widget(widget: Widget) -> None:
    """A finger on the middle of a widget."""
    tap(*widget.to_window(*widget.center))


def tap_cell(board: SockerBoard, cell: Cell) -> None:
    """A finger on the middle of a cell."""
    tap(*board.to_window(*board.place.middle(cell)))


def choose(legal: tuple[SockerAct, ...]) -> SockerAct:
    """A plain idea of what to do: kick, else walk towards the ball, else whatever comes first."""
    for kind in (Kind.KICK, Kind.SOCK, Kind.PLACE, Kind.RECENTRE, Kind.MOVE):
        found = [act for act in legal if act.kind is kind]
        if found:
            return found[len(found) // 2]
    return legal[0]


async def act_by_touch(screen: MatchScreen, act: SockerAct) -> None:
    """Make `act` the way a person does: touch the socker, then where it should go."""
    await drawn()
    board = screen.part.ids.board
    if act.kind in (Kind.END_TURN, Kind.PASS):
        tap_widget(screen.part.ids.end)
        return
    if act.origin is not None and board.hand.picked != act.origin:
        tap_cell(board, act.origin)
        await drawn(1)
    assert act.target is not None
    tap_cell(board, act.target)


async def play_touches(app: Any, shot: Path | None) -> int:
    """Sign in, start a match against the first agent, place, play a turn, take a picture.

    Returns the exit status: 0 when the server has counted what was touched.
    """
    try:
        await until(lambda: app.root is not None and app.root_window, "the window")
        await _start_match(app)
        screen = app.navigator.current
        await _play(screen)
        await asyncio.sleep(0.5)
        if shot is not None:
            take_picture(shot)
        return 0
    finally:
        app.stop()


async def first_start(app: Any, shot: Path | None) -> int:
    """The shortest way from the first start to playing against the computer, by touch.

    Writes `{"at": "home"}` to the standard output as soon as that is drawn, and `{"touches": n}` as
    soon as the player may act. Returns 0.
    """
    try:
        await until(lambda: app.root is not None and app.root_window, "the window")
        await drawn(1)
        _tell({"at": app.navigator.current.name})
        await _choose_game(app, "")
        tap_widget(app.navigator.current.ids.play)
        await until(lambda: app.navigator.current.name == "match", "the match")
        screen = app.navigator.current
        await until(lambda: screen.live.may_act and screen.part.resting, "our turn")
        _tell({"touches": touches})
        if shot is not None:
            take_picture(shot)
        return 0
    finally:
        app.stop()


async def follow_link(app: Any, shot: Path | None) -> int:
    """Where the link leads that the app was opened by: writes the screen, its parameters and what
    is said over it to the standard output, as JSON. Returns 0."""
    try:
        await until(lambda: app.root is not None and app.root_window, "the window")
        dialog = app.root.ids.dialog
        await until(lambda: dialog.shown or app.navigator.current.name != "home", "the link")
        screen, said = app.navigator.current, dialog.about if dialog.shown else ""
        _tell({"at": screen.name, "params": screen.params, "said": said})
        await drawn()  # An app must not be stopped in the middle of its first frame.
        if shot is not None:
            take_picture(shot)
        return 0
    finally:
        app.stop()


def _tell(what: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


async def _choose_game(app: Any, key: str) -> None:
    """Up to the table of a game; the first one offered where `key` is empty."""
    await until(lambda: app.navigator.current.name == "home" and Window.width, "the first screen")
    await drawn()
    tap_widget(app.navigator.current.ids.play)
    await until(lambda: app.navigator.current.name == "choose", "choosing a game")
    await drawn()
    cards = app.navigator.current.ids.games.children[::-1]
    tap_widget(next(card for card in cards if key in ("", card.key)))
    await until(lambda: app.navigator.current.name == "setup", "the table")
    await until(lambda: app.navigator.current.ready, "the list of opponents")
    await drawn()


async def _start_match(app: Any) -> None:
    await _choose_game(app, "socker")
    screen = app.navigator.current
    # On the server, since that is what this run is to show.
    tap_widget(screen.ids.unfold)
    await drawn()
    tap_widget(screen.chip("where", 1))
    await drawn()
    tap_widget(screen.ids.play)
    await until(lambda: app.navigator.current.name == "match", "the match")


async def _play(screen: MatchScreen) -> None:
    await until(lambda: screen.part is not None, "the board")
    board = screen.part.ids.board
    for _ in range(ACTIONS):
        await until(
            lambda: (board.resting and board.hand.may_act) or board.hand.view.phase is Phase.OVER,
            "our turn",
        )
        if not board.hand.may_act:
            return
        revision = screen.live.match.revision
        await act_by_touch(screen, choose(board.hand.legal))
        await until(partial(_moved_on, screen, revision), "an answer")
        await until(lambda: board.resting, "the board to rest")


def _moved_on(screen: MatchScreen, revision: int) -> bool:
    match = screen.live.match if screen.live else None
    return match is not None and match.revision > revision


SCRIPTS: dict[str, Callable[[Any, Path | None], Coroutine[Any, Any, int]]] = {
    "touches-demo": play_touches,
    "first-start": first_start,
    "link": follow_link,
}
"""What the app can play by itself, by name."""
