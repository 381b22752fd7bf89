"""The process: serves until told to stop, and says in one line what keeps it from serving."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from services.common.keys import ensure_keys
from tests.contract.matchmaking.world import fresh_id

SIGN_IN = "/oddsocks.matchmaking.v1.MatchmakingService/SignInGuest"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Settings with which the service starts."""
    ensure_keys(tmp_path / "keys")
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("ODDSOCKS_")}
    return inherited | {
        "ODDSOCKS_DATABASE_URL": f"sqlite:///{tmp_path}/matchmaking.db",
        "ODDSOCKS_KEYS_FILE": str(tmp_path / "keys/signing.json"),
        "ODDSOCKS_SERVICE_SECRET_FILE": str(tmp_path / "keys/service.secret"),
        "ODDSOCKS_READY_FILE": str(tmp_path / "ready.json"),
        "ODDSOCKS_FCM_CREDENTIALS_FILE": "",  # as compose says that there are none
    }


def start(environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "services.matchmaking"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield int(listener.getsockname()[1])


def refuses(environment: dict[str, str], *parts: str) -> None:
    """The process must end with status 1 and one line that holds these parts."""
    process = start(environment)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1, err
    lines = [line for line in err.splitlines() if not line.startswith("{")]  # logs are JSON
    assert len(lines) == 1, err
    assert lines[0].startswith("matchmaking: ")
    for part in parts:
        assert part in lines[0]
    assert out == ""


def test_it_serves_drains_at_sigterm_and_keeps_its_data(
    environment: dict[str, str], tmp_path: Path
) -> None:
    ready, request_id = tmp_path / "ready.json", fresh_id()
    players = []
    for _ in range(2):
        process = start(environment)
        try:
            deadline = time.monotonic() + 60
            while not ready.exists() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
            assert ready.exists(), process.communicate()[1]
            port = json.loads(ready.read_text())["listen"]
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
                call = channel.unary_unary(
                    SIGN_IN,
                    request_serializer=pb.SignInGuestRequest.SerializeToString,
                    response_deserializer=pb.SignInGuestResponse.FromString,
                )
                answer = call(pb.SignInGuestRequest(request_id=request_id), timeout=20)
            players.append(answer.player.player_id)
        finally:
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        assert "Traceback" not in err
        assert request_id not in err
        ready.unlink()
    assert players[0] == players[1]


def test_a_missing_setting(environment: dict[str, str]) -> None:
    del environment["ODDSOCKS_DATABASE_URL"]
    refuses(environment, "set ODDSOCKS_DATABASE_URL")


def test_a_missing_folder(environment: dict[str, str]) -> None:
    environment["ODDSOCKS_DATABASE_URL"] = "sqlite:////nowhere/at/all.db"
    refuses(environment, "no folder /nowhere/at", "make it first")


def test_a_newer_database(environment: dict[str, str], tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "matchmaking.db") as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('matchmaking_9999')")
    database.close()
    refuses(environment, "matchmaking_9999", "newer", "update the service")


def test_a_locked_database(environment: dict[str, str], tmp_path: Path) -> None:
    holder = sqlite3.connect(tmp_path / "matchmaking.db", isolation_level=None)
    holder.execute("PRAGMA journal_mode=WAL")
    holder.execute("BEGIN IMMEDIATE")
    refuses(environment, "matchmaking.db", "locked")
    holder.close()


@pytest.mark.parametrize("setting", ["ODDSOCKS_LISTEN", "ODDSOCKS_INTERNAL_LISTEN"])
def test_a_taken_port(environment: dict[str, str], taken_port: int, setting: str) -> None:
    environment[setting] = f"127.0.0.1:{taken_port}"
    refuses(environment, f"can't listen on 127.0.0.1:{taken_port}", "taken")


@pytest.mark.parametrize("setting", ["ODDSOCKS_KEYS_FILE", "ODDSOCKS_SERVICE_SECRET_FILE"])
def test_an_unreadable_key(environment: dict[str, str], tmp_path: Path, setting: str) -> None:
    environment[setting] = str(tmp_path)  # a folder: unreadable for root, too
    refuses(environment, str(tmp_path), "directory")


def test_a_key_file_that_holds_none(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "keys/signing.json").write_text("socks")
    refuses(environment, "signing.json", "holds no keys")


def test_keys_that_cannot_sign(environment: dict[str, str], tmp_path: Path) -> None:
    environment["ODDSOCKS_KEYS_FILE"] = str(tmp_path / "keys/verify.json")
    refuses(environment, "private key", "signing.json")
