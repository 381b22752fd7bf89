"""Links that open the app: what they are, and that a broken one is named."""

from __future__ import annotations

import pytest

from app.model.links import (
    BrokenLink,
    JoinLink,
    MatchLink,
    ServerLink,
    TableLink,
    link_to_match,
    read_link,
)
from services.matchmaking.names import LINK as JOIN


@pytest.mark.parametrize(
    "written",
    [f"{JOIN}7KQ4WX", " OddSocks://JOIN/7kq4wx/ ", f"{JOIN}7KQ-4WX", f"{JOIN}7KQ%204WX"],
)
def test_an_invitation_is_read_as_the_server_reads_it(written: str) -> None:
    assert read_link(written) == JoinLink("7KQ4WX")


def test_a_server_keeps_its_digest() -> None:
    link = "oddsocks://server/192.168.1.7:7443#aB-c_9"
    assert read_link(link) == ServerLink(link)
    assert read_link(link.replace("oddsocks", "ODDSOCKS")) == ServerLink(link)


def test_reminders_lead_to_matches_and_invitations() -> None:
    assert read_link(link_to_match("0a" * 16)) == MatchLink("0a" * 16)
    assert read_link("oddsocks://table/t-1") == TableLink("t-1")


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "oddsocks:",
        "oddsocks://join",
        "oddsocks://join/",
        "oddsocks://join/AB",
        "oddsocks://join/7KQ4WX/more",
        "oddsocks://server/",
        "oddsocks://server/#digest",
        "oddsocks://match/",
        "oddsocks://match/../x",
        "oddsocks://watch/7KQ4WX",
        "https://join/7KQ4WX",
        "7KQ4WX",
    ],
)
def test_a_broken_link_is_named(broken: str) -> None:
    with pytest.raises(BrokenLink, match="is no invitation and no server") as caught:
        read_link(broken)
    assert f"“{broken}”" in str(caught.value)


def test_a_long_broken_link_is_cut() -> None:
    with pytest.raises(BrokenLink) as caught:
        read_link("x" * 5000)
    assert len(str(caught.value)) < 200
