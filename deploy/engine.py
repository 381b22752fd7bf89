"""The container engine, through its own command line: docker, and whichever compose is there."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

LABEL = "oddsocks"
"""Every container, volume and network of ours carries it; its value is the stack's name."""

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "deploy" / "logs"

_TEST_STACK = re.compile(r"^oddsocks-test-(\d+)(-|$)")
_HEARTBEAT_SECONDS = 10.0


class DeployError(Exception):
    """Something the user can mend; the message is one line saying what and how."""


def say(line: str) -> None:
    """Tell the user how far things are. Standard output is kept for results."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def docker(*arguments: str, timeout: float | None = 120) -> str:
    """The output of one docker command; DeployError with docker's own last line if it fails."""
    try:
        done = subprocess.run(
            ["docker", *arguments], text=True, capture_output=True, timeout=timeout, check=False
        )
    except FileNotFoundError:
        raise DeployError("docker is not installed: tools/setup.sh engine installs it") from None
    except subprocess.TimeoutExpired:
        raise DeployError(f"the container engine does not answer (docker {arguments[0]})") from None
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise DeployError(f"docker {arguments[0]}: {last}")
    return done.stdout


def engine_answers() -> bool:
    """Whether an engine is there to talk to."""
    try:
        docker("version", "--format", "{{.Server.Version}}", timeout=20)
    except DeployError:
        return False
    return True


def require_engine() -> None:
    """Raise DeployError unless a container engine is running."""
    if not engine_answers():
        raise DeployError("no container engine answers: tools/setup.sh engine starts one")


def provide(need: str) -> None:
    """Have tools/setup.sh install or start something, or say in one line what is missing."""
    run_logged(f"setting up {need}", [str(ROOT / "tools" / "setup.sh"), need], f"setup-{need}")


def compose_command() -> list[str]:
    """`docker compose` where the plugin is installed, else `docker-compose`."""
    if shutil.which("docker") and _succeeds("docker", "compose", "version"):
        return ["docker", "compose"]
    if shutil.which("docker-compose") and _succeeds("docker-compose", "version"):
        return ["docker-compose"]
    raise DeployError("neither `docker compose` nor `docker-compose` is installed")


def builder_environment() -> dict[str, str]:
    """The environment for builds: without the buildx plugin only the legacy builder works."""
    if _succeeds("docker", "buildx", "version"):
        return dict(os.environ)
    return {**os.environ, "DOCKER_BUILDKIT": "0", "COMPOSE_DOCKER_CLI_BUILD": "0"}


def image_exists(name: str) -> bool:
    """Whether the engine has the image already."""
    return bool(docker("images", "--quiet", name).strip())


def labelled(kind: str, value: str | None = None) -> list[str]:
    """Ids of our `container`s, `volume`s or `network`s, all or those of one stack."""
    label = LABEL if value is None else f"{LABEL}={value}"
    everything = ["--all"] if kind == "container" else []
    found = docker(kind, "ls", *everything, "--quiet", "--filter", f"label={label}")
    return found.split()


def remove_labelled(value: str, *, volumes: bool) -> None:
    """Remove what is left of a stack by its label, whatever compose knew of it."""
    kinds = ["container", "network", *(["volume"] if volumes else [])]
    for kind in kinds:
        if ids := labelled(kind, value):
            force = [] if kind == "network" else ["--force"]
            anonymous = ["--volumes"] if kind == "container" else []
            docker(kind, "rm", *force, *anonymous, *ids)


def remove_stale_tests() -> None:
    """Remove what test runs left that were killed before they could tidy up.

    A test stack is called `oddsocks-test-PID[-…]`; it is stale when no such process runs.
    """
    for value in sorted(_label_values()):
        found = _TEST_STACK.match(value)
        if found and not Path(f"/proc/{found[1]}").exists():
            remove_labelled(value, volumes=True)


@contextmanager
def alone() -> Iterator[None]:
    """Be the only one on this working copy who makes images: others, also threads, wait.

    Two that make the same image at once get in each other's way and take twice as long.
    """
    LOGS.mkdir(parents=True, exist_ok=True)
    with (LOGS.parent / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another run that makes images")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run_logged(
    title: str,
    command: Sequence[str],
    log_name: str,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run a long command: a line when it starts, one every ten seconds, one when it is done.

    Its output goes to a file; if it fails, DeployError names that file after its last lines.
    """
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{log_name}.log"
    began = time.monotonic()
    say(f"{title} …")
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            while True:
                try:
                    status = process.wait(_HEARTBEAT_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    say(f"  {title}: {time.monotonic() - began:.0f} s, {_last_line(log)[:80]}")
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if status != 0:
        for line in _lines(log)[-15:]:
            say(f"  {line}")
        raise DeployError(f"{title} failed (status {status}); all of it is in {log}")
    say(f"  {title}: done in {time.monotonic() - began:.0f} s")


def _label_values() -> set[str]:
    template = '{{.Label "' + LABEL + '"}}'
    values: set[str] = set()
    for kind in ("container", "volume", "network"):
        everything = ["--all"] if kind == "container" else []
        found = docker(kind, "ls", *everything, "--filter", f"label={LABEL}", "--format", template)
        values.update(found.split())
    return values


def _succeeds(*command: str) -> bool:
    try:
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20, check=False
        )
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _lines(log: Path) -> list[str]:
    return [line for line in log.read_text(errors="replace").splitlines() if line.strip()]


def _last_line(log: Path) -> str:
    return (_lines(log) or [""])[-1]
