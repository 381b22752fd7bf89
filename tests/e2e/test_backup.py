"""A backup brings everything back as it was, and play goes on from there."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import tarfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from app.model.account import MemoryAccount
from app.model.values import Match, SeatWish
from app.net.remote import RemoteGateway
from services.standalone.target import local_address
from tests.fixtures.standalone import Served, call, serve

BEAT_MS = 2_000
"""So long before the backup the rules may have given their last sign of life."""


@asynccontextmanager
async def playing(served: Served, account: MemoryAccount) -> AsyncIterator[RemoteGateway]:
    gateway = RemoteGateway(local_address(served.running.addresses), account)
    try:
        yield gateway
    finally:
        await gateway.close()


async def act(gateway: RemoteGateway, match_id: str, times: int) -> Match:
    """Let whoever is to act take the first legal action, some times over."""
    match = await gateway.get_match(match_id)
    for _ in range(times):
        acting = match.acting_view
        assert acting is not None
        request_id = f"at-{match.revision}"
        await gateway.submit_action(
            match_id, acting.seat, request_id, match.revision, acting.legal[0]
        )
        match = await gateway.get_match(match_id)
    return match


def as_it_was(now: Match, then: Match) -> None:
    """The same match, for which time stood still as long as no server was there."""
    asked, asked_then = now.clock, then.clock
    assert asked is not None
    assert asked_then is not None
    assert asked.deadline_ms is not None
    assert asked_then.deadline_ms is not None
    moved_ms = asked.deadline_ms - asked_then.deadline_ms
    assert 0 <= moved_ms <= asked.now_ms - asked_then.now_ms + BEAT_MS
    shifted = replace(asked, deadline_ms=asked_then.deadline_ms, now_ms=asked_then.now_ms)
    assert replace(now, clock=shifted) == then


def end(served: Served) -> None:
    served.process.send_signal(signal.SIGTERM)
    assert served.process.wait(30) == 0


async def test_play_goes_on_from_a_backup_made_in_mid_match(tmp_path: Path) -> None:
    state, file, account = tmp_path / "state", tmp_path / "oddsocks.backup", MemoryAccount()
    with serve(state) as served:
        async with playing(served, account) as gateway:
            table = await gateway.open_table("one", "socker", (SeatWish.ME, SeatWish.ME), {})
            then = await act(gateway, table.match_id, 4)
            made = call(state, "backup", str(file))
            assert made.returncode == 0, made.stderr
            lost = await act(gateway, table.match_id, 3)
        refused = call(state, "restore", str(file))
        assert refused.returncode == 1
        assert "already runs" in refused.stderr
        end(served)

    restored = call(state, "restore", str(file))
    assert restored.returncode == 0, restored.stderr
    # What was there is kept: all three actions more.
    [kept] = state.glob("replaced-*")
    with sqlite3.connect(kept / "rules.sqlite3") as database:
        [[revision]] = database.execute("SELECT revision FROM matches").fetchall()
    assert revision == lost.revision > then.revision

    with serve(state) as served:
        async with playing(served, account) as gateway:
            as_it_was(await gateway.get_match(table.match_id), then)
            assert (await act(gateway, table.match_id, 3)).revision == lost.revision
        end(served)


async def test_another_machine_takes_a_backup_over(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "oddsocks.backup"
    account = MemoryAccount()
    with serve(here) as served:
        async with playing(served, account) as gateway:
            table = await gateway.open_table("one", "socker", (SeatWish.ME, SeatWish.ME), {})
            then = await act(gateway, table.match_id, 2)
        end(served)
    assert call(here, "backup", str(file)).returncode == 0
    assert call(there, "restore", str(file)).returncode == 0
    with serve(there) as served:
        # Signed by other keys: the access token is refused there and the refresh token trades it.
        async with playing(served, account) as gateway:
            as_it_was(await gateway.get_match(table.match_id), then)
        end(served)


def test_only_its_owner_may_read_a_backup(tmp_path: Path) -> None:
    state, file = tmp_path / "state", tmp_path / "oddsocks.backup"
    state.mkdir()
    for name in ("ai", "matchmaking", "rules"):
        sqlite3.connect(state / f"{name}.sqlite3").close()
        (state / f"{name}.sqlite3").touch()
    file.write_text("an older one")
    os.chmod(file, 0o644)
    assert call(state, "backup", str(file)).returncode == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("*.part"))


def test_what_is_no_backup_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    state, file = tmp_path / "state", tmp_path / "oddsocks.backup"
    nothing = call(state, "backup", str(file))
    assert nothing.returncode == 1
    assert "no matches" in nothing.stderr
    assert not file.exists()

    state.mkdir(exist_ok=True)
    (state / "rules.sqlite3").write_bytes(b"as it was")

    def refused(words: str) -> None:
        done = call(state, "restore", str(file))
        assert done.returncode == 1
        assert words in done.stderr
        assert (state / "rules.sqlite3").read_bytes() == b"as it was"
        assert not list(state.glob("replaced-*"))

    refused("there is no")
    file.write_bytes(b"not a tar at all")
    refused("no whole backup")
    _pack(file, {"manifest.json": json.dumps({"product": "other"}).encode()})
    refused("no whole backup")
    databases = {f"{name}.sqlite3": b"" for name in ("ai", "matchmaking", "rules")}
    _pack(file, {**databases, "manifest.json": b'{"product": "other"}'})
    refused("of another kind")
    manifest = json.dumps({"product": "oddsocks", "format": 1, "databases": "sqlite"}).encode()
    broken = {**databases, "rules.sqlite3": b"no database, " * 400}
    _pack(file, {**broken, "manifest.json": manifest})
    refused("no whole backup")


def _pack(file: Path, members: dict[str, bytes]) -> None:
    folder = file.parent / "members"
    folder.mkdir(exist_ok=True)
    with tarfile.open(file, "w:gz") as archive:
        for name, content in members.items():
            (folder / name).write_bytes(content)
            archive.add(folder / name, name)
