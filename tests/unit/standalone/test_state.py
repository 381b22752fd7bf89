"""The state directory: one at a time, and everybody finds it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from services.standalone.problem import Problem
from services.standalone.state import Running, State, default_directory

HERE = Running(os.getpid(), {"rules": "127.0.0.1:1"}, {"rules": 2})


def prepared(directory: Path) -> State:
    state = State(directory)
    state.prepare()
    return state


def test_the_variable_names_the_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ODDSOCKS_STATE", str(tmp_path / "here"))
    assert default_directory() == tmp_path / "here"


@pytest.mark.parametrize(
    ("data_home", "expected"), [("", "home/.local/share/oddsocks"), ("data", "data/oddsocks")]
)
def test_otherwise_the_platform_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data_home: str, expected: str
) -> None:
    monkeypatch.delenv("ODDSOCKS_STATE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", data_home and str(tmp_path / data_home))
    monkeypatch.setattr("sys.platform", "linux")
    assert default_directory() == tmp_path / expected


def test_only_one_holds_it(tmp_path: Path) -> None:
    state = prepared(tmp_path)
    with state.held(), pytest.raises(Problem, match="already runs on"), State(tmp_path).held():
        pass
    with State(tmp_path).held():  # and afterwards it is free again
        pass


def test_others_find_what_runs(tmp_path: Path) -> None:
    state = prepared(tmp_path)
    assert state.running() is None
    with state.held():
        assert State(tmp_path).running() is None  # not ready yet
        state.publish(HERE)
        assert State(tmp_path).running() == HERE
    assert State(tmp_path).running() is None


def test_what_a_killed_one_left_behind_is_not_believed(tmp_path: Path) -> None:
    state = prepared(tmp_path)
    state.publish(HERE)
    assert state.running() is None
    with state.held():
        assert State(tmp_path).running() is None


def test_keys_are_made_once_and_for_the_owner_alone(tmp_path: Path) -> None:
    state = prepared(tmp_path)
    before = state.secret.read_text()
    prepared(tmp_path)
    assert state.secret.read_text() == before
    for name in ("signing.json", "service.secret"):
        assert (state.keys / name).stat().st_mode & 0o077 == 0
