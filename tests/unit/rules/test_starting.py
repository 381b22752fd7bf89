"""Settings nobody can start with: one line that names the setting, exit status 1."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from services.common.command import run_service
from services.common.keys import ensure_keys
from services.rules.service import serve
from services.rules.settings import RulesSettings


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Good settings, to be spoilt one by one."""
    ensure_keys(tmp_path)
    monkeypatch.setattr(sys, "argv", ["rules"])
    monkeypatch.setenv("ODDSOCKS_DATABASE_URL", f"sqlite:///{tmp_path}/rules.db")
    monkeypatch.setenv("ODDSOCKS_KEYS_FILE", str(tmp_path / "verify.json"))
    monkeypatch.setenv("ODDSOCKS_SERVICE_SECRET_FILE", str(tmp_path / "service.secret"))
    before = structlog.get_config()
    yield monkeypatch
    structlog.configure(**before)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("DATABASE_URL", "sqlite:////no/such/rules.db", "/no/such"),
        ("DATABASE_URL", "sqlite://", "name a file"),
        ("DATABASE_URL", "mysql://x/y", "'mysql' is not supported"),
        ("DATABASE_URL", "no url", "not a database URL"),
        ("DATABASE_URL", None, "ODDSOCKS_DATABASE_URL"),
        ("KEYS_FILE", "/no/such/keys.json", "/no/such/keys.json"),
        ("KEYS_FILE", None, "ODDSOCKS_KEYS_FILE"),
        ("SERVICE_SECRET_FILE", "/no/such/secret", "/no/such/secret"),
        ("HEARTBEAT_SECONDS", "0", "ODDSOCKS_HEARTBEAT_SECONDS"),
        ("HEARTBEAT_SECONDS", "soon", "ODDSOCKS_HEARTBEAT_SECONDS"),
        ("MATCHES_IN_MEMORY", "-1", "ODDSOCKS_MATCHES_IN_MEMORY"),
        ("LISTEN", "0.0.0.0:0", "plain text stays on loopback"),
        ("LISTEN", "127.0.0.1:http", "127.0.0.1:http"),
        ("REDIS_URL", "http://x", "ODDSOCKS_REDIS_URL"),
    ],
)
def test_a_bad_setting_is_one_line(
    environment: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    value: str | None,
    told: str,
) -> None:
    if value is None:
        environment.delenv(f"ODDSOCKS_{name}")
    else:
        environment.setenv(f"ODDSOCKS_{name}", value)
    assert run_service("rules", "", RulesSettings, serve) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("rules: ")
    assert errors.count("\n") == 1, errors
    assert told in errors


@pytest.mark.parametrize("content", ["{}", "[]", "no json", '{"active": "a", "keys": {}}'])
def test_a_file_without_keys_is_one_line(
    environment: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    content: str,
) -> None:
    keys = tmp_path / "verify.json"
    keys.write_text(content)
    assert run_service("rules", "", RulesSettings, serve) == 1
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1, errors
    assert str(keys) in errors


def test_a_file_that_is_no_database_is_left_alone(
    environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    garbage = tmp_path / "garbage.db"
    garbage.write_text("x" * 10_000)
    environment.setenv("ODDSOCKS_DATABASE_URL", f"sqlite:///{garbage}")
    assert run_service("rules", "", RulesSettings, serve) == 1
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1, errors
    assert "garbage.db: file is not a database; check ODDSOCKS_DATABASE_URL" in errors
    assert garbage.read_text() == "x" * 10_000


def test_a_database_server_that_is_away_is_one_line_without_its_password(
    environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.setenv("ODDSOCKS_DATABASE_URL", "postgresql://anna:hunter2@127.0.0.1:1/none")
    assert run_service("rules", "", RulesSettings, serve) == 1
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1, errors
    assert "127.0.0.1:1" in errors
    assert "ODDSOCKS_DATABASE_URL" in errors
    assert "hunter2" not in errors
