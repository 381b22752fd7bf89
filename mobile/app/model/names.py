"""Names for guests, so that nobody has to type one (row 33)."""

from __future__ import annotations

import hashlib

_KINDS = [
    "Brave",
    "Busy",
    "Clever",
    "Cosy",
    "Curious",
    "Fluffy",
    "Gentle",
    "Happy",
    "Jolly",
    "Lucky",
    "Merry",
    "Nimble",
    "Quiet",
    "Sleepy",
    "Sunny",
    "Woolly",
]
_ANIMALS = [
    "Badger",
    "Beaver",
    "Dormouse",
    "Fox",
    "Hamster",
    "Hare",
    "Hedgehog",
    "Lynx",
    "Mole",
    "Otter",
    "Owl",
    "Panda",
    "Penguin",
    "Robin",
    "Seal",
    "Squirrel",
]


def guest_name(request_id: str) -> str:
    """A friendly name for the guest of a sign-in; the same for the same request, since a request
    that is repeated has to say the same."""
    digest = hashlib.sha256(request_id.encode()).digest()
    return f"{_KINDS[digest[0] % len(_KINDS)]} {_ANIMALS[digest[1] % len(_ANIMALS)]}"
