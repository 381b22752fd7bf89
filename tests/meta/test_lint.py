"""The checks that are our own; the tools that `make lint` calls have tests of their own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import lint
from tools.reports import ROOT


@pytest.mark.parametrize(
    "line",
    [
        "x = f()  # type: " + "ignore",
        "x = f()  # type: " + "ignore[misc]",
        "import x  # no" + "qa",
        "import x  # no" + "qa: F401",
        "# fmt: " + "off",
    ],
)
def test_an_ignore_without_a_reason_is_found(line: str) -> None:
    assert lint.silent_ignore(line)


@pytest.mark.parametrize(
    "line",
    [
        "x = f()  # type: " + "ignore[misc]  # the stubs know only the sync form",
        "import x  # no" + "qa: F401 - registers the tasks",
        "async def ListAgents(  # no" + "qa: N802 (the contract's name)",
        "x = 1  # noise is fine",
    ],
)
def test_an_ignore_with_its_reason_passes(line: str) -> None:
    assert not lint.silent_ignore(line)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("--index-url https://example.org/simple\n", "names an index"),
        ("x @ https://example.org/x.whl --hash=sha256:00\n", "names an index"),
        ("kivy==2.3.1\n", "no hash: kivy==2.3.1"),
    ],
)
def test_a_lock_file_that_is_not_locked_is_found(
    content: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "run.txt").write_text(content)
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    with pytest.raises(lint.Problem, match=problem):
        lint.pins()


def test_the_real_lock_files_are_locked() -> None:
    assert len(lint.lock_files()) >= 4
    lint.pins()


# --- Two rules that import-linter can't say -------------------------------------------------------

WITHOUT_SIDE_EFFECTS = {
    *("__future__", "abc", "array", "bisect", "collections", "copy", "dataclasses", "enum"),
    *("functools", "hashlib", "heapq", "hmac", "importlib", "itertools", "json", "math"),
    *("operator", "random", "re", "struct", "types", "typing"),
}


def imported(path: Path) -> Iterator[str]:
    """The modules that `path` imports when it runs: those for type checkers alone are left out."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        waiting += ast.iter_child_nodes(node)


def engine_modules() -> list[Path]:
    """All of the engine but its command line."""
    modules = sorted((ROOT / "services/engine").rglob("*.py"))
    assert modules
    return [path for path in modules if path.name != "__main__.py"]


@pytest.mark.parametrize("path", engine_modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_engine_needs_nothing_and_touches_nothing(path: Path) -> None:
    """No packages, no files, no clock, no network: it runs the same on a phone and a server."""
    for name in imported(path):
        harmless = name.partition(".")[0] in WITHOUT_SIDE_EFFECTS
        assert harmless or name.startswith("services.engine"), name


@pytest.mark.parametrize("path", engine_modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_engine_draws_from_the_generator_it_is_given(path: Path) -> None:
    """`random.Random` is a type to take as an argument; the module's own functions are global."""
    source = path.read_text(encoding="utf-8")
    assert not re.search(r"\brandom\.(?!Random\b)\w+\(", source)
    assert not re.search(r"from random import (?!Random\b)", source)
