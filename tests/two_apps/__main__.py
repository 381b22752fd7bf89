"""Two phones play a whole match of Sock Monsters with a computer opponent: one is killed and
started again, the other turned and without a network for twenty seconds. Then one phone goes from
hand to hand in Hide and Seek, killed and turned as well. Whatever happened, all remember the same.

Prints one line: {"sock_monsters": {"one": …, "other": …, "server": …}, "hide_and_seek": {…}},
each a SHA-256 over the notation of the whole history as those at the table see it. Exit status 1
where those of a match differ, or where nothing happens any more for some minutes; then it says what
was waited for, and build/two_apps/ has a picture of the screen of each app.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

from app.model.store import Store
from app.net.local_shelf import Shelf
from services.common.process import die_with_parent
from services.standalone.target import address_text
from services.wire.actions import HIDDEN
from tests.fixtures.lossy import Lossy, lossy
from tests.fixtures.standalone import serve
from tests.two_apps.phone import digest
from tools.reports import ROOT, Report

CUT_S: Final = 20.0
SILENCE_S: Final = 900.0
"""An app that has said nothing for so long hangs: it would have given up by itself."""
PICTURES: Final = ROOT / "build" / "two_apps"
PICTURE_S: Final = 60.0
BEFORE: Final = 4
"""Decisions that a phone makes before something happens to it."""


class Failed(Exception):
    """An app could not do what it was told."""


class Phone:
    """An app process, told what to do."""

    def __init__(
        self, name: str, data: Path, *, server: str = "", seed: int = 1, unseen: bool = False
    ) -> None:
        self.name = name
        self._arguments = ["--data", str(data), "--server", server, "--seed", str(seed)]
        self._arguments += ["--picture", str(PICTURES / f"{name}.png")]
        self._arguments += ["--unseen"] if unseen else []
        self._log = data.with_suffix(".log")
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Switch it on."""
        environment = dict(os.environ, SDL_VIDEODRIVER="offscreen")
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.two_apps.phone", *self._arguments),
                env=environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                preexec_fn=die_with_parent,
            )

    async def do(self, order: str) -> dict[str, Any]:
        """Give an order and wait for the answer. Raises `Failed`."""
        await self._tell(order)
        while "progress" in (answer := await self._heard(order, SILENCE_S)):
            _say(f"{self.name}: {order}: {answer['progress']}")
        if "failed" in answer:
            raise Failed(f"{self.name} could not '{order}': {answer['failed']}")
        _say(f"{self.name}: {order} → {answer}")
        return answer

    async def _tell(self, order: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{order}\n".encode())
        await self._process.stdin.drain()

    async def _heard(self, order: str, within_s: float) -> dict[str, Any]:
        """The next thing it says. Raises `Failed` with the log's last words."""
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(within_s):
                line = await self._process.stdout.readline()
        except TimeoutError:
            raise Failed(
                f"{self.name} has said nothing for {within_s:.0f} s after '{order}'"
            ) from None
        if not line:
            last = self._log.read_text(errors="replace").strip().splitlines()[-3:]
            raise Failed(f"{self.name} ended during '{order}': {' / '.join(last)}")
        return dict(json.loads(line))

    async def picture(self) -> str:
        """What is on its screen, or why that can't be seen."""
        process = self._process
        if process is None or process.returncode is not None:
            return f"{self.name} does not run"
        try:
            await self._tell("picture")
            while "picture" not in (answer := await self._heard("picture", PICTURE_S)):
                pass
        except (Failed, OSError) as error:
            return f"{self.name}: {error}"
        return f"{self.name}: {answer['picture']}"

    async def kill(self) -> None:
        """As when the system needs its memory."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def stop(self) -> None:
        """Switch it off, if it still runs."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(b"quit\n")
            await process.stdin.drain()
        try:
            async with asyncio.timeout(20):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


async def sock_monsters(folder: Path) -> dict[str, str]:
    """Two phones and a computer opponent on a running system."""
    with serve(folder / "state") as served:
        addresses = served.running.addresses
        async with _lines(addresses) as (lines, through):
            one = Phone("one", folder / "one", server=address_text(addresses), seed=1)
            other = Phone("other", folder / "other", server=address_text(through), seed=2)
            try:
                await asyncio.gather(one.start(), other.start())
                code = (await one.do("open"))["code"]
                await other.do(f"join {code}")
                match_id = str((await one.do("wait"))["match_id"])
                await _play_through(one, other, lines)
                hashes = {
                    "one": (await one.do("history"))["sha256"],
                    "other": (await other.do("history"))["sha256"],
                }
            except* Failed:
                await _show(one, other)
                raise
            finally:
                await asyncio.gather(one.stop(), other.stop())
        database = served.state.directory / "rules.sqlite3"
        with contextlib.closing(sqlite3.connect(database)) as connection:
            rows = connection.execute(
                "SELECT action, seen FROM events WHERE match_id = ? ORDER BY revision", (match_id,)
            ).fetchall()
    server = digest(_as_seen(action, seen) for action, seen in rows)
    return {**hashes, "server": server}


def _as_seen(action: str, seen: str | None) -> str:
    """An event as the app of the first seat notes it: of what was dealt it knows only that it was,
    for which it has no notation."""
    found = str(json.loads(seen).get("0", action)) if seen else action
    return "" if found == HIDDEN else found


async def _play_through(one: Phone, other: Phone, lines: list[Lossy]) -> None:
    async def of_one() -> None:
        await one.do(f"play {BEFORE}")
        await one.kill()
        _say("one was killed")
        await one.start()
        await one.do("wait")
        await one.do("play")

    async def of_other() -> None:
        await other.do(f"play {BEFORE}")
        await other.do("turn")
        await other.do(f"play {BEFORE}")
        cut = asyncio.create_task(_cut(lines))
        await other.do("play")
        await cut

    async with asyncio.TaskGroup() as both:
        both.create_task(of_one())
        both.create_task(of_other())


async def _cut(lines: list[Lossy]) -> None:
    for line in lines:
        line.drop_packets()
    _say(f"the network of the other is away for {CUT_S:.0f} s")
    await asyncio.sleep(CUT_S)
    for line in lines:
        line.restore()
    _say("the network is back")


@contextlib.asynccontextmanager
async def _lines(addresses: Any) -> AsyncIterator[tuple[list[Lossy], dict[str, str]]]:
    async with contextlib.AsyncExitStack() as stack:
        lines: list[Lossy] = []
        through: dict[str, str] = {}
        for name, address in addresses.items():
            line = await stack.enter_async_context(lossy(int(address.rpartition(":")[2])))
            lines.append(line)
            through[name] = f"127.0.0.1:{line.port}"
        yield lines, through


async def hide_and_seek(folder: Path) -> dict[str, str]:
    """One phone for two people, without a network."""
    phone = Phone("shared", folder / "shared", seed=3)
    try:
        await phone.start()
        match_id = str((await phone.do("here"))["match_id"])
        await phone.do(f"play {BEFORE}")
        before = (await phone.do("history"))["events"]
        await phone.kill()
        _say("the phone was killed")
        await phone.start()
        await phone.do("wait")
        if (await phone.do("history"))["events"] != before:
            raise Failed("the phone forgot what was played before it was killed")
        await phone.do("turn")
        await phone.do("play")
        told = (await phone.do("history"))["sha256"]
    except Failed:
        await _show(phone)
        raise
    finally:
        await phone.stop()
    kept = Shelf(Store(folder / "shared" / "matches")).load(match_id)
    if kept is None:
        raise Failed(f"{match_id} is not on the device")
    match, _ = kept
    # What the device keeps, read without the app; and played once more on the engine alone.
    saved = [event.notation for event in match.events]
    rules = match.rules
    state = rules.initial(match.setting.options, len(match.setting.seats))
    again = []
    for done in match.history:
        action = rules.check(state, rules.parse_action(done.action))
        again.append(rules.visible_action(state, action, 0))
        state = rules.apply(state, action)
    if rules.outcome(state) is None:
        raise Failed("the match on the device is not over")
    return {"app": told, "device": digest(saved), "engine": digest(again)}


async def _show(*phones: Phone) -> None:
    for phone in phones:
        _say(f"the screen of {await phone.picture()}")


def _say(text: str) -> None:
    sys.stderr.write(f"==> {text}\n")
    sys.stderr.flush()


def _each(group: BaseExceptionGroup[Failed]) -> list[Failed]:
    """All that went wrong, however deep in groups of tasks."""
    found: list[Failed] = []
    for error in group.exceptions:
        found += _each(error) if isinstance(error, BaseExceptionGroup) else [error]
    return found


async def _run(only: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory(prefix="oddsocks-") as name:
        for play in (sock_monsters, hide_and_seek):
            if only in ("", play.__name__):
                folder = Path(name) / play.__name__
                folder.mkdir()
                found[play.__name__] = await play(folder)
    return found


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", choices=["", "sock_monsters", "hide_and_seek"])
    only = parser.parse_args().only
    found: dict[str, dict[str, str]] = {}
    failures: list[Failed] = []
    try:
        found = asyncio.run(_run(only))
    except* Failed as group:
        failures = _each(group)
    for failure in failures:
        _say(f"failed: {failure}")
    if failures:
        return 1
    report = Report("e2e-two-apps")
    for game, hashes in found.items():
        report.equals(f"{game}.different_histories", len(set(hashes.values())), 1)
    sys.stdout.write(json.dumps(found) + "\n")
    return report.write()


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
