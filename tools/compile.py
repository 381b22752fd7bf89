"""Compile the games' kernels with mypyc into build/compiled: `python -m tools.compile`.

build/compiled holds the whole `services.engine` package with the kernels as machine code beside
their source, and is chosen by path: `PYTHONPATH=build/compiled`. The source tree stays as it is,
and everything but the kernels runs from source, so both ways behave alike.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "build" / "compiled"
ENGINE: Final = Path("services/engine")
FLAT_BUFFERS: Final = "from services.engine.core.vec import"


def kernel_sources(root: Path = ROOT) -> list[Path]:
    """The modules to compile, relative to the root: all that work on flat buffers, and the layouts
    whose constants they take.
    """
    return sorted(
        path.relative_to(root)
        for path in (root / ENGINE).rglob("*.py")
        if path.name == "layout.py" or FLAT_BUFFERS in path.read_text()
    )


def _stamp() -> str:
    """Changes when any source of the engine or the compiler does."""
    from importlib.metadata import version

    digest = hashlib.sha256(f"{sys.version} {version('mypy')} {version('librt')}".encode())
    for path in sorted((ROOT / ENGINE).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compile_kernels() -> Path:
    """Bring build/compiled up to date and return it; raises CalledProcessError."""
    stamp_file = TARGET / ".stamp"
    stamp = _stamp()
    if stamp_file.exists() and stamp_file.read_text() == stamp:
        return TARGET
    shutil.rmtree(TARGET, ignore_errors=True)
    shutil.copytree(
        ROOT / ENGINE, TARGET / ENGINE, ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    shutil.copy(ROOT / "services" / "__init__.py", TARGET / "services" / "__init__.py")
    setup = TARGET / "setup.py"
    setup.write_text(
        "from setuptools import setup\n"
        "from mypyc.build import mypycify\n"
        f"modules = {[str(path) for path in kernel_sources()]!r}\n"
        "setup(name='oddsocks_kernels', packages=[],\n"
        "      ext_modules=mypycify(['--strict', '--explicit-package-bases', *modules],"
        " opt_level='3', separate=False))\n"
    )
    environment = {**os.environ, "MYPYPATH": str(TARGET), "CFLAGS": "-O3 -w"}
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"],
        cwd=TARGET,
        env=environment,
        check=True,
    )
    stamp_file.write_text(stamp)
    return TARGET


def main() -> int:
    """Compile what has changed; 0 when all is up to date."""
    try:
        target = compile_kernels()
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"compile: mypyc failed with status {error.returncode}, see above\n")
        return 1
    sys.stdout.write(f"{len(kernel_sources())} kernels → {target.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
