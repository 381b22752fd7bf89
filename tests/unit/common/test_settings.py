"""Settings: from the environment, complete, and refused in one line that names the variable."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from services.common.settings import ServiceSettings, describe, one_line

NEEDED = {
    "ODDSOCKS_DATABASE_URL": "sqlite:///x.db",
    "ODDSOCKS_KEYS_FILE": "signing.json",
    "ODDSOCKS_SERVICE_SECRET_FILE": "service.secret",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in NEEDED.items():
        monkeypatch.setenv(name, value)


def problem() -> str:
    with pytest.raises(ValidationError) as caught:
        ServiceSettings()
    return one_line(caught.value)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDSOCKS_LISTEN", "127.0.0.1:7001")
    settings = ServiceSettings()
    assert settings.listen == "127.0.0.1:7001"
    assert settings.keys_file == Path("signing.json")
    assert settings.redis_url == ""


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_setting_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(name)
    assert problem() == f"set {name}: Field required"


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "localhost:65536"]
)
@pytest.mark.parametrize("name", ["LISTEN", "INTERNAL_LISTEN", "METRICS_LISTEN"])
def test_an_address_to_listen_on_has_a_port(
    monkeypatch: pytest.MonkeyPatch, name: str, address: str
) -> None:
    monkeypatch.setenv(f"ODDSOCKS_{name}", address)
    expected = f"set ODDSOCKS_{name}: not host:port with a port up to 65535: '{address}'"
    assert problem() == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [("ODDSOCKS_DRAIN_SECONDS", "soon"), ("ODDSOCKS_PLAIN_TEXT_NETWORK", "perhaps")],
)
def test_a_malformed_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert problem().startswith(f"set {name}: ")
    assert "\n" not in problem()


@pytest.mark.parametrize("address", ["0.0.0.0:7001", "[::]:7001", "192.168.1.5:7001", ":7001"])
@pytest.mark.parametrize("name", ["ODDSOCKS_LISTEN", "ODDSOCKS_INTERNAL_LISTEN"])
def test_plain_text_stays_on_loopback_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, name: str, address: str
) -> None:
    monkeypatch.setenv(name, address)
    assert "plain text stays on loopback" in problem()
    monkeypatch.setenv("ODDSOCKS_PLAIN_TEXT_NETWORK", "1")
    assert getattr(ServiceSettings(), name.removeprefix("ODDSOCKS_").lower()) == address


def test_help_names_every_setting() -> None:
    text = describe(ServiceSettings)
    for name in ServiceSettings.model_fields:
        assert f"ODDSOCKS_{name.upper()} " in text
    assert len(text.splitlines()) == len(ServiceSettings.model_fields)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ODDSOCKS_LISTEN", "192.168.1.5:7001"),
        ("ODDSOCKS_INTERNAL_LISTEN", "0.0.0.0:7001"),
        ("ODDSOCKS_METRICS_LISTEN", "0.0.0.0:9000"),
        ("ODDSOCKS_LISTEN", "127.0.0.1:7001"),  # a container network is none either
    ],
)
def test_nobody_moves_the_clock_beyond_loopback(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv("ODDSOCKS_TEST_CLOCK", "1")
    monkeypatch.setenv("ODDSOCKS_TEST_CLOCK_FILE", "offset")
    assert ServiceSettings().test_clock_file == Path("offset")
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("ODDSOCKS_PLAIN_TEXT_NETWORK", "1")
    assert "ODDSOCKS_TEST_CLOCK is for tests on loopback" in problem()


@pytest.mark.parametrize("name", ["ODDSOCKS_TEST_CLOCK", "ODDSOCKS_TEST_CLOCK_FILE"])
def test_half_a_test_clock_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "1")
    assert "go together" in problem()
