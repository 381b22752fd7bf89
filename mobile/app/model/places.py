"""Where a match is played, which its id says: on this device, or on a server."""

from __future__ import annotations

import hashlib

_HERE = "here-"


def here_id(request_id: str) -> str:
    """The id of the match on this device that `request_id` asks for: always the same one, so that
    asking again, even after a kill, makes no second match."""
    return _HERE + hashlib.sha256(request_id.encode()).hexdigest()[:24]


def is_here(match_id: str) -> bool:
    """Whether a match or table is on this device."""
    return match_id.startswith(_HERE)
