"""Starting the app: arguments and environment, the session, and the loop they run on.

    python mobile/main.py --server HOST:PORT [--ca FILE | --plaintext] [--data DIR] [LINK]

LINK is an invitation or a server at home, as such links are given to others. Each option has an
environment variable but the link: ODDSOCKS_SERVER, ODDSOCKS_CA, ODDSOCKS_PLAINTEXT=1,
ODDSOCKS_DATA. The server is one address behind which all services are, or one for each:
`rules=127.0.0.1:1,matchmaking=127.0.0.1:2,ai=127.0.0.1:3`.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.i18n import use_language
from app.model.account import StoredAccount
from app.model.introduction import Known
from app.model.online import Online
from app.model.people import People
from app.model.session import Session, language_of
from app.model.store import Notebook, Store
from app.net.address import BadAddress, parse_address
from app.net.introduction import meet
from app.net.local import LocalGateway
from app.net.local_shelf import Shelf
from app.net.remote import RemoteGateway
from app.window import finish_every_frame, prepare


@dataclass(frozen=True, slots=True)
class Settings:
    """How the app is started."""

    server: str = ""
    plaintext: bool = False
    ca_file: Path | None = None
    data: Path | None = None
    script: str = ""
    shot: Path | None = None
    size_dp: tuple[int, int] = (390, 844)
    density: float = 2
    link: str = ""


def read_settings(arguments: Sequence[str]) -> Settings:
    """Read arguments over environment; exits with status 2 and one line on a wrong one."""
    parser = argparse.ArgumentParser(prog="oddsocks", description="Play Oddsocks.")
    env = os.environ
    parser.add_argument("--server", default=env.get("ODDSOCKS_SERVER", ""), metavar="HOST:PORT")
    parser.add_argument(
        "--plaintext",
        action="store_true",
        default=env.get("ODDSOCKS_PLAINTEXT", "") == "1",
        help="no TLS; only for servers on this machine",
    )
    parser.add_argument("--ca", default=env.get("ODDSOCKS_CA", ""), metavar="FILE")
    parser.add_argument("--data", default=env.get("ODDSOCKS_DATA", ""), metavar="DIR")
    parser.add_argument(
        "--script",
        default="",
        choices=["", "touches-demo", "first-start", "link"],
        help="play by itself, offscreen",
    )
    parser.add_argument("--shot", default="", metavar="PATH", help="save a picture at the end")
    parser.add_argument("--size", default="390x844", metavar="WxH", help="offscreen window, dp")
    parser.add_argument("--density", type=float, default=2.0, help="offscreen pixels per dp")
    # A wrong one is said in the app: who has touched a link sees no standard error.
    parser.add_argument("link", nargs="?", default="", metavar="LINK", help="open this link")
    given = parser.parse_args(arguments)
    ca_file = Path(given.ca) if given.ca else None
    try:
        if given.server:
            parse_address(given.server, plaintext=given.plaintext, ca_file=ca_file)
        width, _, height = given.size.partition("x")
        size = (int(width), int(height))
    except BadAddress as error:
        parser.error(str(error))
    except ValueError:
        parser.error(f"--size is WIDTHxHEIGHT, not '{given.size[:40]}'")
    if given.script == "touches-demo" and not given.server:
        parser.error("--script touches-demo needs --server")
    return Settings(
        server=given.server,
        plaintext=given.plaintext,
        ca_file=ca_file,
        data=Path(given.data) if given.data else None,
        script=given.script,
        shot=Path(given.shot) if given.shot else None,
        size_dp=size,
        density=given.density,
        link=given.link,
    )


def make_session(settings: Settings, data: Path) -> Session:
    """The session for these settings, kept under `data`."""
    store = Notebook(data)
    use_language(language_of(store))  # Whoever has no name yet gets one in it.
    people = People(store)

    known = Known(store)

    def connect(server: str) -> Online:
        address = parse_address(
            server,
            plaintext=settings.plaintext,
            ca_file=settings.ca_file,
            ca_pem=known.authority(server),
        )
        account = StoredAccount(store, str(address))
        return RemoteGateway(address, account, display_name=people.me)

    here = LocalGateway(Shelf(Store(data / "matches")), lambda: people.me)
    return Session(store, people, here, connect, settings.server, meet)


def run(settings: Settings) -> int:
    """Run the app until it is closed; returns the exit status."""
    headless = bool(settings.script)
    width, height = settings.size_dp
    hush()
    prepare(headless=headless, width_dp=width, height_dp=height, density=settings.density)
    return asyncio.run(_run(settings, headless))


def hush() -> None:
    """Kivy makes the root logger show everything; these would write tokens into the log."""
    for name in ("hpack", "h2", "grpclib", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)


async def _run(settings: Settings, headless: bool) -> int:
    # Only now, since importing Kivy opens a window.
    from app.device.doors import Doors, doors
    from app.model.links import NoLinks
    from app.shell import OddsocksApp

    if headless:
        finish_every_frame()
    # Nobody looks at what plays by itself: it tells nobody anything.
    found = Doors(links=NoLinks(settings.link)) if headless else doors(settings.link)
    app = OddsocksApp(make_session(settings, settings.data or _user_data()), found)
    script: asyncio.Task[int] | None = None
    if settings.script:
        from app.script import SCRIPTS

        play = SCRIPTS[settings.script]
        script = asyncio.ensure_future(play(app, settings.shot))
    try:
        await app.async_run("asyncio")
        return await script if script is not None else 0
    finally:
        await app.finish()


def _user_data() -> Path:
    """Where the platform keeps what belongs to an app."""
    from kivy.app import App

    class _Named(App):
        name = "oddsocks"

    return Path(_Named().user_data_dir)


def main() -> None:
    """The program."""
    sys.exit(run(read_settings(sys.argv[1:])))
