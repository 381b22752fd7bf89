"""Compile the games' kernels with mypyc into build/compiled: `python -m tools.compile`.

build/compiled holds the whole `services.engine` package with the kernels as machine code beside
their source, and is chosen by path: `PYTHONPATH=build/compiled python -P -m …` (without -P the
current folder would come first). All else of `services` is found where it always is. The source
tree stays as it is, and everything but the kernels runs from source, so both ways behave alike.
"""

from __future__ import annotations

import ast
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "build" / "compiled"
ENGINE: Final = Path("services/engine")
FLAT_BUFFERS: Final = "services.engine.core.vec"
BELOW_KERNELS: Final = frozenset({"__future__", "math", "typing", FLAT_BUFFERS})

C_FLAGS: Final = (
    "-O3 -w -fvisibility=hidden"
    " --param max-inline-insns-auto=400 --param max-inline-insns-single=800"
    " --param large-function-growth=1000 --param inline-unit-growth=200"
)
"""Hidden from outside the library, functions can be inlined into each other; and what looks too
long for that is mostly code for errors that do not happen.
"""

_PACKAGE: Final = '''"""What is compiled; all else is found in the folders after this one."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
'''


def kernel_sources(root: Path = ROOT, folders: Sequence[Path] = (ENGINE,)) -> list[Path]:
    """The modules to compile, relative to the root.

    A kernel builds on flat buffers, `typing`, `math` and modules like itself, and on nothing else:
    whatever imports more, such as the facade above it, only passes buffers on and gains nothing.
    Layouts come along even where they need no buffer, for the constants that kernels take.
    """
    paths = [path for folder in folders for path in (root / folder).rglob("*.py")]
    imports = {_module(path.relative_to(root)): _imports(path) for path in paths}
    kernels = set(imports)
    while odd := {name for name in kernels if imports[name] - kernels - BELOW_KERNELS}:
        kernels -= odd
    working = {name for name in kernels if FLAT_BUFFERS in imports[name]}
    served = {name for user in working for name in imports[user] & kernels}
    return sorted(Path(*name.split(".")).with_suffix(".py") for name in working | served)


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts)


def _imports(path: Path) -> set[str]:
    """The modules that a module takes names from."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def compile_kernels(target: Path = TARGET, folders: Sequence[Path] = (ENGINE,)) -> Path:
    """Bring `target` up to date with the sources in `folders` and return it.

    Takes a quarter of a minute if a kernel has changed, else no time. Raises CalledProcessError.
    """
    target.mkdir(parents=True, exist_ok=True)
    with _alone(target):
        _copy_sources(target, folders)
        modules = kernel_sources(ROOT, folders)
        stamp_file, stamp = target / ".stamp", _stamp(modules)
        if not stamp_file.exists() or stamp_file.read_text() != stamp:
            _compile(target, modules)
            stamp_file.write_text(stamp)
    return target


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Let nobody else compile into the same folder, such as a test beside this one."""
    with (target / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _copy_sources(target: Path, folders: Sequence[Path]) -> None:
    """Make the sources in `target` those of today; whatever has not changed is not touched."""
    wanted = {
        path.relative_to(ROOT): path.read_text()
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
    }
    for folder in folders:
        for package in folder.parents:
            if (ROOT / package / "__init__.py").exists():
                wanted[package / "__init__.py"] = _PACKAGE
    for old in target.glob("*/**/*.py"):
        if old.relative_to(target) not in wanted:
            old.unlink()
    for path, text in wanted.items():
        copy = target / path
        if not copy.exists() or copy.read_text() != text:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text)


def _stamp(modules: list[Path]) -> str:
    """Changes when a kernel or the compiler does."""
    digest = hashlib.sha256(f"{sys.version} {version('mypy')} {version('librt')}".encode())
    for path in (Path(__file__), Path(__file__).with_name("mypyc_setup.py")):
        digest.update(path.read_bytes())
    for path in modules:
        digest.update(str(path).encode() + (ROOT / path).read_bytes())
    return digest.hexdigest()


def _compile(target: Path, modules: list[Path]) -> None:
    (target / ".stamp").unlink(missing_ok=True)
    shutil.rmtree(target / "build", ignore_errors=True)
    for old in target.rglob("*.so"):
        old.unlink()
    subprocess.run(
        [sys.executable, "-P", "-m", "tools.mypyc_setup", *map(str, modules)],
        cwd=target,
        env={**os.environ, "MYPYPATH": str(target), "CFLAGS": C_FLAGS},
        check=True,
    )


def compiled_environment(target: Path = TARGET) -> dict[str, str]:
    """The environment in which `python -P` finds the compiled kernels of `target`."""
    return {**os.environ, "PYTHONPATH": str(target)}


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
