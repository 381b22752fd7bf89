"""Who plays on this device: its owner, and the others who have a name here.

No accounts and nothing about anybody but what they want to be called.
"""

from __future__ import annotations

import secrets
import unicodedata

from app.i18n import tr
from app.model.names import guest_name
from app.model.store import Store

_FILE = "people"
MOST = 12
LONGEST_NAME = 24


class People:
    """Names kept on the device; the ones used last come first."""

    def __init__(self, store: Store) -> None:
        self._store = store
        kept = store.read(_FILE)
        me, others = kept.get("me"), kept.get("others")
        self.me = me if isinstance(me, str) and me else guest_name(secrets.token_hex(8))
        """What the owner of this device is called."""
        self.others: list[str] = (
            [name for name in others if isinstance(name, str) and name][:MOST]
            if isinstance(others, list)
            else []
        )
        if self.me != me:
            self._keep()

    def rename_me(self, name: str) -> None:
        """Call the owner `name` from now on; an empty name changes nothing."""
        if clean(name):
            self.me = clean(name)
            self._keep()

    def met(self, name: str) -> None:
        """Somebody called `name` plays here: offer the name next time."""
        others = [clean(name), *(other for other in self.others if other != clean(name))]
        self.others = [other for other in others if other][:MOST]
        self._keep()

    def offered(self) -> list[str]:
        """Names to choose from without typing: those known here first."""
        return self.others + [name for name in _suggestions() if name not in self.others]

    def _keep(self) -> None:
        self._store.write(_FILE, {"me": self.me, "others": self.others})


def clean(name: str) -> str:
    """A name in one line without spaces around it, at most 24 signs, each written in one way
    (NFC): else somebody could be two people, depending on who typed the name."""
    return unicodedata.normalize("NFC", " ".join(name.split()))[:LONGEST_NAME].strip()


def _suggestions() -> list[str]:
    return [
        tr("Mum"),
        tr("Dad"),
        tr("Grandma"),
        tr("Grandpa"),
        tr("Fox"),
        tr("Owl"),
        tr("Otter"),
        tr("Hedgehog"),
    ]
