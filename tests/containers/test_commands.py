"""deploy/compose.py where things are not as it needs them, and what it keeps between runs."""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtensionOID

from deploy.compose import Stack
from deploy.engine import ROOT, DeployError, compose_command, docker, labelled, remove_labelled
from deploy.state import State
from tests.fixtures.containers import own_stack

Install = Callable[..., None]
Compose = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Give the PATH nothing but programs that succeed only when called with these words."""
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))

    def put(program: str, *words: str) -> None:
        script = programs / program
        script.write_text(f'#!/bin/sh\ncase "$*" in "{" ".join(words)}"*) exit 0;; esac\nexit 1\n')
        script.chmod(0o755)

    return put


@pytest.mark.field(40)
def test_the_plugin_alone_is_used(install: Install) -> None:
    install("docker", "compose")
    assert compose_command() == ["docker", "compose"]


@pytest.mark.field(40)
def test_the_older_program_alone_is_used(install: Install) -> None:
    install("docker", "ps")
    install("docker-compose", "version")
    assert compose_command() == ["docker-compose"]


@pytest.mark.field(40)
def test_of_both_the_plugin_is_used(install: Install) -> None:
    install("docker", "compose")
    install("docker-compose", "version")
    assert compose_command() == ["docker", "compose"]


@pytest.mark.field(40)
def test_without_either_it_says_so(install: Install) -> None:
    install("docker", "ps")
    with pytest.raises(DeployError, match=r"neither `docker compose` nor `docker-compose`"):
        compose_command()


@pytest.fixture
def compose(tmp_path: Path) -> Compose:
    """Run deploy/compose.py on a stack that nobody else uses."""
    variables = {"ODDSOCKS_STACK": own_stack("-none"), "ODDSOCKS_DEPLOY_STATE": str(tmp_path / "s")}

    def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(ROOT / "deploy" / "compose.py"), *arguments],
            env={**os.environ, **variables, **more},
            text=True,
            capture_output=True,
            check=False,
        )

    return run


def assert_one_line(ended: subprocess.CompletedProcess[str], *parts: str) -> None:
    """It failed with exactly one line that holds all of `parts`."""
    assert ended.returncode == 1
    assert ended.stdout == ""
    [line] = ended.stderr.splitlines()
    assert all(part in line for part in ("oddsocks: ", *parts)), line


def test_no_engine_is_said_in_one_line(compose: Compose) -> None:
    ended = compose("up", DOCKER_HOST="tcp://127.0.0.1:1")
    assert_one_line(ended, "no container engine answers", "tools/setup.sh engine")


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", ""])
def test_a_bad_port_is_said_in_one_line(compose: Compose, port: str) -> None:
    assert_one_line(compose("up", ODDSOCKS_EDGE_PORT=port), "ODDSOCKS_EDGE_PORT")


def test_a_taken_port_is_said_in_one_line(engine: None, compose: Compose) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        ended = compose("up", ODDSOCKS_EDGE_PORT=port)
    assert_one_line(ended, f"127.0.0.1:{port}", "ODDSOCKS_EDGE_PORT")


@pytest.fixture
def volume(engine: None) -> Iterator[None]:
    """Data of a stack whose passwords are gone."""
    stack = own_stack("-none")
    docker("volume", "create", "--label", f"oddsocks={stack}", f"{stack}_postgres")
    yield
    remove_labelled(stack, volumes=True)


def test_data_without_its_passwords_is_left_alone(volume: None, compose: Compose) -> None:
    assert_one_line(compose("up"), "stack.env", "make down VOLUMES=1")
    assert len(labelled("volume", own_stack("-none"))) == 1
    assert compose("down").returncode == 0
    assert len(labelled("volume", own_stack("-none"))) == 1
    assert compose("down", "--volumes").returncode == 0
    assert labelled("volume", own_stack("-none")) == []


def credentials_as_composed(state: State) -> list[str]:
    """Which files with credentials services are told of, without starting anything."""
    done = subprocess.run(
        [*compose_command(), "--file", str(ROOT / "docker-compose.yml"), "config"],
        env={**os.environ, **Stack("oddsocks", state, "127.0.0.1", 8443)._environment()},
        text=True,
        capture_output=True,
        check=True,
    )
    assert done.stdout.count(str(state.secrets / "fcm.json")) == 1
    found = re.findall(r"ODDSOCKS_FCM_CREDENTIALS_FILE: *(.*)", done.stdout)
    return [value.strip("'\"") for value in found]


def test_the_file_that_calls_phones_is_mounted_where_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, variable = State(tmp_path / "state"), "ODDSOCKS_FCM_CREDENTIALS_FILE"
    mine = tmp_path / "firebase.json"
    mine.write_text('{"project_id": "mine"}')
    monkeypatch.setenv(variable, str(mine))
    state.prepare()
    assert (state.secrets / "fcm.json").read_text() == mine.read_text()
    assert credentials_as_composed(state) == ["/run/secrets/fcm.json"], "matchmaking only"
    monkeypatch.delenv(variable)
    state.prepare()
    assert (state.secrets / "fcm.json").read_text() == ""
    assert credentials_as_composed(state) == [""]
    mine.write_text("not JSON")
    for wrong in (mine, tmp_path / "nowhere.json", tmp_path):
        monkeypatch.setenv(variable, str(wrong))
        with pytest.raises(DeployError, match=rf"{wrong}.*{variable}"):
            state.prepare()


def test_commands_for_a_stack_that_is_not_up_say_so(engine: None, compose: Compose) -> None:
    assert_one_line(compose("edge"), "make up")
    assert_one_line(compose("kill", "rules"), "rules", "make up")


def test_a_state_directory_that_can_not_be_made_is_said_in_one_line(
    engine: None, compose: Compose, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    ended = compose("up", ODDSOCKS_DEPLOY_STATE=str(tmp_path / "file" / "state"))
    assert_one_line(ended, str(tmp_path / "file"), "ODDSOCKS_DEPLOY_STATE")


def test_secrets_are_made_once_and_for_their_owner_only(tmp_path: Path) -> None:
    state = State(tmp_path / "state")
    state.prepare()
    made = {path: path.read_bytes() for path in state.directory.rglob("*") if path.is_file()}
    assert stat.S_IMODE(state.directory.stat().st_mode) == 0o700
    assert len(set(state.passwords().values())) == 5
    state.prepare()
    assert {path: path.read_bytes() for path in made} == made


def test_the_certificate_is_for_this_machine_and_follows_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = State(tmp_path)
    state.prepare()
    authority, first = state.ca.read_bytes(), names(tmp_path)
    assert first == {"localhost", "127.0.0.1", "::1"}
    monkeypatch.setenv("ODDSOCKS_EDGE_HOSTS", "play.example, 192.0.2.7")
    state.prepare()
    assert names(tmp_path) == first | {"play.example", "192.0.2.7"}
    assert state.ca.read_bytes() == authority, "apps that trust it go on doing so"


def names(directory: Path) -> set[str]:
    """Whom the edge's certificate is for; checks that the authority has signed it."""
    certificate = x509.load_pem_x509_certificate((directory / "secrets/edge.crt").read_bytes())
    authority = x509.load_pem_x509_certificate((directory / "ca.crt").read_bytes())
    certificate.verify_directly_issued_by(authority)
    extension = certificate.extensions.get_extension_for_oid(
        ExtensionOID.SUBJECT_ALTERNATIVE_NAME
    ).value
    assert isinstance(extension, x509.SubjectAlternativeName)
    hosts = extension.get_values_for_type(x509.DNSName)
    return {*hosts, *(str(ip) for ip in extension.get_values_for_type(x509.IPAddress))}
