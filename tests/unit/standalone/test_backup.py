"""Backups from and to folders of any name; tests/e2e has one of a system that runs."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from services.standalone.backup import back_up, restore
from services.standalone.state import State

DATABASES = ("ai", "matchmaking", "rules")


def test_a_folder_may_be_called_what_means_something_in_an_address(tmp_path: Path) -> None:
    state = State(tmp_path / "50% #1 games?")
    state.prepare()
    for name in DATABASES:
        path = state.directory / f"{name}.sqlite3"
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.execute(f"CREATE TABLE of_{name} (x)")
    file = tmp_path / "copy"
    back_up(state, file)
    assert restore(state, file) is not None
    for name in DATABASES:
        path = state.directory / f"{name}.sqlite3"
        with contextlib.closing(sqlite3.connect(path)) as database:
            assert database.execute("SELECT name FROM sqlite_master").fetchall() == [
                (f"of_{name}",)
            ]
