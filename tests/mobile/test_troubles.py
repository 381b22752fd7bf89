"""Every reason of the services has words that a child can read, and that blame nobody."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.model.gateway import GatewayError, Offline, Refused
from app.model.links import read_link
from app.model.troubles import ForPeople, trouble
from app.net.address import parse_address
from oddsocks.play.v1 import errors_pb2
from tests.mobile.readable import undrawn
from tests.mobile.ui import playing

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


@pytest.mark.parametrize(
    "error",
    [
        ValueError("invalid literal for int() with base 10: 'x'"),
        KeyError("seat"),
        UnicodeDecodeError("utf-8", b"", 0, 1, "invalid start byte"),
        GatewayError("h2: stream 7 is closed"),
    ],
)
def test_what_was_meant_for_programmers_is_not_shown(error: Exception) -> None:
    assert trouble(error) == "Something went wrong here."


def test_what_is_meant_for_people_is_shown() -> None:
    with pytest.raises(ForPeople) as bad:
        parse_address("play.example.org:x")
    assert trouble(bad.value) == "'x' is not a port."
    with pytest.raises(ForPeople) as broken:
        read_link("oddsocks://nowhere/1")
    assert trouble(broken.value).startswith("“oddsocks://nowhere/1” is no invitation")


async def test_on_a_screen_it_is_one_clear_line_and_the_log_has_the_rest(tmp_path: Path) -> None:
    async def breaks() -> None:
        raise ValueError("not enough values to unpack (expected 2, got 1)")

    with undrawn():
        async with playing(tmp_path) as hands:
            hands.screen.run(breaks)
            hands.screen.run_quietly(breaks(), "Done.")
            while len(hands.app.troubles) < 2:  # noqa: ASYNC110 - the hands would stumble over them
                await asyncio.sleep(0)
            assert hands.screen.trouble == "Something went wrong here."
            assert hands.app.root.ids.toast.text == "Something went wrong here."
            assert [str(one) for one in hands.app.troubles] == [
                "not enough values to unpack (expected 2, got 1)"
            ] * 2
            hands.app.troubles.clear()


def test_how_long_to_wait_is_said() -> None:
    limited = Refused("RATE_LIMITED", "x", {"retry_after_ms": "1001"})
    assert trouble(limited) == "That was too much at once. Try again in 2 seconds."


def test_a_field_is_named_in_words() -> None:
    name = Refused("INVALID_FIELD", "x", {"field": "display_name"})
    assert trouble(name) == "A name has 1 to 24 letters."
    assert trouble(Refused("INVALID_FIELD", "x", {"field": "newer"})) == "That can't be right."
    assert trouble(Offline("x")) == "The server doesn't answer."
