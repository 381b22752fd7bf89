"""Codes made for people, to print and to type: to recover an account, link a device, make a friend.

names.py reads what was typed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Final

from services.matchmaking.names import CODE_ALPHABET

RECOVERY_LENGTH: Final = 20
"""25**20 codes are 92 bits: nobody finds one by trying, here or on a stolen copy of the digests."""
LINK_LENGTH: Final = 8
FRIEND_LENGTH: Final = 8
"""25**8 = 150 000 million: too many to try at the rate at which wrong codes are taken."""
_GROUP: Final = 5


def new_code(length: int, choose: Callable[[str], str] = secrets.choice) -> str:
    """A random code."""
    return "".join(choose(CODE_ALPHABET) for _ in range(length))


def grouped(code: str) -> str:
    """A long code as it is printed: in groups of five."""
    return "-".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))


def digest(secret: str) -> str:
    """What is stored of a secret: it recognises it, and can't be turned back into it.

    Plain SHA-256 is enough because nothing here is chosen by people: every secret is random and
    long, or as short-lived as a link code.
    """
    return hashlib.sha256(secret.encode()).hexdigest()
