"""A copy of all that an installation keeps, in one file, and the way back.

The file is a compressed tar: a SQLite database a service, and `manifest.json`. It holds no keys:
an installation that takes it over signs with its own, and apps come in with their refresh tokens.
Whoever reads it reads everything, seeds of running matches included, so only its owner may.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import tarfile
import tempfile
import time
from pathlib import Path
from typing import BinaryIO, Final

from services.standalone.problem import Problem
from services.standalone.state import State

_MANIFEST: Final = "manifest.json"
_KIND: Final = {"product": "oddsocks", "format": 1, "databases": "sqlite"}
# Those that call before those that are called: whatever a copy says of another service, the copy
# of that one, taken later, knows as well.
_ORDER: Final = ("ai", "matchmaking", "rules")
_BESIDE: Final = ("", "-wal", "-shm")


def back_up(state: State, file: Path) -> None:
    """Write the copy, also while the system runs. Replaces `file` only once it is whole.

    Raises `Problem` when there is nothing to copy, or `file` can't be written.
    """
    if not all(_database(state.directory, name).is_file() for name in _ORDER):
        raise Problem(f"there are no matches in {state.directory} to back up")
    part = file.with_name(f"{file.name}.part")
    try:
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            for name in _ORDER:
                _copy(_database(state.directory, name), _database(Path(folder), name))
            manifest = _KIND | {"made_at_ms": time.time_ns() // 1_000_000}
            (Path(folder) / _MANIFEST).write_text(json.dumps(manifest))
            with _private(part) as out, tarfile.open(fileobj=out, mode="w:gz") as archive:
                for path in sorted(Path(folder).iterdir()):
                    archive.add(path, path.name)
        part.replace(file)
    except (OSError, sqlite3.Error) as error:
        raise Problem(f"{file}: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def restore(state: State, file: Path) -> Path | None:
    """Put the copy where the databases are; what was there moves into the folder returned, if any.

    Raises `Problem`, with everything as it was, when the system runs or `file` is no whole copy.
    """
    state.prepare()
    with state.held(), tempfile.TemporaryDirectory(dir=state.directory) as folder:
        _unpack(file, Path(folder))
        kept = _set_aside(state.directory)
        for name in _ORDER:
            _database(Path(folder), name).rename(_database(state.directory, name))
    return kept


def _database(directory: Path, service: str) -> Path:
    return directory / f"{service}.sqlite3"


def _copy(source: Path, target: Path) -> None:
    """A consistent copy of a database that others may be writing to."""
    with (
        contextlib.closing(
            sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
        ) as live,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        live.backup(copy)


def _private(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _unpack(file: Path, folder: Path) -> None:
    names = [_database(Path(), name).name for name in _ORDER]
    try:
        with tarfile.open(file, "r:gz") as archive:
            for name in (*names, _MANIFEST):
                archive.extract(name, folder, filter="data")
        manifest = json.loads((folder / _MANIFEST).read_text())
        if {key: manifest.get(key) for key in _KIND} != _KIND:
            raise Problem(f"{file} is a backup of another kind: {json.dumps(manifest)[:200]}")
        for name in names:
            _check(folder / name)
    except FileNotFoundError as error:
        raise Problem(f"there is no {file}") from error
    except (OSError, KeyError, ValueError, EOFError, tarfile.TarError, sqlite3.Error) as error:
        raise Problem(f"{file} is no whole backup: {error}") from error


def _check(database: Path) -> None:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        [[verdict]] = connection.execute("PRAGMA integrity_check(1)").fetchall()
    if verdict != "ok":
        raise ValueError(f"{database.name}: {verdict}")


def _set_aside(directory: Path) -> Path | None:
    """Move today's databases, with what SQLite keeps beside them, into a folder of their own."""
    there = [
        path
        for name in _ORDER
        for end in _BESIDE
        if (path := Path(f"{_database(directory, name)}{end}")).exists()
    ]
    if not there:
        return None
    kept = Path(tempfile.mkdtemp(prefix=time.strftime("replaced-%Y%m%d-"), dir=directory))
    for path in there:
        path.rename(kept / path.name)
    return kept
