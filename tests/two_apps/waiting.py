"""Waiting for an app on a machine that may have much else to do: as long as something happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock

STILL_S: Final = 240.0
"""So long nothing may happen: a server restarted, or another app started anew, takes less."""
STILL_FRAMES: Final = 300
"""And so many frames of the app: one that gets no processor is not stuck."""


class Stuck(Exception):
    """Nothing happens any more, and it is not what was waited for."""


async def happened(app: Any, ready: Callable[[], object], what: str) -> None:
    """Wait until `ready()` is true; raises `Stuck`, naming `what`, once nothing happens."""
    sign, since_s, since_frame = signs(app), time.monotonic(), Clock.frames
    while not ready():
        now = signs(app)
        if now != sign:
            sign, since_s, since_frame = now, time.monotonic(), Clock.frames
        elif time.monotonic() - since_s > STILL_S and Clock.frames - since_frame > STILL_FRAMES:
            raise Stuck(f"waited for {what}; for {STILL_S:.0f} s nothing has happened: {sign}")
        await asyncio.sleep(0.02)


def signs(app: Any) -> dict[str, Any]:
    """What can be seen of an app, in a few words; it changes with all that happens in it."""
    if app.root is None:
        return {"screen": "none yet"}
    screen = app.navigator.current
    found = {
        "screen": screen.name,
        "busy": screen.busy,
        "trouble": screen.trouble,
        "offline": app.offline,
    }
    live = getattr(screen, "live", None)
    if live is not None and live.match is not None:
        found |= {
            "revision": live.match.revision,
            "actor": live.match.actor,
            "may_act": live.may_act,
            "resting": screen.part is not None and screen.part.resting,
            "curtain": screen.ids.curtain.closed,
            "recap": screen.ids.recap.shown,
            "over": screen.over,
        }
    return found
