"""Build the app for Android: `python -m tools.apk`.

Puts together what the phone gets (`mobile/stage.py`) and lets buildozer pack it, which fetches the
Android SDK and NDK by itself. Where that can't succeed it says so in one line, before anything is
done, with exit status 1. Not tried to the end yet: see docs/phone-build.md.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from buildozer.targets.android import DEFAULT_SDK_TAG

from tools.reports import ROOT

sys.path.insert(0, str(ROOT / "mobile"))

import stage  # the path has to be right first

PROGRAMS = {
    "javac": "a JDK, version 17",
    "keytool": "a JDK, version 17",
    "git": "git",
    "unzip": "unzip",
    "zip": "zip",
    "cc": "a C compiler",
    "autoconf": "autoconf",
    "automake": "automake",
    "libtoolize": "libtool",
    "pkg-config": "pkg-config",
    "cmake": "cmake",
}
"""What buildozer and python-for-android call, and where it comes from."""

SDK = (
    f"https://dl.google.com/android/repository/commandlinetools-linux-{DEFAULT_SDK_TAG}_latest.zip"
)
"""What buildozer fetches first."""
SDK_FOLDER = Path.home() / ".buildozer" / "android" / "platform" / "android-sdk"
"""Where buildozer keeps it."""
ANSWER_S = 20


def missing() -> Iterator[str]:
    """What an APK can't be built without and is not here, in words."""
    absent = {name: where for name, where in PROGRAMS.items() if shutil.which(name) is None}
    for where in dict.fromkeys(absent.values()):
        names = ", ".join(name for name in absent if absent[name] == where)
        yield where if names == where else f"{where} ({names})"
    if not SDK_FOLDER.is_dir() and (trouble := unreachable()):
        yield f"the Android SDK, which can't be downloaded here ({trouble})"


def unreachable() -> str:
    """Why the Android SDK can't be downloaded; empty if it can."""
    request = urllib.request.Request(SDK, method="HEAD")
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_S):
            return ""
    except OSError as error:
        return " ".join(str(getattr(error, "reason", error)).split())


def build() -> Path:
    """Build the APK; returns it. Raises `CalledProcessError` with buildozer's exit status."""
    folder = stage.stage()
    environment = dict(os.environ, VIRTUAL_ENV=sys.prefix)
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [sys.executable, "-m", "buildozer", "android", "debug"]
    subprocess.run(command, cwd=folder, env=environment, check=True)
    return max((folder / "bin").glob("*.apk"), key=lambda path: path.stat().st_mtime)


def main() -> int:
    """The program."""
    if absent := list(missing()):
        sys.stderr.write(f"oddsocks: no APK can be built here, missing: {'; '.join(absent)}\n")
        return 1
    try:
        apk = build()
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"oddsocks: buildozer failed with status {error.returncode}, see above\n")
        return 1
    sys.stdout.write(f"{apk}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
