"""One app in a process of its own. It is told what to do line by line, does it by touch, and says
how it went, a JSON object a line:

    open            → {"code": ...}   a table of Sock Monsters: me, a friend, a computer opponent
    join CODE       → {"at": "match"}
    here            → {"at": "match"} a match of Hide and Seek for two people on this device
    wait            → {"at": "match", "match_id": ...} as soon as a match is on show
    play [N]        → {"made": n, "over": bool} plays, at most N decisions of this device
    alone           → {"at": "match", "match_id": ...} Hide and Seek with a computer opponent, kept
                      on the server
    turn            → {"wide": bool}  the device is turned
    shown           → {"way": [...], "position": ..., "revision": n} what is on show, by its board
    pause           → {"paused": true} and from then on the app stands still, as on a phone
    history         → {"sha256": ..., "events": n}
    quit
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.main import Settings, hush, make_session
from app.window import finish_every_frame, prepare


class Enough(Exception):
    """As many decisions were made as were asked for."""


class Phone:
    """Somebody who holds the phone."""

    def __init__(self, app: Any, seed: int) -> None:
        self._app = app
        self._rng = random.Random(seed)

    async def obey(self, line: str) -> dict[str, Any]:
        """Do what a line says."""
        order, *rest = line.split()
        return dict(await getattr(self, f"_{order}")(*rest))

    async def _open(self) -> dict[str, Any]:
        from app.script import drawn, tap_widget, until

        app = self._app
        await self._on("home")
        tap_widget(app.navigator.current.ids.friend)
        await self._on("friend")
        tap_widget(app.navigator.current.ids.invite)
        await self._choose("sock_monsters")
        tap_widget(app.navigator.current.ids.add)
        await drawn()
        # Who was added is a friend, too; the last seat is for a computer opponent.
        seats = app.navigator.current.ids.seats.children[::-1]
        tap_widget(seats[-1])
        await drawn()
        sheet = app.navigator.current.ids.sheet
        agents = app.navigator.current.agents
        wishes = sheet.ids.wishes.children[::-1]
        tap_widget(next(card for card in wishes if card.wish in agents))
        await drawn()
        tap_widget(app.navigator.current.ids.play)
        await self._on("table")
        await until(lambda: app.navigator.current.code, "the code")
        return {"code": app.navigator.current.code}

    async def _join(self, code: str) -> dict[str, Any]:
        from app.script import drawn, tap_widget, until

        await self._on("home")
        tap_widget(self._app.navigator.current.ids.friend)
        await self._on("friend")
        for sign in code:
            pad = self._app.navigator.current.ids.pad
            tap_widget(pad.keys[sign])
            await drawn(1)
        await self._on("join")
        await until(lambda: self._app.navigator.current.ready, "the table")
        await drawn()
        tap_widget(self._app.navigator.current.ids.sit)
        return await self._wait()

    async def _here(self) -> dict[str, Any]:
        from app.script import tap_widget

        await self._on("home")
        tap_widget(self._app.navigator.current.ids.here)
        await self._choose("hide_and_seek")
        tap_widget(self._app.navigator.current.ids.play)
        return await self._wait()

    async def _alone(self) -> dict[str, Any]:
        from app.script import tap_widget

        await self._on("home")
        tap_widget(self._app.navigator.current.ids.play)
        await self._choose("hide_and_seek")
        screen = self._app.navigator.current
        await self._touch(lambda: screen.ids.unfold, lambda: screen.unfolded)
        await self._touch(lambda: screen.chip("where", 1), lambda: screen.plan.on_server)
        await self._touch(
            lambda: screen.ids.play, lambda: screen is not self._app.navigator.current
        )
        return await self._wait()

    async def _touch(self, widget: Callable[[], Any], done: Callable[[], bool]) -> None:
        """Touch until it has helped: on a screen that is still laid out a finger may miss."""
        from app.script import drawn, tap_widget

        for _ in range(20):
            await drawn(6)
            if done():
                return
            tap_widget(widget())
        raise RuntimeError("touched in vain")

    async def _wait(self) -> dict[str, Any]:
        from app.script import until

        app = self._app
        await until(
            lambda: (
                app.navigator.current.name == "match"
                and app.navigator.current.live is not None
                and app.navigator.current.live.match is not None
            ),
            "the match",
            120,
        )
        return {"at": "match", "match_id": app.navigator.current.match_id}

    async def _play(self, most: str = "1000000") -> dict[str, Any]:
        from tests.two_apps.fingers import play

        made = 0

        async def ready() -> None:
            nonlocal made
            if made >= int(most):
                raise Enough
            made += 1

        try:
            await play(self._app, self._rng, ready)
        except Enough:
            return {"made": made, "over": False}
        return {"made": made, "over": True}

    async def _turn(self) -> dict[str, Any]:
        from kivy.core.window import Window

        from app.script import drawn

        Window.size = (Window.height, Window.width)
        await drawn()
        return {"wide": Window.width > Window.height}

    async def _shown(self) -> dict[str, Any]:
        from app.script import until

        screen = self._app.navigator.current
        await until(lambda: screen.part is not None and screen.part.resting, "the board to rest")
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

    async def _choose(self, key: str) -> None:
        from app.script import drawn, tap_widget, until

        app = self._app
        await self._on("choose")
        cards = app.navigator.current.ids.games.children
        tap_widget(next(card for card in cards if card.key == key))
        await self._on("setup")
        await until(lambda: app.navigator.current.ready, "the table")
        await drawn()

    async def _on(self, name: str) -> None:
        from app.script import drawn, until

        await until(lambda: self._app.navigator.current.name == name, f"the screen '{name}'")
        await drawn()


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
    parser.add_argument("--unseen", action="store_true", help="draw nothing")
    given = parser.parse_args(arguments)
    width, height = map(int, given.size.split("x"))
    hush()
    prepare(headless=True, width_dp=width, height_dp=height, density=1)
    settings = Settings(server=given.server, plaintext=bool(given.server), data=given.data)
    return asyncio.run(_run(settings, given.seed, unseen=given.unseen))


async def _run(settings: Settings, seed: int, *, unseen: bool) -> int:
    from kivy.core.window import Window

    from app.script import until
    from app.shell import OddsocksApp

    finish_every_frame()
    if unseen:
        Window.on_draw = lambda *_: None
    assert settings.data is not None
    app = OddsocksApp(make_session(settings, settings.data))
    running = asyncio.create_task(app.async_run("asyncio"))
    phone = Phone(app, seed)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )
    try:
        await until(lambda: app.root is not None and app.root_window, "the window")
        while line := (await lines.readline()).decode().strip():
            if line == "quit":
                break
            _say(await phone.obey(line))
    finally:
        app.stop()
        await running
        await app.finish()
    return 0


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
