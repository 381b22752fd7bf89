"""The app on a screen of another density, turned: `python -m tests.mobile.densities DENSITY`.

A process of its own, since Kivy reads density and font scale when it is first imported, and so do
constants in dp or sp. Prints, as a JSON list, what is wrong with what can be seen.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.window import prepare

PHONE = (390, 844)
FONT_SCALE = 1.3
SCREENS = ("home", "choose", "friend", "settings")


def wrong(hands: Any, name: str) -> Iterator[str]:
    """Targets under 48 dp or outside the window, and a board that is not whole."""
    from kivy.core.window import Window
    from kivy.metrics import dp
    from kivy.uix.behaviors import ButtonBehavior

    from tests.mobile.ui import on_show, scrolls

    def inside(widget: Any) -> bool:
        x, y = widget.to_window(*widget.pos)
        right, top = x + widget.width, y + widget.height
        return bool(x >= -1 and y >= -1 and right <= Window.width + 1 and top <= Window.height + 1)

    for widget in on_show(hands.app.root):
        if not isinstance(widget, ButtonBehavior):
            continue
        what = f"{name}: {getattr(widget, 'text', '') or type(widget).__name__}"
        if min(widget.size) < dp(48) - 1:
            yield f"{what} is {widget.width / dp(1):.0f}x{widget.height / dp(1):.0f} dp"
        if not scrolls(widget) and not inside(widget):
            yield f"{what} reaches out of the window"
    if hands.screen.name == "match":
        board = hands.part.ids.board
        if min(board.size) < dp(200) or not inside(board):
            yield f"{name}: the board is {board.size} at {board.pos}"


async def look(folder: Path, density: float) -> list[str]:
    """Look at everything upright, then turned; returns what is wrong."""
    from kivy.core.window import Window
    from kivy.metrics import Metrics, dp

    from app.screens.match.parts import PARTS
    from tests.mobile.positions import SEATS
    from tests.mobile.ui import playing

    # Everything is laid out; that nobody draws it saves half of the time.
    Window.on_draw = lambda *_: None

    found: list[str] = []
    if (Metrics.density, Metrics.fontscale, dp(1)) != (density, FONT_SCALE, density):
        found.append(f"the screen is another: {Metrics.density}, {Metrics.fontscale}")
    looks: dict[str, Any] = {"size": PHONE, "density": density, "fontscale": FONT_SCALE}
    async with playing(folder, **looks) as hands:
        for name in (*SCREENS, *PARTS):
            if name in PARTS:
                match_id = hands.gateway.start(name, SEATS, {})
                hands.app.navigator.go("match", match_id=match_id)
                await hands.on("match")
                await hands.until(lambda: hands.part.resting)
            else:
                hands.app.navigator.go(name, whom="here")
            for way in ("upright", "turned"):
                await hands.settle()
                found += wrong(hands, f"{name}, {way}")
                Window.size = (Window.height, Window.width)
                await hands.until(lambda: tuple(hands.app.root.size) == tuple(Window.size))
    return found


def main() -> int:
    """The program."""
    density = float(sys.argv[1])
    os.environ["KIVY_LOG_MODE"] = "PYTHON"
    os.environ["LP_NUM_THREADS"] = "0"
    os.environ["KIVY_METRICS_FONTSCALE"] = str(FONT_SCALE)
    width, height = PHONE
    prepare(headless=True, width_dp=width, height_dp=height, density=density, frames_per_s=60)
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(look(Path(folder), density))
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
