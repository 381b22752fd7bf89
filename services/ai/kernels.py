"""Compiled kernels (`make compile`): whether workers can have them, and whether they do.

A worker that finds build/compiled first on its path searches in machine code; started otherwise it
runs from source, by the same rules and with the same results, only slower. Who starts it decides:
`python_for_workers` says how.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
COMPILED: Final = Path("build") / "compiled"
ENGINE: Final = Path("services") / "engine"
STAMP: Final = ".stamp"
"""Written by tools/compile.py once everything is compiled."""
A_KERNEL: Final = "services.engine.games.socker.kernel"


def is_usable(root: Path = ROOT) -> bool:
    """Whether build/compiled is whole, of this very source, and has its runtime library.

    Kernels of other sources would play by other rules.
    """
    compiled = root / COMPILED
    if find_spec("librt") is None or not (compiled / STAMP).exists():
        return False
    return _sources(compiled) == _sources(root)


def python_for_workers(root: Path = ROOT) -> tuple[Sequence[str], str]:
    """The start of a worker's command line, and its PYTHONPATH."""
    path = [str(root), str(root / "proto" / "gen")]
    if not is_usable(root):
        return [sys.executable], os.pathsep.join(path)
    # -P: else the current folder, the source, would come before all of the path.
    return [sys.executable, "-P"], os.pathsep.join([str(root / COMPILED), *path])


def kernels_in_use() -> str:
    """Which kernels this process plays by: "compiled" or "source"."""
    file = importlib.import_module(A_KERNEL).__file__ or ""
    return "source" if file.endswith(".py") else "compiled"


def _sources(root: Path) -> dict[Path, bytes]:
    folder = root / ENGINE
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.py")}
