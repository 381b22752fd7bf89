"""Generates proto/gen and guards the contracts.

    python -m tools.proto generate [--accept-breaking]
    python -m tools.proto check

`proto/baseline.binpb` is the contract as it was accepted last (a compiled image without comments).
`generate` moves it along with every compatible change and refuses an incompatible one, unless told
to accept it; so a change that breaks clients always shows in a commit, as a decision. Once there is
a release (a tag v*), its contract holds for good: that is compared as well.
"""

from __future__ import annotations

import argparse
import filecmp
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.reports import ROOT

PROTO = ROOT / "proto"
GENERATED = PROTO / "gen"
BASELINE = PROTO / "baseline.binpb"
BIN = Path(sys.executable).parent
STUBS_OF_SERVICES = ("_grpc.py", "_pb2_grpc.py", "_pb2_grpc.pyi")


class Broken(Exception):
    """What is wrong with the contracts, in words for the one who changed them."""


def sources() -> list[Path]:
    """All .proto files, relative to proto/."""
    return sorted(path.relative_to(PROTO) for path in PROTO.glob("oddsocks/**/*.proto"))


def generate(target: Path) -> None:
    """Write the messages and the stubs for grpcio (servers) and grpclib (app) below `target`.

    The compiler is the one in grpcio-tools: its pin keeps the generated code no newer than the
    oldest protobuf runtime that any of the lock files brings.
    """
    outputs = ["python", "mypy", "grpc_python", "mypy_grpc", "grpclib_python"]
    _run(
        [
            sys.executable,
            *("-m", "grpc_tools.protoc", f"--proto_path={PROTO}"),
            *(f"--plugin={BIN / name}" for name in _plugins()),
            *(f"--{output}_out={target}" for output in outputs),
            *map(str, sources()),
        ]
    )
    for source in sources():
        if not _has_service(source):
            for ending in STUBS_OF_SERVICES:
                (target / source.parent / (source.stem + ending)).unlink()


def check_generated() -> None:
    """Raise `Broken` unless proto/gen is what `generate` makes of the sources."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        expected, found = _files(fresh), _files(GENERATED)
        stale = [name for name in expected & found if not _same(fresh / name, GENERATED / name)]
        wrong = sorted(str(name) for name in {*stale, *(expected ^ found)})
    if wrong:
        raise Broken(f"not up to date, run `make proto`: {', '.join(wrong)}")


def check_style() -> None:
    """Raise `Broken` unless `buf lint` and `buf format` are content."""
    buf("lint", str(PROTO))


def check_compatible() -> str:
    """Raise `Broken` if the contracts break the accepted or the released ones.

    Returns what they were compared with.
    """
    if not BASELINE.exists():
        raise Broken("proto/baseline.binpb is missing, run `make proto`")
    buf("breaking", str(PROTO), "--against", str(BASELINE))
    with tempfile.TemporaryDirectory() as folder:
        current = Path(folder, "current.binpb")
        write_image(current)
        if not _same(current, BASELINE):
            raise Broken("proto/baseline.binpb is behind the contracts, run `make proto`")
        release = _last_release()
        if release is None:
            return "the accepted contract; nothing is released yet"
        released = Path(folder, "released.binpb")
        released.write_bytes(_run(["git", "show", f"{release}:proto/baseline.binpb"]))
        buf("breaking", str(PROTO), "--against", str(released))
    return f"the accepted contract and that of {release}"


def write_image(path: Path) -> None:
    """Compile the contracts, without comments, into `path`."""
    buf("build", str(PROTO), "--exclude-source-info", "-o", str(path))


def buf(*arguments: str) -> None:
    """Run buf; raises `Broken` with what it printed."""
    _run([str(BIN / "buf"), *arguments])


def regenerate(accept_breaking: bool) -> None:
    """Everything `make proto` does."""
    check_style()
    if BASELINE.exists() and not accept_breaking:
        try:
            buf("breaking", str(PROTO), "--against", str(BASELINE))
        except Broken as error:
            raise Broken(
                f"{error}\nThis breaks the accepted contract. "
                "If that is meant: make proto ACCEPT_BREAKING=1"
            ) from None
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        shutil.rmtree(GENERATED, ignore_errors=True)
        shutil.copytree(folder, GENERATED)
    write_image(BASELINE)


def _plugins() -> list[str]:
    return ["protoc-gen-mypy", "protoc-gen-mypy_grpc", "protoc-gen-grpclib_python"]


def _has_service(source: Path) -> bool:
    lines = (PROTO / source).read_text(encoding="utf-8").splitlines()
    return any(line.startswith("service ") for line in lines)


def _files(folder: Path) -> set[Path]:
    return {
        path.relative_to(folder)
        for path in folder.rglob("*.py*")
        if path.is_file() and path.suffix in (".py", ".pyi")
    }


def _same(one: Path, other: Path) -> bool:
    return filecmp.cmp(one, other, shallow=False)


def _last_release() -> str | None:
    found = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0", "--match", "v*"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    return found.stdout.strip() or None


def _run(command: list[str]) -> bytes:
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    if done.returncode:
        raise Broken((done.stdout + done.stderr).decode(errors="replace").strip())
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.proto", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("generate").add_argument("--accept-breaking", action="store_true")
    commands.add_parser("check")
    arguments = parser.parse_args()
    try:
        if arguments.command == "generate":
            regenerate(arguments.accept_breaking)
            print(f"{len(sources())} contracts → proto/gen")
        else:
            check_style()
            check_generated()
            print(f"compatible with {check_compatible()}")
    except Broken as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
