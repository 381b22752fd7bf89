"""Names for guests, so that nobody has to type one (row 33)."""

from __future__ import annotations

import hashlib

from app.i18n import tr


def guest_name(request_id: str) -> str:
    """A friendly name for the guest of a sign-in, in the language in use; the same for the same
    request, since a request that is repeated has to say the same."""
    digest = hashlib.sha256(request_id.encode()).digest()
    kinds, animals = _kinds(), _animals()
    kind, animal = kinds[digest[0] % len(kinds)], animals[digest[1] % len(animals)]
    return tr("{kind} {animal}", kind=kind, animal=animal)


def _kinds() -> list[str]:
    return [
        tr("Brave"),
        tr("Busy"),
        tr("Clever"),
        tr("Cosy"),
        tr("Curious"),
        tr("Fluffy"),
        tr("Gentle"),
        tr("Happy"),
        tr("Jolly"),
        tr("Lucky"),
        tr("Merry"),
        tr("Nimble"),
        tr("Quiet"),
        tr("Sleepy"),
        tr("Sunny"),
        tr("Woolly"),
    ]


def _animals() -> list[str]:
    return [
        tr("Badger"),
        tr("Beaver"),
        tr("Dormouse"),
        tr("Fox"),
        tr("Hamster"),
        tr("Hare"),
        tr("Hedgehog"),
        tr("Lynx"),
        tr("Mole"),
        tr("Otter"),
        tr("Owl"),
        tr("Panda"),
        tr("Penguin"),
        tr("Robin"),
        tr("Seal"),
        tr("Squirrel"),
    ]
