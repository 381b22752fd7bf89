"""The images everything is built on: the public ones, or stand-ins made here.

Each image's name is a variable (ODDSOCKS_PYTHON_IMAGE, …) whose default is the public image.
Where no image registry can be reached, a Debian base is made with debootstrap and the other
stand-ins from Debian's own packages on top of it. A stand-in is made once and then reused.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from deploy.engine import (
    ROOT,
    DeployError,
    alone,
    builder_environment,
    image_exists,
    provide,
    require_engine,
    run_logged,
    say,
)

SILENCE_SECONDS = 20.0
"""How long a pull may say nothing before the registry counts as unreachable."""

_BASE_PACKAGES = "python3,python3-venv,ca-certificates"
_SUITE = "bookworm"


@dataclass(frozen=True)
class BaseImage:
    """An image we build on: the role it plays and the names it goes by."""

    role: str
    public: str

    @property
    def variable(self) -> str:
        """The environment variable that names another image for this role."""
        return f"ODDSOCKS_{self.role.upper()}_IMAGE"

    @property
    def stand_in(self) -> str:
        """What we call our own."""
        return f"oddsocks/{self.role}:{_SUITE}"


PYTHON = BaseImage("python", "python:3.11-slim-bookworm")
REDIS = BaseImage("redis", "redis:7.2-bookworm")
POSTGRES = BaseImage("postgres", "postgres:15-bookworm")
NGINX = BaseImage("nginx", "nginx:1.26-bookworm")
ALL = (PYTHON, REDIS, POSTGRES, NGINX)


def resolve(*wanted: BaseImage) -> dict[str, str]:
    """Variable to name of an image that the engine has, for each wanted role (default: all).

    An image named by the environment is taken as it is. Otherwise the public image is used if it
    is there or can be pulled, else the stand-in.
    """
    names: dict[str, str] = {}
    missing: list[BaseImage] = []
    for image in wanted or ALL:
        if chosen := os.environ.get(image.variable):
            names[image.variable] = chosen
        elif here := next(filter(image_exists, (image.public, image.stand_in)), None):
            names[image.variable] = here
        # Once the registry has not answered, there is no use in asking for the next image.
        elif not missing and _pull(image.public):
            names[image.variable] = image.public
        else:
            missing.append(image)
            names[image.variable] = image.stand_in
    if missing:
        say("no image registry can be reached: making stand-ins from Debian's packages")
        with alone():
            _make_stand_ins(missing)
    return names


def _make_stand_ins(wanted: Sequence[BaseImage]) -> None:
    """Make stand-ins: the base below them first, then the others two at a time."""
    _make_stand_in(PYTHON)
    with ThreadPoolExecutor(2) as pool:
        for _ in pool.map(_make_stand_in, [image for image in wanted if image is not PYTHON]):
            pass


def _make_stand_in(image: BaseImage) -> None:
    """Make the stand-in of one image unless it exists. All but PYTHON are built on PYTHON's."""
    if image_exists(image.stand_in):
        return
    if image is PYTHON:
        _make_base(image.stand_in)
        return
    folder = ROOT / "deploy" / "base" / image.role
    run_logged(
        f"building {image.stand_in}",
        [
            *("docker", "build", "--tag", image.stand_in),
            *("--build-arg", f"BASE_IMAGE={PYTHON.stand_in}", str(folder)),
        ],
        f"image-{image.role}",
        builder_environment(),
    )


def _make_base(name: str) -> None:
    """Debian with Python, as an image. Takes about a minute, and root for debootstrap."""
    if os.geteuid() != 0:
        raise DeployError(
            "no image registry can be reached, and making a base image takes root: "
            f"run this once as root, or set {PYTHON.variable}"
        )
    if shutil.which("debootstrap") is None:
        provide("debootstrap")
    # Packages that were fetched stay here, so an interrupted run goes on where it was.
    packages = ROOT / "build" / "deploy" / "debs"
    packages.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="oddsocks-base-") as scratch:
        root = Path(scratch) / "root"
        run_logged(
            f"making {name} with debootstrap, about a minute",
            [
                *("debootstrap", "--variant=minbase", f"--include={_BASE_PACKAGES}"),
                *(f"--cache-dir={packages}", _SUITE, str(root)),
            ],
            "image-python",
        )
        _settle(root)
        _import(root, name)


def _settle(root: Path) -> None:
    """Point apt at the security updates, and have neither it nor dpkg keep what nobody reads."""
    # debootstrap has written the line of the mirror it used.
    mirror = (root / "etc/apt/sources.list").read_text().split()[1].rstrip("/")
    files = {
        "etc/apt/sources.list": [
            f"deb {mirror} {_SUITE} main",
            f"deb {mirror} {_SUITE}-updates main",
            f"deb {mirror}-security {_SUITE}-security main",
        ],
        "etc/apt/apt.conf.d/oddsocks": [
            'APT::Install-Recommends "false";',
            'Dir::Cache::pkgcache "";',
            'Dir::Cache::srcpkgcache "";',
        ],
        "etc/dpkg/dpkg.cfg.d/oddsocks": [
            *(f"path-exclude /usr/share/{name}/*" for name in ("doc", "info", "locale", "man")),
            "path-include /usr/share/doc/*/copyright",
        ],
    }
    for name, lines in files.items():
        (root / name).write_text("\n".join(lines) + "\n")


def _import(root: Path, name: str) -> None:
    say(f"importing {name}")
    changes = ['CMD ["python3"]', "ENV LANG=C.UTF-8", "ENV DEBIAN_FRONTEND=noninteractive"]
    leave_out = ["./var/cache/apt/archives/*.deb", "./var/lib/apt/lists/*", "./proc/*", "./sys/*"]
    tar = subprocess.Popen(
        ["tar", "-C", str(root), *(f"--exclude={path}" for path in leave_out), "-c", "."],
        stdout=subprocess.PIPE,
    )
    imported = subprocess.run(
        ["docker", "import", *(word for c in changes for word in ("--change", c)), "-", name],
        stdin=tar.stdout,
        capture_output=True,
        text=True,
        check=False,
    )
    if tar.stdout is not None:
        tar.stdout.close()  # else tar would wait for a reader if the import has failed
    if tar.wait() != 0 or imported.returncode != 0:
        raise DeployError(f"importing {name} failed: {imported.stderr.strip() or 'tar failed'}")


def _pull(name: str) -> bool:
    """Whether the public image could be pulled, telling how far it is while it goes on."""
    say(f"pulling {name} …")
    pull = subprocess.Popen(
        ["docker", "pull", name], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    # The first line comes once the registry has answered; a black hole would hold us for minutes.
    silence = threading.Timer(SILENCE_SECONDS, pull.terminate)
    silence.start()
    with pull:
        assert pull.stdout is not None
        for line in pull.stdout:
            silence.cancel()
            say(f"  {line.rstrip()}")
    silence.cancel()
    return pull.returncode == 0


def main() -> int:
    """Provide all base images and print their names; status 1 with one line if that fails."""
    try:
        require_engine()
        for variable, name in resolve().items():
            sys.stdout.write(f"{variable}={name}\n")
    except DeployError as error:
        say(f"oddsocks: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
