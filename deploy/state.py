"""What a stack of containers keeps on this machine between runs: its secrets and its address.

The directory is $ODDSOCKS_DEPLOY_STATE, by default `deploy` beside what `make run` keeps. It lives
outside the working copy, as the volumes do that its passwords open. Only its owner may enter it,
so the files below may be readable to all: containers read them under other user ids.

    stack.env      passwords, in the form compose reads
    secrets/       what is mounted into containers, each file into those that need it
    ca.crt         the authority that apps have to trust
    ca.key         never leaves this directory
    edge.json      {"address": "HOST:PORT", "ca_file": PATH} while the stack is up
"""

from __future__ import annotations

import ipaddress
import json
import os
import secrets
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from deploy.engine import DeployError, say

VARIABLE = "ODDSOCKS_DEPLOY_STATE"
HOSTS_VARIABLE = "ODDSOCKS_EDGE_HOSTS"
PUSH_VARIABLE = "ODDSOCKS_FCM_CREDENTIALS_FILE"
PUSH_FILE = "fcm.json"

PASSWORDS = (
    "ODDSOCKS_DB_PASSWORD_ADMIN",
    "ODDSOCKS_DB_PASSWORD_MATCHMAKING",
    "ODDSOCKS_DB_PASSWORD_RULES",
    "ODDSOCKS_DB_PASSWORD_AI",
    "ODDSOCKS_REDIS_PASSWORD",
)
KEY_FILES = ("signing.json", "verify.json", "service.secret")

_CA_DAYS = 3650
_EDGE_DAYS = 397
_RENEW_SECONDS = 30 * 24 * 3600
_ALWAYS = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Edge:
    """Where a running stack is reached (`host:port`) and the authority of its certificate."""

    address: str
    ca_file: str


def default_directory() -> Path:
    """Where the state is kept unless told otherwise."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "oddsocks" / "deploy"
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "oddsocks" / "deploy"


class State:
    """One state directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.secrets = directory / "secrets"
        self.env_file = directory / "stack.env"
        self.ca = directory / "ca.crt"
        self._ca_key = directory / "ca.key"
        self._edge_file = directory / "edge.json"

    def prepare(self) -> None:
        """Make what is missing: directory, passwords, authority, the edge's certificate."""
        try:
            self.secrets.mkdir(parents=True, exist_ok=True)
            self.directory.chmod(0o700)
            if not self.env_file.exists():
                lines = [f"{name}={secrets.token_hex(24)}\n" for name in PASSWORDS]
                _write(self.env_file, "".join(lines), 0o600)
        except OSError as error:
            raise DeployError(f"{error}; or choose another directory with {VARIABLE}") from None
        self._ensure_authority()
        self._ensure_certificate(_hosts())
        self._copy_push_credentials(os.environ.get(PUSH_VARIABLE, ""))

    def calls_phones(self) -> bool:
        """Whether there are credentials to call phones with."""
        file = self.secrets / PUSH_FILE
        return file.exists() and file.stat().st_size > 0

    def passwords(self) -> dict[str, str]:
        """The variables of stack.env; DeployError names what is missing from it."""
        lines = self.env_file.read_text().splitlines()
        found = dict(line.split("=", 1) for line in lines if "=" in line)
        if missing := [name for name in PASSWORDS if not found.get(name)]:
            raise DeployError(f"{self.env_file} lacks {', '.join(missing)}")
        return found

    def has_keys(self) -> bool:
        """Whether the services' keys were made already."""
        return all((self.secrets / name).exists() for name in KEY_FILES)

    def open_to_containers(self) -> None:
        """Let the containers' users read what is mounted into them."""
        for file in self.secrets.iterdir():
            file.chmod(0o444)

    def publish(self, edge: Edge) -> None:
        """Tell other commands where the running stack is."""
        _write(self._edge_file, json.dumps(asdict(edge)) + "\n", 0o600)

    def forget_edge(self) -> None:
        """The stack is down."""
        self._edge_file.unlink(missing_ok=True)

    def edge(self) -> Edge:
        """Where the running stack is; DeployError if none was started."""
        try:
            return Edge(**json.loads(self._edge_file.read_text()))
        except FileNotFoundError:
            raise DeployError("the stack is not up: start it with `make up`") from None

    def _copy_push_credentials(self, chosen: str) -> None:
        """What calls phones, where containers find it.

        An empty file where nothing was chosen: compose mounts it in any case.
        """
        text = ""
        if chosen:
            file = Path(chosen).expanduser()
            try:
                text = file.read_text()
                json.loads(text)
            except (OSError, ValueError) as error:
                problem = error if isinstance(error, OSError) else f"{file} is no JSON file"
                raise DeployError(f"{problem}; check {PUSH_VARIABLE}") from None
        _write(self.secrets / PUSH_FILE, text, 0o600)

    def _ensure_authority(self) -> None:
        if self.ca.exists() and self._ca_key.exists():
            return
        say(f"making a certificate authority: {self.ca}")
        _make_key(self._ca_key)
        _openssl(
            *("req", "-x509", "-new", "-key", str(self._ca_key), "-days", str(_CA_DAYS)),
            *("-subj", "/O=Oddsocks/CN=Oddsocks of this machine", "-out", str(self.ca)),
            *("-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        )

    def _ensure_certificate(self, hosts: tuple[str, ...]) -> None:
        """A certificate for the edge, made again when it ends soon or the host names change."""
        certificate, key = self.secrets / "edge.crt", self.secrets / "edge.key"
        names = ",".join(f"{_kind(host)}:{host}" for host in hosts)
        made_for = self.directory / "edge.hosts"
        if certificate.exists() and made_for.exists() and made_for.read_text() == names:
            lasts = ("x509", "-in", str(certificate), "-noout", "-checkend", str(_RENEW_SECONDS))
            if _openssl(*lasts, check=False):
                return
        say(f"making the edge's certificate for {', '.join(hosts)}")
        _make_key(key)
        request, extensions = self.directory / "edge.csr", self.directory / "edge.ext"
        _write(
            extensions,
            f"subjectAltName={names}\nbasicConstraints=critical,CA:FALSE\n"
            "keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n",
            0o600,
        )
        subject = ("-subj", "/O=Oddsocks/CN=Oddsocks edge")
        _openssl("req", "-new", "-key", str(key), *subject, "-out", str(request))
        certificate.unlink(missing_ok=True)
        _openssl(
            *("x509", "-req", "-in", str(request), "-CA", str(self.ca), "-CAkey"),
            *(str(self._ca_key), "-set_serial", f"0x{secrets.token_hex(16)}"),
            *("-days", str(_EDGE_DAYS), "-extfile", str(extensions), "-out", str(certificate)),
        )
        request.unlink()
        extensions.unlink()
        _write(made_for, names, 0o600)


def _hosts() -> tuple[str, ...]:
    """The names and addresses under which the edge is reached: ours and ODDSOCKS_EDGE_HOSTS."""
    more = os.environ.get(HOSTS_VARIABLE, "").replace(",", " ").split()
    return tuple(dict.fromkeys([*_ALWAYS, *more]))


def _kind(host: str) -> str:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "DNS"
    return "IP"


def _make_key(path: Path) -> None:
    path.unlink(missing_ok=True)
    _write(path, _openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout"), 0o600)


def _openssl(*arguments: str, check: bool = True) -> str:
    """The output of one openssl command; without `check`, empty if it fails."""
    try:
        done = subprocess.run(["openssl", *arguments], text=True, capture_output=True, check=False)
    except FileNotFoundError:
        raise DeployError("openssl is not installed: tools/setup.sh openssl") from None
    if done.returncode != 0:
        if not check:
            return ""
        raise DeployError(f"openssl {arguments[0]}: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout or "done"


def _write(path: Path, text: str, mode: int) -> None:
    """Write a file in one step, so that nobody ever reads half of it, with no wider mode."""
    part = path.with_name(f".{path.name}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w") as out:
        out.write(text)
    part.replace(path)
