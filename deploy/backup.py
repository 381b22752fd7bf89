"""A copy of the databases of a stack in one file, and the way back.

The file is a tar of PostgreSQL's own custom-format dumps, one a service. It holds no secrets of the
deployment (docs/deploy.md says where those are), but everything that players know.
"""

from __future__ import annotations

import os
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from deploy.engine import DeployError

# Those that call before those that are called: whatever a copy says of another service, the copy
# of that one, taken later, knows as well.
DATABASES = ("oddsocks_ai", "oddsocks_matchmaking", "oddsocks_rules")

_SECONDS = 600.0


def back_up(container: str, file: Path) -> None:
    """Write the copy, also while people play; replaces `file` once it is whole."""
    part = file.with_name(f"{file.name}.part")
    try:
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            for name in DATABASES:
                with (Path(folder) / name).open("wb") as out:
                    _inside(container, ["pg_dump", "--format=custom", name], output=out)
            with _private(part) as whole, tarfile.open(fileobj=whole, mode="w") as archive:
                for name in DATABASES:
                    archive.add(Path(folder) / name, name)
        part.replace(file)
    except OSError as error:
        raise DeployError(f"{file}: {error}") from None
    finally:
        part.unlink(missing_ok=True)


def restore(container: str, file: Path, quiet: Callable[[], None]) -> None:
    """Bring the copy back, each database whole or not at all; all are looked at before any.

    `quiet` is called once `file` has been found good; afterwards no service may be writing.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            with tarfile.open(file, "r:") as archive:
                for name in DATABASES:
                    archive.extract(name, folder, filter="data")
        except FileNotFoundError:
            raise DeployError(f"there is no {file}") from None
        except (OSError, KeyError, tarfile.TarError) as error:
            raise DeployError(f"{file} is no whole backup: {error}") from None
        dumps = [Path(folder) / name for name in DATABASES]
        for dump in dumps:
            with dump.open("rb") as content:
                _inside(container, ["pg_restore", "--list"], content=content)
        quiet()
        for dump in dumps:
            command = ["pg_restore", "--clean", "--if-exists", "--no-owner", f"--role={dump.name}"]
            with dump.open("rb") as content:
                _inside(
                    container,
                    [*command, "--single-transaction", "--exit-on-error", f"--dbname={dump.name}"],
                    content=content,
                )


def _private(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _inside(
    container: str,
    command: list[str],
    *,
    output: IO[bytes] | int = subprocess.DEVNULL,
    content: IO[bytes] | int = subprocess.DEVNULL,
) -> None:
    """Run one of PostgreSQL's programs next to its server, as its administrator."""
    try:
        done = subprocess.run(
            ["docker", "exec", "--interactive", "--env=PGUSER=postgres", container, *command],
            stdin=content,
            stdout=output,
            stderr=subprocess.PIPE,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DeployError(f"{command[0]} did not end within {_SECONDS:.0f} s") from None
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise DeployError(f"{command[0]}: {lines[0] if lines else 'no reason given'}")
