"""Server addresses, and where plain text is refused."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from app.i18n import use_language
from app.net.address import BadAddress, Endpoint, parse_address


def test_one_address_serves_all() -> None:
    address = parse_address("play.example.org:8443")
    assert address.rules == address.matchmaking == address.ai == Endpoint("play.example.org", 8443)
    assert str(address) == "play.example.org:8443"


def test_the_port_may_be_left_out() -> None:
    assert parse_address("play.example.org").rules.port == 443
    assert parse_address("[::1]").rules == Endpoint("::1", 443)


def test_each_service_may_have_its_own() -> None:
    text = "rules=127.0.0.1:1,matchmaking=127.0.0.1:2,ai=127.0.0.1:3"
    address = parse_address(text, plaintext=True)
    assert (address.rules.port, address.matchmaking.port, address.ai.port) == (1, 2, 3)
    assert str(address) == text


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "'' is not an address."),
        ("host:0", "'0' is not a port."),
        ("host:65536", "'65536' is not a port."),
        ("host:x", "'x' is not a port."),
        ("https://host", "'https://host' is not an address."),
        ("a b:1", "'a b:1' is not an address."),
        ("play..example.org", "'play..example.org' is not an address."),
        (f"{'x' * 64}.org", "is not an address."),
        ("rules=a:1", "missing for matchmaking, ai."),
        ("rules=a:1,rules=b:1,ai=c:1", "not 'rules=b:1'"),
        ("rules=a:1,chess=b:1,ai=c:1", "not 'chess=b:1'"),
    ],
)
def test_a_wrong_address_is_named(text: str, part: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(text)
    assert part in str(caught.value)


@pytest.mark.parametrize("text", ["192.168.0.7:1", "play.example.org:1", "127.0.0.1.example.org:1"])
def test_plain_text_leaves_this_machine_for_nobody(text: str) -> None:
    with pytest.raises(BadAddress, match="only this device works"):
        parse_address(text, plaintext=True)


@pytest.mark.parametrize("text", ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1"])
def test_plain_text_works_on_this_machine(text: str) -> None:
    assert parse_address(text, plaintext=True).tls() is None


def test_tls_is_the_default_and_checks_names() -> None:
    context = parse_address("play.example.org").tls()
    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


def test_a_missing_or_wrong_certificate_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadAddress, match=r"no certificate file '.*none\.pem'"):
        parse_address("host", ca_file=tmp_path / "none.pem")
    (tmp_path / "no.pem").write_text("hello")
    with pytest.raises(BadAddress, match="is not a certificate"):
        parse_address("host", ca_file=tmp_path / "no.pem").tls()


def test_what_is_wrong_is_said_in_the_language_in_use() -> None:
    use_language("de")
    with pytest.raises(BadAddress) as caught:
        parse_address("https://host")
    assert str(caught.value) == "„https://host“ ist keine Adresse."
