"""Starting the app: what is wrong with an argument is said in one line, with status 2."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from app.main import make_session, read_settings
from app.model.gateway import Refused
from app.model.kept import Kept
from app.model.values import Here, SeatWish
from app.net.remote import RemoteGateway
from app.window import prepare
from tests.fixtures.local import free_port


def test_arguments_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDSOCKS_SERVER", "127.0.0.1:1")
    monkeypatch.setenv("ODDSOCKS_PLAINTEXT", "1")
    assert read_settings([]).server == "127.0.0.1:1"
    settings = read_settings(["--server", "127.0.0.1:2", "--size", "1024x768"])
    assert (settings.server, settings.plaintext) == ("127.0.0.1:2", True)
    assert settings.size_dp == (1024, 768)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--server", "play.example.org", "--plaintext"],
            "Without encryption only this device works",
        ),
        (
            ["--server", "play.example.org", "--ca", "none.pem"],
            "no certificate file 'none.pem'",
        ),
        (["--server", "nowhere:x"], "'x' is not a port"),
        (["--script", "touches-demo"], "--script touches-demo needs --server"),
        (["--size", "big"], "--size is WIDTHxHEIGHT, not 'big'"),
        (["--script", "chess"], "invalid choice: 'chess'"),
    ],
)
def test_a_wrong_argument_is_named(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SERVER", "PLAINTEXT", "CA", "DATA"):
        monkeypatch.delenv(f"ODDSOCKS_{name}", raising=False)
    with pytest.raises(SystemExit) as caught:
        read_settings(arguments)
    assert caught.value.code == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


def test_a_link_is_taken_as_it_is() -> None:
    """Whether it is one of ours is said in the app, to who has touched it."""
    assert read_settings([]).link == ""
    for link in ("oddsocks://join/7KQ4WX", "oddsocks://nowhere"):
        assert read_settings([link]).link == link


async def test_a_link_as_an_argument_leads_to_its_table(tmp_path: Path) -> None:
    """`python -m app LINK` is a process of its own; nobody is there to answer its call."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "app", "--data", str(tmp_path), "--script", "link"),
        *("--server", f"127.0.0.1:{free_port()}", "--plaintext", "oddsocks://join/7kq4wx"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert json.loads(out) == {"at": "join", "params": {"code": "7KQ4WX"}, "said": ""}


async def test_another_server_is_used_from_then_on_and_kept(tmp_path: Path) -> None:
    settings = read_settings(["--server", "127.0.0.1:1", "--plaintext"])
    session = make_session(settings, tmp_path)
    assert isinstance(session.online, RemoteGateway)
    assert str(session.online.address) == "127.0.0.1:1"
    await session.use_server("127.0.0.1:2")
    assert str(session.online.address) == "127.0.0.1:2"
    with pytest.raises(ValueError, match="Without encryption only this device works"):
        await session.use_server("play.example.org")
    assert session.server == "127.0.0.1:2"
    kept = make_session(read_settings(["--plaintext"]), tmp_path)
    assert kept.server == "127.0.0.1:2"
    await session.close()


async def test_on_a_device_without_room_everything_but_matches_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ways between screens, settings and an action's second copy are not worth a crash."""
    session = make_session(read_settings(["--server", "127.0.0.1:1", "--plaintext"]), tmp_path)

    def full(*_: object, **__: object) -> NoReturn:
        raise OSError("no space left")

    monkeypatch.setattr("tempfile.mkstemp", full)
    session.remember_screens([("home", {})])
    session.settings.change(dark=False)
    assert not session.settings.now.dark
    session.shown.note("m", 3)
    assert session.shown.of("m") == 3
    session.kept.keep(Kept("m", "r", 0, 0, "", "end"))
    with pytest.raises(Refused) as refused:
        await session.here.open_table("s", "socker", (SeatWish.ME, Here("Mia")), {})
    assert refused.value.reason == "NO_ROOM"
    await session.close()


def test_tokens_stay_out_of_the_log() -> None:
    """Kivy shows all loggers' debug lines, and hpack's name every header."""
    from app.main import hush

    hush()
    for name in ("hpack", "hpack.hpack", "h2", "grpclib", "asyncio"):
        assert not logging.getLogger(name).isEnabledFor(logging.INFO)


def test_nothing_of_kivys_is_read_from_the_home_of_whoever_runs_it() -> None:
    prepare(headless=True)  # again, as tests do: it must not matter
    from kivy.config import Config

    assert Config.options("input") == []
    assert Config.get("kivy", "exit_on_escape") == "0"
