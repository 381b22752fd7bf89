"""One app in a process of its own. It is told what to do line by line, does it by touch, and says
how it went, a JSON object a line:

    open            → {"code": ...}   a table of Sock Monsters: me, a friend, a computer opponent
    join CODE       → {"at": "match", ...}
    here            → {"at": "match", ...} a match of Hide and Seek for two people on this device
    wait            → {"at": "match", "match_id": ...} as soon as a match is on show
    play [N]        → {"made": n, "over": bool} plays, at most N decisions of this device
    alone           → {"at": "match", "match_id": ...} Hide and Seek with a computer opponent, kept
                      on the server
    turn            → {"wide": bool}  the device is turned
    shown           → {"way": [...], "position": ..., "revision": n} what is on show, by its board
    pause           → {"paused": true} and from then on the app stands still, as on a phone
    history         → {"sha256": ..., "events": n}
    picture         → {"picture": path} what is on the screen; also while an order is carried out
    quit

Before its answer an order may say {"progress": ...} any number of times. One that can't be carried
out is answered by {"failed": what was waited for, "picture": path}.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import random
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from app.main import Settings, hush, make_session
from app.window import finish_every_frame, prepare

MOST_TOUCHES: Final = 40
"""So often a button is touched that does nothing."""


class Enough(Exception):
    """As many decisions were made as were asked for."""


class Phone:
    """Somebody who holds the phone."""

    def __init__(self, app: Any, eyes: Any, seed: int) -> None:
        self._app, self._eyes = app, eyes
        self._rng = random.Random(seed)

    async def obey(self, line: str) -> dict[str, Any]:
        """Do what a line says."""
        order, *rest = line.split()
        return dict(await getattr(self, f"_{order}")(*rest))

    # --- to a match -----------------------------------------------------------------------------

    async def _open(self) -> dict[str, Any]:
        app = self._app
        await self._on("home")
        await self._touch(lambda: app.navigator.current.ids.friend, self._is_on("friend"))
        await self._touch(lambda: app.navigator.current.ids.invite, self._is_on("choose"))
        screen = await self._choose("sock_monsters")
        await self._touch(lambda: screen.ids.add, lambda: len(screen.plan.seats) == 3)
        # Who was added is a friend, too; the last seat is for a computer opponent.
        seat = screen.plan.seats[-1]
        await self._touch(lambda: screen.ids.seats.children[0], lambda: screen.ids.sheet.shown)
        wishes = screen.ids.sheet.ids.wishes
        await self._touch(
            lambda: next(card for card in wishes.children[::-1] if card.wish in screen.agents),
            lambda: screen.plan.seats[-1] != seat,
        )
        # A match that is soon over, and a turn that a busy machine does not end.
        await self._knobs(turn_seconds=3, memory_aid=1, eye=2)
        await self._touch(
            lambda: screen.ids.play, lambda: screen.busy or screen is not app.navigator.current
        )
        await self._on("table")
        table = app.navigator.current
        await self._happened(lambda: table.code, "the code")
        return {"code": table.code}

    async def _join(self, code: str) -> dict[str, Any]:
        app = self._app
        await self._on("home")
        await self._touch(lambda: app.navigator.current.ids.friend, self._is_on("friend"))
        pad = app.navigator.current.ids.pad
        for number in range(len(code)):
            await self._type(pad, code[: number + 1])
        await self._on("join")
        screen = app.navigator.current
        await self._happened(lambda: screen.ready, "the table")
        await self._touch(
            lambda: screen.ids.sit, lambda: screen.busy or screen is not app.navigator.current
        )
        return await self._wait()

    async def _type(self, pad: Any, typed: str) -> None:
        """The last sign of what is to be typed so far."""
        # With that of a whole code it is looked up, and the screen another one.
        await self._touch(
            lambda: pad.keys[typed[-1]],
            lambda: pad.code == typed or self._app.navigator.current.name != "friend",
        )

    async def _here(self) -> dict[str, Any]:
        app = self._app
        await self._on("home")
        await self._touch(lambda: app.navigator.current.ids.here, self._is_on("choose"))
        screen = await self._choose("hide_and_seek")
        await self._knobs(types=2, memory_aid=1)
        await self._touch(
            lambda: screen.ids.play, lambda: screen.busy or screen is not app.navigator.current
        )
        return await self._wait()

    async def _alone(self) -> dict[str, Any]:
        app = self._app
        await self._on("home")
        await self._touch(lambda: app.navigator.current.ids.play, self._is_on("choose"))
        screen = await self._choose("hide_and_seek")
        await self._knobs(where=1)
        await self._touch(
            lambda: screen.ids.play, lambda: screen.busy or screen is not app.navigator.current
        )
        return await self._wait()

    async def _choose(self, key: str) -> Any:
        """Choose a game; its table, as soon as it can be changed."""
        app = self._app
        await self._on("choose")
        games = app.navigator.current.ids.games
        await self._touch(
            lambda: next(card for card in games.children if card.key == key), self._is_on("setup")
        )
        await self._happened(lambda: app.navigator.current.ready, "the table")
        return app.navigator.current

    async def _knobs(self, **wanted: int) -> None:
        """Choose other options than the usual ones, each by its knob and the choice's number."""
        screen = self._app.navigator.current
        await self._touch(lambda: screen.ids.unfold, lambda: screen.unfolded)
        for key, index in wanted.items():
            await self._turn_knob(screen, key, index)

    async def _turn_knob(self, screen: Any, key: str, index: int) -> None:
        await self._touch(lambda: screen.chip(key, index), lambda: screen.chip(key, index).chosen)

    async def _wait(self) -> dict[str, Any]:
        app = self._app
        await self._happened(
            lambda: (
                app.navigator.current.name == "match"
                and app.navigator.current.live is not None
                and app.navigator.current.live.match is not None
            ),
            "the match",
        )
        return {"at": "match", "match_id": app.navigator.current.match_id}

    # --- at a match -----------------------------------------------------------------------------

    async def _play(self, most: str = "1000000") -> dict[str, Any]:
        from tests.two_apps.fingers import play
        from tests.two_apps.waiting import signs

        made = 0

        async def ready() -> None:
            nonlocal made
            if made >= int(most):
                raise Enough
            self._eyes.look()
            made += 1
            say({"progress": f"decision {made}, revision {signs(self._app)['revision']}"})

        try:
            await play(self._app, self._rng, ready)
        except Enough:
            return {"made": made, "over": False}
        self._eyes.look()
        return {"made": made, "over": True}

    async def _turn(self) -> dict[str, Any]:
        from kivy.core.window import Window

        from app.script import drawn

        Window.size = (Window.height, Window.width)
        await drawn()
        self._eyes.look()
        return {"wide": Window.width > Window.height}

    async def _shown(self) -> dict[str, Any]:
        screen = self._app.navigator.current
        await self._happened(
            lambda: screen.part is not None and screen.part.resting, "the board to rest"
        )
        return {
            "way": self._app.session.remembered_screens(),
            "position": screen.part.board.hand.view.position,
            "revision": screen.live.match.revision,
        }

    async def _pause(self) -> dict[str, Any]:
        from kivy.core.window import Window

        # What the platform says; Kivy stops the whole loop with its next frame.
        Window._event_filter("app_willenterbackground")
        return {"paused": Window._pause_loop}

    async def _history(self) -> dict[str, Any]:
        app = self._app
        match_id = app.navigator.current.match_id
        events = await app.session.at(match_id).list_events(match_id)
        return {"sha256": digest(event.notation for event in events), "events": len(events)}

    # --- touching and waiting -------------------------------------------------------------------

    async def _touch(self, widget: Callable[[], Any], done: Callable[[], object]) -> None:
        """Touch until it has helped, scrolled to where that can be: on a screen that is still laid
        out a finger may miss."""
        from app.script import drawn, tap_widget
        from tests.two_apps.waiting import Stuck, signs

        for _ in range(MOST_TOUCHES):
            await drawn()
            if not _brought_into_view(widget()):
                continue
            await drawn(1)
            tap_widget(widget())
            for _ in range(6):
                if done():
                    await drawn()
                    return
                await drawn(1)
        raise Stuck(f"touched {_name(widget())} {MOST_TOUCHES} times in vain: {signs(self._app)}")

    async def _happened(self, ready: Callable[[], object], what: str) -> None:
        from app.script import drawn
        from tests.two_apps.waiting import happened

        await happened(self._app, ready, what)
        await drawn()

    def _is_on(self, name: str) -> Callable[[], bool]:
        return lambda: self._app.navigator.current.name == name

    async def _on(self, name: str) -> None:
        await self._happened(self._is_on(name), f"the screen '{name}'")


def _brought_into_view(widget: Any) -> bool:
    """Whether it can be touched; where it is in a list that scrolls, it is scrolled to first."""
    above = widget.parent
    while above is not above.parent and not hasattr(above, "scroll_to"):
        above = above.parent
    if not hasattr(above, "scroll_to"):
        return True
    x, y = widget.to_window(*widget.center)
    left, bottom = above.to_window(above.x, above.y)
    if left < x < left + above.width and bottom < y < bottom + above.height:
        return True
    above.scroll_to(widget, animate=False)
    return False


def _name(widget: Any) -> str:
    return f"{type(widget).__name__} '{getattr(widget, 'text', '')}'"


def digest(notations: Any) -> str:
    """SHA-256 over the notation of all events, each followed by a line feed."""
    return hashlib.sha256("".join(f"{one}\n" for one in notations).encode()).hexdigest()


def main(arguments: Sequence[str]) -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", default="")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", default="390x844")
    parser.add_argument("--unseen", action="store_true", help="draw nothing but pictures")
    parser.add_argument("--picture", type=Path, help="where pictures are put (beside the data)")
    given = parser.parse_args(arguments)
    width, height = map(int, given.size.split("x"))
    hush()
    # What is drawn on does not grow with the window: large enough for the phone upright and lying.
    prepare(headless=True, width_dp=max(width, height), height_dp=max(width, height), density=1)
    settings = Settings(server=given.server, plaintext=bool(given.server), data=given.data)
    picture = given.picture or given.data.with_suffix(".png")
    size = (width, height)
    return asyncio.run(_run(settings, given.seed, size, picture, unseen=given.unseen))


async def _run(
    settings: Settings, seed: int, size: tuple[int, int], picture: Path, *, unseen: bool
) -> int:
    from kivy.core.window import Window

    from app.shell import OddsocksApp
    from tests.two_apps.eyes import Eyes

    finish_every_frame()
    Window.size = size
    eyes = Eyes(shut=unseen)
    assert settings.data is not None
    app = OddsocksApp(make_session(settings, settings.data))
    running = asyncio.create_task(app.async_run("asyncio"))
    phone = Phone(app, eyes, seed)
    orders = asyncio.create_task(_orders(app, phone, lambda: eyes.picture(picture)))
    try:
        await asyncio.wait({orders, running}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            say({"failed": f"the app has ended: {running.exception()!r}", "picture": ""})
    finally:
        orders.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await orders
        app.stop()
        await running
        await app.finish()
    return 0


async def _orders(app: Any, phone: Phone, picture: Callable[[], str]) -> None:
    """Do what the lines of the standard input say, up to their end."""
    from tests.two_apps.waiting import happened

    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )
    order: asyncio.Task[None] | None = None
    try:
        await happened(app, lambda: app.root is not None and app.root_window, "the window")
        while line := (await lines.readline()).decode().strip():
            if line == "quit":
                break
            if line == "picture":
                say({"picture": picture()})
            else:
                order = asyncio.create_task(_obey(phone, line, picture))
    finally:
        if order is not None:
            order.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await order


async def _obey(phone: Phone, line: str, picture: Callable[[], str]) -> None:
    try:
        say(await phone.obey(line))
    except Exception as error:  # Whatever it was: it is said, and what was on the screen.
        traceback.print_exc()
        say({"failed": f"{type(error).__name__}: {error}", "picture": picture()})


def say(answer: dict[str, Any]) -> None:
    """Tell whoever gave the order."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
