"""The games with a typed contract. A new one is one module plus one line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from services.wire import hide_and_seek, sock_monsters, socker
from services.wire.codec import Codec

CODECS: Final[Mapping[str, Codec]] = {
    "socker": socker.CODEC,
    "sock_monsters": sock_monsters.CODEC,
    "hide_and_seek": hide_and_seek.CODEC,
}
"""By the game's name, which is also that of its arm in `Action` and `Observation`."""
