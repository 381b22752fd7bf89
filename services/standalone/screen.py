"""The app, started beside the stack."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from services.common.process import die_with_parent
from services.standalone.problem import Problem
from services.standalone.stack import ROOT
from services.standalone.state import State
from services.standalone.target import address_text

SHOT: Final = ROOT / "build" / "shots" / "run.png"
HEADLESS_S: Final = 300.0
"""For a few touches and a picture, on a busy machine that draws without a graphics card."""
_GRACE_S: Final = 5.0


def has_display() -> bool:
    """Whether the app can open a window."""
    if sys.platform != "linux":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


async def run_app(state: State, addresses: Mapping[str, str], *, headless: bool) -> None:
    """Run the app until its window is closed, or offscreen through a few touches.

    Raises `Problem` when it ends any other way.
    """
    data, extra, environment = state.app, [], dict(os.environ)
    if headless:
        SHOT.parent.mkdir(parents=True, exist_ok=True)
        SHOT.unlink(missing_ok=True)
        # A guest of its own, new each time: nobody comes back to a match that a script has begun.
        data = state.run / "headless"
        shutil.rmtree(data, ignore_errors=True)
        extra = ["--script", "touches-demo", "--shot", str(SHOT)]
        environment["SDL_VIDEODRIVER"] = "offscreen"
    command = [
        *(sys.executable, str(ROOT / "mobile" / "main.py")),
        *("--server", address_text(addresses), "--plaintext", "--data", str(data)),
        *extra,
    ]
    log = state.logs / "app.log"
    status = await _run(command, environment, log, HEADLESS_S if headless else None)
    if status != 0:
        raise Problem(f"the app ended with status {status}: see {log}")
    if headless and not SHOT.exists():
        raise Problem(f"the app left no picture: see {log}")


async def _run(
    command: list[str], environment: Mapping[str, str], log: Path, limit_s: float | None
) -> int:
    with log.open("ab") as out:
        app = await asyncio.create_subprocess_exec(
            *command,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )
    try:
        async with asyncio.timeout(limit_s):
            return await app.wait()
    except TimeoutError:
        raise Problem(f"the app did not finish within {limit_s} s: see {log}") from None
    finally:
        await _end(app)


async def _end(app: asyncio.subprocess.Process) -> None:
    if app.returncode is not None:
        return
    with suppress(ProcessLookupError):
        app.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(_GRACE_S):
            await app.wait()
    except TimeoutError:
        app.kill()
        await app.wait()
