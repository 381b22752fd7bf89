"""Every reason of the services has words that a child can read, and that blame nobody."""

from __future__ import annotations

import pytest

from app.model.gateway import Offline, Refused
from app.model.troubles import trouble
from oddsocks.play.v1 import errors_pb2

PREFIX = "ERROR_REASON_"
REASONS = [
    name.removeprefix(PREFIX)
    for name in errors_pb2.ErrorReason.DESCRIPTOR.values_by_name
    # The gateway makes `Offline` of this one.
    if name not in (f"{PREFIX}UNSPECIFIED", f"{PREFIX}UNAVAILABLE")
]
TECHNICAL = ("revision", "token", "request", "invalid", "illegal", "field", "error", "exception")


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_has_kind_words(reason: str) -> None:
    words = trouble(Refused(reason, "the server's own words", {}))
    assert "the server's own words" not in words
    assert words.endswith(".")
    assert "!" not in words
    assert not any(word in words.lower() for word in TECHNICAL)
    assert len(words) < 90


def test_a_reason_of_next_year_has_the_servers_words() -> None:
    assert trouble(Refused("OF_NEXT_YEAR", "the server's words", {})) == "the server's words"
    for words in ("", "PERMISSION_DENIED"):  # what a proxy says for itself
        assert trouble(Refused("", words, {})) == "The server said no."


def test_how_long_to_wait_is_said() -> None:
    limited = Refused("RATE_LIMITED", "x", {"retry_after_ms": "1001"})
    assert trouble(limited) == "That was too much at once. Try again in 2 seconds."


def test_a_field_is_named_in_words() -> None:
    name = Refused("INVALID_FIELD", "x", {"field": "display_name"})
    assert trouble(name) == "A name has 1 to 24 letters."
    assert trouble(Refused("INVALID_FIELD", "x", {"field": "newer"})) == "That can't be right."
    assert trouble(Offline("x")) == "The server doesn't answer."
