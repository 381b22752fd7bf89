"""`make apk` says in one line why it can't; where it can, it hands over what buildozer made."""

from __future__ import annotations

import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from buildozer import Buildozer

import stage
from tests.fixtures.local import free_port
from tools import apk
from tools.reports import ROOT


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with all programs that are called; none of them does anything."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in apk.PROGRAMS:
        (folder / name).touch(0o755)
    return folder


def tried(home: Path, path: str, *, proxy: str = "") -> subprocess.CompletedProcess[str]:
    """The command on a machine whose home is empty and whose programs lie in `path`."""
    environment = {
        "HOME": str(home),
        "PATH": path,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "https_proxy": proxy,
    }
    return subprocess.run(
        [sys.executable, "-m", "tools.apk"],
        env=environment,
        cwd=ROOT,
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
    )


def test_what_is_missing_is_said_in_one_line(tmp_path: Path) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    done = tried(tmp_path, str(tmp_path), proxy=nowhere)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("oddsocks: no APK can be built here, missing: ")
    for words in ("a JDK, version 17 (javac, keytool)", "git", "cmake", "the Android SDK"):
        assert words in line


def test_without_a_way_to_the_sdk_that_is_all_that_is_missing(
    tmp_path: Path, programs: Path
) -> None:
    done = tried(tmp_path, str(programs), proxy=f"http://127.0.0.1:{free_port()}")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.partition("missing: ")[2].startswith("the Android SDK, which can't be downloaded")
    assert ";" not in line


class Shop(http.server.BaseHTTPRequestHandler):
    """Has whatever is asked for."""

    def do_HEAD(self) -> None:  # the name that the library calls
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def shop() -> Iterator[str]:
    """A server that could be where the SDK comes from."""
    with http.server.HTTPServer(("127.0.0.1", 0), Shop) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/sdk.zip"
        server.shutdown()
        thread.join()


BUILDOZER = """
import pathlib, sys
assert sys.argv[1:] == ["android", "debug"], sys.argv
assert pathlib.Path("buildozer.spec").is_file() and pathlib.Path("app/shell.py").is_file()
if pathlib.Path("main.py").is_file() and {works}:
    pathlib.Path("bin").mkdir()
    pathlib.Path("bin/oddsocks.apk").touch()
else:
    sys.exit(3)
"""


@pytest.mark.parametrize("works", [True, False])
def test_where_nothing_is_missing_buildozer_packs_the_staged_folder(
    works: bool,
    tmp_path: Path,
    programs: Path,
    shop: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "buildozer.py").write_text(BUILDOZER.format(works=works))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setattr(apk, "SDK", shop)
    monkeypatch.setattr(apk, "SDK_FOLDER", tmp_path / "none")
    staged, make = tmp_path / "mobile", stage.stage
    monkeypatch.setattr(stage, "stage", lambda: make(staged))
    assert apk.main() == (0 if works else 1)
    out, err = capfd.readouterr()
    if works:
        assert out == f"{staged / 'bin' / 'oddsocks.apk'}\n"
    else:
        assert err == "oddsocks: buildozer failed with status 3, see above\n"


def test_what_is_built_with_is_what_the_checks_used() -> None:
    spec = Buildozer(str(ROOT / "mobile" / "buildozer.spec"), "android")
    year, month, day = version("python-for-android").split(".")
    assert spec.config.get("app", "p4a.branch") == f"v{year}.{int(month):02}.{int(day):02}"
