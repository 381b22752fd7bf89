"""Workers search in machine code where there is some, of these very sources, and say which."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from services.ai import kernels
from services.ai.kernels import ROOT, is_usable, python_for_workers
from tools.compile import compile_kernels

SAY = "from services.ai.kernels import kernels_in_use; print(kernels_in_use())"


def said(root: Path) -> str:
    """What a process says that is started as a worker of `root` would be."""
    python, path = python_for_workers(root)
    return subprocess.run(
        [*python, "-c", SAY],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Another checkout of the same sources, in which nothing was compiled."""
    shutil.copytree(ROOT / "services", tmp_path / "services")
    shutil.copytree(ROOT / "proto" / "gen", tmp_path / "proto" / "gen")
    return tmp_path


@pytest.mark.timeout(600)  # may compile
def test_workers_take_what_is_compiled() -> None:
    compile_kernels()
    assert is_usable()
    assert said(ROOT) == "compiled"


def test_without_it_they_run_from_source(elsewhere: Path) -> None:
    assert not is_usable(elsewhere)
    assert said(elsewhere) == "source"


@pytest.mark.timeout(600)  # may compile
def test_what_was_compiled_from_other_sources_is_left_alone(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(compile_kernels(), elsewhere / kernels.COMPILED)
    assert is_usable(elsewhere)
    changed = elsewhere / "services" / "engine" / "games" / "socker" / "layout.py"
    text = changed.read_text()
    changed.write_text(text + "\n")
    assert not is_usable(elsewhere)
    changed.write_text(text)
    assert is_usable(elsewhere)
    (elsewhere / kernels.COMPILED / kernels.STAMP).unlink()  # stopped half-way
    assert not is_usable(elsewhere)
    monkeypatch.setattr(kernels, "find_spec", lambda _: None)  # no runtime library
    assert not is_usable()
