"""The state directory: what one installation keeps between runs, and who is running it."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, TextIO

from services.common.auth import read_secret
from services.common.keys import ensure_keys
from services.standalone.problem import Problem

VARIABLE: Final = "ODDSOCKS_STATE"


@dataclass(frozen=True, slots=True)
class Running:
    """The stack that runs on a state directory. Addresses are `host:port` of public listeners;
    `pids` are those of its parts.
    """

    pid: int
    addresses: Mapping[str, str]
    pids: Mapping[str, int]


def default_directory() -> Path:
    """Where state is kept: $ODDSOCKS_STATE, else where this platform keeps such things."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "oddsocks"
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "oddsocks"


class State:
    """One state directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.keys = directory / "keys"
        self.secret = self.keys / "service.secret"
        self.logs = directory / "logs"
        self.run = directory / "run"
        self.app = directory / "app"
        self.home = directory / "home"

    def database(self, service: str) -> str:
        """The URL of a service's database."""
        return f"sqlite:///{self.directory / service}.sqlite3"

    def prepare(self) -> None:
        """Make what is missing; raises `Problem`."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            for folder in (self.logs, self.run, self.app, self.home):
                folder.mkdir(exist_ok=True)
            ensure_keys(self.keys)
            read_secret(self.secret)
        except (OSError, ValueError) as error:
            raise Problem(f"{error}; or choose another directory with {VARIABLE}") from error

    @contextmanager
    def held(self) -> Iterator[None]:
        """Be the one that runs on this directory; raises `Problem` when another does.

        The kernel gives the lock back when its holder ends, however it ends.
        """
        with self._open_lock() as file:
            if not _lock(file):
                raise Problem(
                    f"Oddsocks already runs on {self.directory} (process {self._holder()}):"
                    f" stop it, or choose another directory with {VARIABLE}"
                )
            # One that was killed leaves this behind.
            self._stack_file.unlink(missing_ok=True)
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            try:
                yield
            finally:
                self._stack_file.unlink(missing_ok=True)

    def is_held(self) -> bool:
        """Whether somebody runs on this directory."""
        if not (self.directory / "lock").exists():
            return False
        with self._open_lock() as file:
            return not _lock(file)

    def publish(self, running: Running) -> None:
        """Tell other commands where the stack is."""
        part = self._stack_file.with_suffix(".part")
        part.write_text(json.dumps(asdict(running)))
        part.replace(self._stack_file)

    def running(self) -> Running | None:
        """The stack that runs here; None if there is none, or it is not ready yet."""
        if not self.is_held():
            return None
        try:
            running = Running(**json.loads(self._stack_file.read_text()))
        except FileNotFoundError:
            return None
        return running if str(running.pid) == self._holder() else None

    @property
    def _stack_file(self) -> Path:
        return self.run / "stack.json"

    def _open_lock(self) -> TextIO:
        try:
            return (self.directory / "lock").open("a+")
        except OSError as error:
            raise Problem(f"{error}; or choose another directory with {VARIABLE}") from error

    def _holder(self) -> str:
        return (self.directory / "lock").read_text().strip() or "unknown"


def _lock(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
