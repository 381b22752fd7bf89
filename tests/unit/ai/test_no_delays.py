"""Nothing in here asks Celery to wait: what is to happen later is a row in SQL."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import services

DELAYS = frozenset({"eta", "countdown", "apply_async", "delay", "beat_schedule"})
"""Words by which Celery is asked to do something later, or by itself."""


@pytest.mark.field(10)
def test_no_task_is_asked_for_later() -> None:
    files = sorted(Path(services.__file__).parent.rglob("*.py"))
    assert any(file.name == "celery_app.py" for file in files)
    used = {(file.name, word) for file in files for word in _words(ast.parse(file.read_text()))}
    assert {(name, word) for name, word in used if word in DELAYS} == set()
    assert ("publish.py", "send_task") in used, "the words are found where they stand"


def _words(tree: ast.AST) -> set[str]:
    """Names of arguments, attributes and keys in a source file."""
    words: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg:
            words.add(node.arg)
        elif isinstance(node, ast.Attribute):
            words.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words.add(node.value)
    return words
