"""docs/guarantees.md names tests; a promise whose test is gone is held by nothing."""

from __future__ import annotations

import ast
import re

from tools.reports import ROOT

PAGE = ROOT / "docs" / "guarantees.md"
TEST_ID = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_every_promise_names_tests_that_exist() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    promises = [row for row in rows if not row.startswith("| promise |")]
    assert promises
    for row in promises:
        named = TEST_ID.findall(row)
        assert named, f"held by nothing: {row}"
        assert row.count("::") == len(named), f"not the id of a test: {row}"
        for file, name in named:
            assert name in names_in(file), f"{file} has no {name}"


def names_in(file: str) -> set[str]:
    """The names of the tests in a file."""
    tree = ast.parse((ROOT / file).read_text())
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
