"""Put together what a phone gets, the way python-for-android will see it.

    python mobile/stage.py

`build/mobile/` is the folder that buildozer packs: the app, the engine, the shared rooms wire
and advice, and the messages and grpclib stubs, flat. `build/mobile-site/` holds the packages that
python-for-android would install beside it: the pinned ones of mobile/requirements.txt, as wheels
for Android. Needs no package but pip; writes build/reports/mobile-stage.json.
"""

from __future__ import annotations

import compileall
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.reports import Check, Report  # noqa: E402  # the path has to be right first

STAGE = ROOT / "build" / "mobile"
SITE = ROOT / "build" / "mobile-site"
LOCK = ROOT / "mobile" / "requirements.txt"

PACKAGES = (
    "certifi",
    "googleapis-common-protos",
    "grpclib",
    "h2",
    "hpack",
    "hyperframe",
    "multidict",
    "plyer",
    "protobuf",
    "segno",
)
"""What pip installs on a phone. Kivy is not among them: python-for-android builds it itself."""

ANDROID_TAGS = (
    "--platform=android_24_arm64_v8a",
    "--python-version=3.14.2",
    "--implementation=cp",
    "--only-binary=:all:",
)
"""python-for-android 2026.5.9 brings Python 3.14.2; 24 is the lowest Android API it supports."""

COMPILED = frozenset({".so", ".pyd", ".dylib", ".a", ".o"})


def stage(target: Path = STAGE) -> Path:
    """Copy what the phone needs into `target`, which is made anew."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    shutil.copy2(ROOT / "mobile" / "main.py", target)
    for name in ("buildozer.spec", "intent_filters.xml"):
        shutil.copy2(ROOT / "mobile" / name, target)
    _copy(ROOT / "mobile" / "app", target / "app")
    _make_sounds(target / "app" / "assets" / "sounds")
    _write_words(target / "res")
    (target / "services").mkdir()
    shutil.copy2(ROOT / "services" / "__init__.py", target / "services")
    for room in ("engine", "wire", "advice"):
        _copy(ROOT / "services" / room, target / "services" / room)
    _copy(ROOT / "proto" / "gen" / "oddsocks", target / "oddsocks")
    return target


def _make_sounds(folder: Path) -> None:
    sys.path.insert(0, str(ROOT / "mobile"))
    from app.sound import synth

    synth.write(folder)


def _write_words(folder: Path) -> None:
    """What a server's call says, where Android looks for it in each language while the app is
    closed. Values that a Firebase project brings lie in mobile/res, if there are any."""
    from app.i18n import LANGUAGES, SOURCE, language, use_language
    from app.model.push_words import push_words

    before = language()
    for name in LANGUAGES:
        use_language(name)
        values = folder / ("values" if name == SOURCE else f"values-{name}")
        values.mkdir(parents=True)
        lines = [
            f'    <string name="{key}">{_in_xml(text)}</string>'
            for key, text in push_words().items()
        ]
        text = "\n".join(["<resources>", *lines, "</resources>", ""])
        (values / "push.xml").write_text(text, "utf-8")
    use_language(before)
    if (ROOT / "mobile" / "res").is_dir():
        shutil.copytree(ROOT / "mobile" / "res", folder, dirs_exist_ok=True)


def _in_xml(text: str) -> str:
    """As Android's resources want it: quoted, so that an apostrophe is one."""
    return '"' + escape(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def _copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=_not_for_phones)


def _not_for_phones(_folder: str, names: list[str]) -> Iterable[str]:
    """No stubs of grpcio, which phones don't have, nothing that only tools read, and no sounds,
    which are made anew."""
    return [
        name
        for name in names
        if name == "__pycache__"
        or name.endswith(("_pb2_grpc.py", "_pb2_grpc.pyi", ".pyi", ".pyc", ".po", ".wav"))
        or Path(name).suffix in COMPILED
    ]


def pinned(lock: Path = LOCK) -> str:
    """The part of the lock file that pip installs on a phone, hashes included."""
    blocks = re.split(r"\n(?=\S)", lock.read_text("utf-8"))
    wanted = [block for block in blocks if re.split(r"[=\s]", block)[0] in PACKAGES]
    return "\n".join(wanted) + "\n"


def install_site(target: Path = SITE) -> Path:
    """Install the phone's packages into `target`; raises `CalledProcessError` when pip fails."""
    pins = target.with_suffix(".txt")
    text = pinned()
    if target.is_dir() and pins.is_file() and pins.read_text("utf-8") == text:
        return target
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    wanted = target.with_suffix(".in")
    wanted.write_text(text, "utf-8")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-compile", "--require-hashes", "--no-deps", "--target", str(target)]
    subprocess.run([*command, *ANDROID_TAGS, "-r", str(wanted)], check=True)
    wanted.rename(pins)  # Only now is the folder whole.
    return target


def compiled_parts(*folders: Path) -> list[Path]:
    """Files under `folders` that a phone could not run as they are."""
    return [path for folder in folders for path in folder.rglob("*") if path.suffix in COMPILED]


def main() -> int:
    """Stage, look at the result, write the report."""
    report = Report("mobile-stage")
    stage()
    sys.stdout.write(f"{STAGE.relative_to(ROOT)}: what buildozer packs\n")
    try:
        install_site()
    except subprocess.CalledProcessError:
        sys.stderr.write("pip could not get the phone's packages: is there a network?\n")
        report.add(Check("packages", "failed", None, None))
        report.write()
        return 1
    sys.stdout.write(f"{SITE.relative_to(ROOT)}: the packages installed beside it\n")
    report.equals("packages", len(list(SITE.glob("*.dist-info"))), len(PACKAGES))
    report.equals("compiled_parts", len(compiled_parts(STAGE, SITE)), 0)
    whole = all(compileall.compile_dir(folder, quiet=1, force=True) for folder in (STAGE, SITE))
    report.equals("compiles", int(whole), 1)
    size = sum(path.stat().st_size for path in STAGE.rglob("*") if path.suffix != ".pyc")
    report.measured("app_size", round(size / 2**20, 2), "MiB")
    return report.write()


if __name__ == "__main__":
    sys.exit(main())
