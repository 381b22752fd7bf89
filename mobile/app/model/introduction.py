"""Servers that no public authority vouches for: how one is met, and which are known already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.model.store import Store

LINK: Final = "oddsocks://server/"
"""How the link to a server at home begins; its address and the digest of its authority follow."""
_KEPT: Final = "authorities"


@dataclass(frozen=True, slots=True)
class Introduction:
    """A server that has shown which authority it goes by: its address, that certificate (PEM),
    and the four words of it that a person compares before anybody believes it."""

    server: str
    authority: str
    words: tuple[str, ...]


class Known:
    """The authorities that people on this device have compared. Nobody else is believed at those
    addresses, not even somebody for whom a public authority vouches."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def authority(self, server: str) -> str:
        """The authority (PEM) of a server; "" if nobody has compared one."""
        kept = self._store.read(_KEPT).get(server, "")
        return kept if isinstance(kept, str) else ""

    def keep(self, met: Introduction) -> None:
        """The four words are the same."""
        self._store.write(_KEPT, self._store.read(_KEPT) | {met.server: met.authority})
