"""The frame itself: what a newcomer types first has to work, and to be written down."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.reports import ROOT

TARGETS = {
    *("setup", "run", "demo", "test", "test-long", "lint", "coverage-map", "proto", "pins", "up"),
    *("down", "chaos", "bench", "crosscheck", "mobile-stage", "clean"),
}


def make(*arguments: str) -> str:
    done = subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def test_make_alone_lists_every_target_on_a_line() -> None:
    listed = dict(line.split(maxsplit=1) for line in make().splitlines())
    assert set(listed) >= TARGETS
    assert all(len(line) <= 100 for line in make().splitlines())


def test_make_hands_its_variables_on() -> None:
    assert "--headless" in make("--dry-run", "run", "HEADLESS=1")
    assert "--headless" not in make("--dry-run", "run")
    assert '--format "json" --stack "compose"' in make(
        "--dry-run", "demo", "FORMAT=json", "STACK=compose"
    )
    assert '--part "redis" --stack "local"' in make("--dry-run", "chaos", "PART=redis")
    assert "--volumes" in make("--dry-run", "down", "VOLUMES=1")


def test_playing_asks_for_no_test_tools() -> None:
    for target in ("run", "demo", "chaos", "up", "down"):
        needs = re.findall(r"tools/setup\.sh (.*)", make("--dry-run", target))
        assert needs
        assert "dev" not in " ".join(needs).split()


def packages(name: str) -> set[str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return {found.lower() for found in re.findall(r"^([\w.-]+)==", text, re.M)}


IMPORT_EVERYTHING = """
import importlib, os, pkgutil, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.argv[1:]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

package = sys.argv.pop(1)
sys.meta_path.insert(0, Absent())
root = importlib.import_module(package)
for module in pkgutil.walk_packages(root.__path__, f"{package}."):
    if not module.name.endswith((".__main__", ".migrations.env")):
        importlib.import_module(module.name)
"""


@pytest.mark.parametrize("package", ["standalone", "rules", "matchmaking", "ai", "engine", "app"])
def test_playing_imports_no_test_tools(package: str, tmp_path: Path) -> None:
    """Every module of what `make run` starts is imported as if only run.txt were installed."""
    name = package if package == "app" else f"services.{package}"
    tools = packages("dev") - packages("run")
    modules = [
        module
        for module, owners in importlib.metadata.packages_distributions().items()
        if {owner.lower().replace("_", "-") for owner in owners} <= tools
    ]
    assert {"pytest", "ruff", "mypy"} <= set(modules)
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_EVERYTHING, name, *modules],
        env=os.environ
        | {"SDL_VIDEODRIVER": "offscreen", "KIVY_NO_ARGS": "1", "KIVY_HOME": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture
def bare_machine(tmp_path: Path) -> dict[str, str]:
    """An environment whose PATH holds nothing but the basic tools."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname", "uname", "grep", "id", "sed"):
        found = shutil.which(name)
        assert found
        (tools / name).symlink_to(found)
    return {"PATH": str(tools), "HOME": str(tmp_path)}


def setup(script: Path, machine: dict[str, str], *needs: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [script, *needs], env=machine, check=False, capture_output=True, text=True
    )


def test_all_that_is_missing_is_named_in_one_line(bare_machine: dict[str, str]) -> None:
    done = setup(ROOT / "tools/setup.sh", bare_machine, "redis", "openssl")
    assert done.returncode == 1
    assert done.stderr == (
        "oddsocks: missing: redis-server openssl "
        "(Debian: sudo apt-get install --no-install-recommends redis-server openssl)\n"
    )


def test_a_need_nobody_knows_is_refused(bare_machine: dict[str, str]) -> None:
    done = setup(ROOT / "tools/setup.sh", bare_machine, "gold")
    assert done.returncode == 1
    assert done.stderr == "oddsocks: tools/setup.sh knows no need 'gold'.\n"


def test_a_machine_without_a_fitting_python_is_told_so(
    bare_machine: dict[str, str], tmp_path: Path
) -> None:
    """In a copy, since the real one has its environment already."""
    copy = tmp_path / "copy" / "tools"
    copy.mkdir(parents=True)
    shutil.copy(ROOT / "tools/setup.sh", copy)
    too_old = Path(bare_machine["PATH"], "python3")
    too_old.write_text("#!/usr/bin/env bash\nexit 1\n")
    too_old.chmod(0o755)
    done = setup(copy / "setup.sh", bare_machine, "run")
    assert done.returncode == 1
    assert done.stderr == ("oddsocks: missing: Python 3.11, 3.12 or 3.13, with its venv module.\n")


def test_everything_executable_says_how_it_is_run() -> None:
    for script in (ROOT / "tools/setup.sh", ROOT / "tools/pins.sh", ROOT / ".ci/run"):
        assert os.access(script, os.X_OK)
        assert script.read_text().startswith("#!/usr/bin/env bash\n#")
