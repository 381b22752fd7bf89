"""Links that open the app: an invitation, a server at home, and what a reminder leads to.

oddsocks://join/CODE            an invitation
oddsocks://server/HOST:PORT#D   a server, and a digest of the authority it goes by
oddsocks://match/ID             a match, from a reminder
oddsocks://table/ID             a friend's invitation, from a reminder
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias
from urllib.parse import unquote

from app.i18n import tr
from app.model.troubles import ForPeople

SCHEME: Final = "oddsocks://"
_CODE = re.compile(r"[A-Z0-9]{6}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class JoinLink:
    """An invitation, by its code."""

    code: str


@dataclass(frozen=True, slots=True)
class ServerLink:
    """A server, by the whole link: who reads it compares four words before anybody is believed."""

    link: str


@dataclass(frozen=True, slots=True)
class MatchLink:
    """A match of the player."""

    match_id: str


@dataclass(frozen=True, slots=True)
class TableLink:
    """A table the player is invited to."""

    table_id: str


Link: TypeAlias = JoinLink | ServerLink | MatchLink | TableLink


class BrokenLink(ForPeople):
    """A link that leads nowhere; the message says so to a person, and names it."""


LinkHeard: TypeAlias = Callable[[str], None]


class LinkDoor(Protocol):
    """How links come from outside."""

    def first(self) -> str:
        """The link that the app was opened by; "" for none."""
        ...

    def listen(self, heard: LinkHeard) -> None:
        """Call `heard` with each link that comes while the app is open, on any thread."""
        ...


def read_link(text: str) -> Link:
    """Read a link. Raises `BrokenLink`."""
    text = text.strip()
    kind, slash, rest = text[len(SCHEME) :].partition("/")
    if not text.lower().startswith(SCHEME) or not slash:
        raise BrokenLink(_broken(text))
    kind = kind.lower()
    if kind == "join":
        # As a person may have typed it into a message: in any case, with a dash or a space.
        code = re.sub(r"[\s-]", "", unquote(rest)).strip("/").upper()
        if _CODE.fullmatch(code):
            return JoinLink(code)
    elif kind == "server" and rest.partition("#")[0].strip("/ "):
        return ServerLink(f"{SCHEME}server/{rest}")
    elif kind in ("match", "table") and _ID.fullmatch(rest):
        return MatchLink(rest) if kind == "match" else TableLink(rest)
    raise BrokenLink(_broken(text))


def link_to_match(match_id: str) -> str:
    """The link that a reminder of a match leads to."""
    return f"{SCHEME}match/{match_id}"


def _broken(text: str) -> str:
    shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return tr("“{link}” is no invitation and no server. Ask for the link once more.", link=shown)


class NoLinks:
    """Nothing comes from outside but, perhaps, the argument that the app was started with."""

    def __init__(self, first: str = "") -> None:
        self._first = first

    def first(self) -> str:
        return self._first

    def listen(self, heard: LinkHeard) -> None:
        """None ever comes."""
