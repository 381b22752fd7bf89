"""The stack of docker-compose.yml: built, started and watched until it is healthy; taken down.

    python3 -m deploy.compose up                  build and start; prints address and authority
    python3 -m deploy.compose down [--volumes]    stop and remove; with its data
    python3 -m deploy.compose ps | logs [PART]    what runs; what it says
    python3 -m deploy.compose kill PART           kill -9 a part; the engine starts it again
    python3 -m deploy.compose edge                {"address", "ca_file"} of the running stack
    python3 -m deploy.compose backup FILE         copy all databases, while it runs
    python3 -m deploy.compose restore FILE        bring that back; nobody can play meanwhile

Settings: ODDSOCKS_EDGE_PORT (8443), ODDSOCKS_EDGE_BIND (127.0.0.1), ODDSOCKS_EDGE_HOSTS (further
names for the certificate), ODDSOCKS_DEPLOY_STATE (where secrets are kept), ODDSOCKS_STACK (its
name), ODDSOCKS_FCM_CREDENTIALS_FILE (to call phones) and the images' names, see docs/deploy.md.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from deploy import backup, images
from deploy.engine import (
    LABEL,
    ROOT,
    DeployError,
    alone,
    builder_environment,
    compose_command,
    docker,
    labelled,
    remove_labelled,
    remove_stale_tests,
    require_engine,
    run_logged,
    say,
)
from deploy.state import KEY_FILES, PUSH_FILE, Edge, State, default_directory

SERVICES_IMAGE = "oddsocks/services"
PARTS = ("edge", "matchmaking", "rules", "ai", "worker", "worker-slow", "redis", "postgres")
WRITERS = ("edge", "matchmaking", "ai", "worker", "worker-slow", "rules", "redis")
"""Those that must rest while the databases are exchanged, callers first. Redis forgets meanwhile:
its copies may be of positions that the databases no longer know."""

HEALTHY_SECONDS = 240.0
"""How long all parts together may take to become healthy once their images are there."""

_ENDED = ("exited", "dead", "restarting")
_CERTIFICATES = ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
_DEBIAN_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"


@dataclass(frozen=True)
class Part:
    """A container of the stack, as the engine sees it now."""

    id: str
    name: str
    state: str
    """`running`, `exited`, `restarting`, …"""
    health: str
    """`healthy`, `unhealthy` or `starting`"""


class Stack:
    """One stack: its name (also the label's value), its state directory and where it listens."""

    def __init__(self, name: str, state: State, bind: str, port: int) -> None:
        self.name, self.state, self.bind, self.port = name, state, bind, port

    @staticmethod
    def from_environment() -> Stack:
        """The stack that the ODDSOCKS_ variables describe; DeployError for a bad port."""
        port = os.environ.get("ODDSOCKS_EDGE_PORT", "8443")
        if not port.isdecimal() or not 0 < int(port) < 65536:
            raise DeployError(f"ODDSOCKS_EDGE_PORT={port}: a port is a number from 1 to 65535")
        return Stack(
            os.environ.get("ODDSOCKS_STACK", "oddsocks"),
            State(default_directory()),
            os.environ.get("ODDSOCKS_EDGE_BIND", "127.0.0.1").strip("[]"),
            int(port),
        )

    # --- up and down ------------------------------------------------------------------------------

    def up(self) -> Edge:
        """Build and start everything and wait until all of it is healthy."""
        require_engine()
        remove_stale_tests()
        self._check_port()
        self._check_volume()
        self.state.prepare()
        environment = self.build()
        self._ensure_keys()
        self._start(environment)
        self.wait_until_healthy()
        reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.bind, self.bind)
        edge = Edge(f"{_bracketed(reached)}:{self.port}", str(self.state.ca))
        self.state.publish(edge)
        return edge

    def build(self) -> dict[str, str]:
        """Build the images; gives the environment that compose needs to find them."""
        environment = {**builder_environment(), **images.resolve(), **self._environment()}
        # The services' image is built once, for one of those that share it.
        shared = ("edge", "postgres", "rules")
        with alone():
            _lend_certificates()
            self._compose("build", *shared, title="building the images", **environment)
        return environment

    def down(self, *, volumes: bool) -> None:
        """Stop and remove the containers and networks; the data too if asked."""
        require_engine()
        if labelled("container", self.name):
            also = ["--volumes"] if volumes else []
            self._compose(
                *("down", "--remove-orphans", *also),
                title="stopping the containers",
                **{**os.environ, **self._environment()},
            )
        remove_labelled(self.name, volumes=volumes)
        remove_stale_tests()
        self.state.forget_edge()

    def wait_until_healthy(self, seconds: float = HEALTHY_SECONDS) -> None:
        """Wait for every part, telling which are there; DeployError with the log of a bad one."""
        deadline = time.monotonic() + seconds
        seen: set[str] = set()
        while True:
            parts = self.parts()
            for part in parts:
                if part.health == "healthy" and part.name not in seen:
                    seen.add(part.name)
                    say(f"  {part.name} is healthy")
                if part.state in _ENDED:
                    raise DeployError(self._complaint(part))
            if seen >= set(PARTS):
                return
            if time.monotonic() > deadline:
                ill = next((part for part in parts if part.name not in seen), None)
                if ill is None:
                    raise DeployError("the engine does not know all parts: see `docker ps --all`")
                raise DeployError(f"{self._complaint(ill)} (after {seconds:.0f} s)")
            time.sleep(0.5)

    def _start(self, environment: dict[str, str]) -> None:
        command = ("up", "--detach", "--no-build", "--remove-orphans")
        try:
            self._compose(*command, title="starting the containers", **environment)
        except DeployError:
            # Compose only knows that something it waited for did not get healthy; we say why.
            for part in self.parts():
                if part.health == "unhealthy" or part.state in _ENDED:
                    raise DeployError(self._complaint(part)) from None
            raise

    # --- looking at it and hurting it -------------------------------------------------------------

    def parts(self) -> list[Part]:
        """The stack's containers."""
        ids = labelled("container", self.name)
        if not ids:
            return []
        found = []
        for container in json.loads(docker("inspect", *ids)):
            labels, state = container["Config"]["Labels"], container["State"]
            name = labels.get("com.docker.compose.service")
            if name is not None and labels.get("com.docker.compose.oneoff") != "True":
                health = state.get("Health", {}).get("Status", "none")
                found.append(Part(container["Id"], name, state["Status"], health))
        return found

    def part(self, name: str) -> Part:
        """One container by its name in docker-compose.yml; DeployError if it is not there."""
        for part in self.parts():
            if part.name == name:
                return part
        raise DeployError(f"no {name} runs in the stack '{self.name}': start it with `make up`")

    def kill(self, name: str) -> None:
        """Kill all processes of a part with SIGKILL, as a crash would; the engine restarts it.

        From inside and not with `docker kill`, after which the engine would leave it dead. The
        container's init, which no signal from inside reaches, then ends by itself.
        """
        part = self.part(name)
        docker("exec", part.id, "sh", "-c", "kill -9 -1")

    def back_up(self, file: Path) -> None:
        """Copy the databases into a file; people go on playing."""
        backup.back_up(self.part("postgres").id, file)

    def restore(self, file: Path) -> None:
        """Bring a copy back, with the services stopped meanwhile; waits until all is healthy."""
        environment = {**os.environ, **self._environment()}
        stopped = False

        def quiet() -> None:
            nonlocal stopped
            stopped = True
            self._compose("stop", *WRITERS, title="stopping the services", **environment)

        try:
            backup.restore(self.part("postgres").id, file, quiet)
        finally:
            if stopped:
                self._compose("start", *WRITERS, title="starting the services", **environment)
        self.wait_until_healthy()

    def passthrough(self, *arguments: str) -> int:
        """Run a compose command on the user's terminal; its exit status."""
        environment = {**os.environ, **self._environment()}
        return subprocess.run(
            [*self._command(), *arguments], cwd=ROOT, env=environment, check=False
        ).returncode

    # --- helpers ----------------------------------------------------------------------------------

    def _command(self) -> list[str]:
        return [*compose_command(), "--project-name", self.name, "--file", "docker-compose.yml"]

    def _compose(self, *arguments: str, title: str, **environment: str) -> None:
        log = f"{self.name}-{arguments[0]}"
        run_logged(title, [*self._command(), *arguments], log, environment)

    def _environment(self) -> dict[str, str]:
        passwords = self.state.passwords() if self.state.env_file.exists() else {}
        return {
            **passwords,
            "ODDSOCKS_STACK": self.name,
            "ODDSOCKS_DEPLOY_STATE": str(self.state.directory),
            "ODDSOCKS_EDGE_BIND": _bracketed(self.bind),
            "ODDSOCKS_EDGE_PORT": str(self.port),
            "ODDSOCKS_FCM_MOUNTED": f"/run/secrets/{PUSH_FILE}"
            if self.state.calls_phones()
            else "",
        }

    def _check_port(self) -> None:
        if any(part.name == "edge" and part.state == "running" for part in self.parts()):
            return
        try:
            family = socket.AF_INET6 if ":" in self.bind else socket.AF_INET
            with socket.socket(family) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((self.bind, self.port))
        except OSError as error:
            raise DeployError(
                f"can't listen on {_bracketed(self.bind)}:{self.port} ({error.strerror}):"
                " choose another with ODDSOCKS_EDGE_BIND and ODDSOCKS_EDGE_PORT"
            ) from None

    def _check_volume(self) -> None:
        """A database that was made under passwords we no longer have would let nobody in."""
        if not self.state.env_file.exists() and labelled("volume", self.name):
            raise DeployError(
                f"there is a database but {self.state.env_file} with its passwords is gone:"
                " bring that file back, or remove the data with `make down VOLUMES=1`"
            )

    def _ensure_keys(self) -> None:
        """Have the services' own command make their keys; files that exist are kept."""
        if not self.state.has_keys():
            say("making the services' keys")
            made = docker(
                *("run", "--rm", "--label", f"{LABEL}={self.name}", "--network", "none"),
                *(f"{SERVICES_IMAGE}:{os.environ.get('ODDSOCKS_VERSION', 'latest')}", "sh", "-c"),
                # Through the output instead of a mount, whose owner the container's user is not.
                "python -m services.common.keys /tmp/keys"
                " && cd /tmp/keys && python -c '"
                "import json, pathlib, sys;"
                " json.dump({n: pathlib.Path(n).read_text() for n in sys.argv[1:]}, sys.stdout)'"
                f" {' '.join(KEY_FILES)}",
            )
            for name, text in json.loads(made).items():
                with (self.state.secrets / name).open("x") as out:
                    os.fchmod(out.fileno(), 0o600)
                    out.write(text)
        self.state.open_to_containers()

    def _complaint(self, part: Part) -> str:
        """What is wrong with a part; the lines before its last go to the user at once."""
        done = subprocess.run(
            ["docker", "logs", "--tail", "30", part.id], text=True, capture_output=True, check=False
        )
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        for line in lines[-15:-1]:
            say(f"  {line}")
        condition = part.state if part.state in _ENDED else part.health
        return f"{part.name} is {condition}; it last said: {lines[-1] if lines else 'nothing'}"


def _bracketed(host: str) -> str:
    """A host as it stands before `:port`: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def _lend_certificates() -> None:
    """Put this machine's certificate authorities where the build finds them, if it has any.

    A machine behind a proxy of its own trusts it; inside a container, pip has to be told.
    """
    copy = ROOT / "build" / "deploy" / "host-ca.crt"
    named = [os.environ[name] for name in _CERTIFICATES if os.environ.get(name)]
    for candidate in (*named, _DEBIAN_CERTIFICATES):
        if Path(candidate).is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            # With the times of the original, so that the builder's cache holds.
            shutil.copy2(candidate, copy)
            return
    copy.unlink(missing_ok=True)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; status 1 with one line on standard error if it can't be done."""
    parser = argparse.ArgumentParser(
        prog="python3 -m deploy.compose",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("up", help="build and start")
    down = commands.add_parser("down", help="stop and remove")
    down.add_argument("--volumes", action="store_true", help="and remove all data")
    commands.add_parser("ps", help="what runs")
    logs = commands.add_parser("logs", help="what it says")
    logs.add_argument("part", nargs="?", choices=PARTS)
    kill = commands.add_parser("kill", help="kill -9 a part")
    kill.add_argument("part", choices=PARTS)
    commands.add_parser("edge", help="where the running stack is")
    for name, about in (("backup", "copy all databases"), ("restore", "bring a copy back")):
        commands.add_parser(name, help=about).add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    try:
        return _run(options)
    except DeployError as error:
        say(f"oddsocks: {error}")
        return 1
    except KeyboardInterrupt:
        return 130


def _run(options: argparse.Namespace) -> int:
    stack = Stack.from_environment()
    match options.command:
        case "up":
            edge = stack.up()
            sys.stdout.write(f"Oddsocks is up: {edge.address}, authority {edge.ca_file}\n")
        case "down":
            stack.down(volumes=options.volumes)
        case "edge":
            sys.stdout.write(json.dumps(asdict(stack.state.edge())) + "\n")
        case "kill":
            require_engine()
            stack.kill(options.part)
        case "backup":
            require_engine()
            stack.back_up(options.file.expanduser().absolute())
            say(f"everything is in {options.file}; keep it to yourself")
        case "restore":
            require_engine()
            stack.restore(options.file.expanduser().absolute())
            say(f"{options.file} is back")
        case "ps":
            require_engine()
            return stack.passthrough("ps")
        case "logs":
            require_engine()
            return stack.passthrough(
                "logs", "--tail=200", *([options.part] if options.part else [])
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
