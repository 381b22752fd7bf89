"""What people type: display names, invitation codes, request ids. Pure."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable
from typing import Final

from services.common.errors import invalid_field

MAX_NAME: Final = 24
MAX_ID: Final = 100
CODE_LENGTH: Final = 6
LINK: Final = "oddsocks://join/"
CODE_ALPHABET: Final = "23456789CDFGHJKMNPQRTVWXY"
"""No look-alikes (0 O, 1 I L, 2 Z, 5 S, 8 B, U V) and no vowels, so that no code spells a word."""

# Cc control, Cf format (bidirectional overrides, zero-width), Co private use, Cs surrogates,
# Zl and Zp line and paragraph separators: what can hide, reorder or break the text around it.
_FORBIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_VISIBLE: Final = frozenset("LNPS")
_TWINS: Final = str.maketrans("BSZ", "852")


def read_name(text: str, field: str, default: str) -> str:
    """A display name: 1 to 24 characters of NFC, spaces tidied; `default` when there is none.

    Raises `RefusedError` (INVALID_FIELD) for `field`. A name is never cut: nobody should be
    called something they did not choose.
    """
    if len(text) > 4 * MAX_NAME:  # before the work of normalising; NFC never shrinks further
        raise _length(field, len(text))
    if any(unicodedata.category(letter) in _FORBIDDEN for letter in text):
        raise invalid_field(field, "must not contain control or invisible formatting characters")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        return default
    if len(name) > MAX_NAME:
        raise _length(field, len(name))
    if not any(unicodedata.category(letter)[0] in _VISIBLE for letter in name):
        raise invalid_field(field, "must contain something that can be seen")
    return name


def _length(field: str, length: int) -> Exception:
    return invalid_field(field, f"must have 1 to {MAX_NAME} characters, this has {length}")


def read_id(text: str, field: str, *, shortest: int = 1) -> str:
    """An id chosen by a client, or one of ours given back: printable, up to 100 characters."""
    if not shortest <= len(text) <= MAX_ID:
        raise invalid_field(
            field, f"must have {shortest} to {MAX_ID} characters, this has {len(text)}"
        )
    if not text.isprintable():
        raise invalid_field(field, "must be printable")
    return text


def new_code(choose: Callable[[str], str] = secrets.choice) -> str:
    """A random invitation code: one of 25**6 = 244 million."""
    return "".join(choose(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def link_for(code: str) -> str:
    """The link by which a code opens the app."""
    return f"{LINK}{code}"


def read_code(text: str) -> str:
    """The invitation code somebody typed, or that of a link; raises like `read_typed`."""
    field = "invitation_code"
    if len(text) > MAX_ID:
        raise invalid_field(field, f"must have {CODE_LENGTH} characters, this has {len(text)}")
    text = text.strip()
    if text[: len(LINK)].lower() == LINK:  # schemes and hosts have no case
        text = text[len(LINK) :].rstrip("/")
    return read_typed(text, field, CODE_LENGTH)


def read_typed(text: str, field: str, length: int) -> str:
    """A code somebody typed, in any case, spaces and hyphens ignored.

    A B, S or Z, which no code contains, is read as the 8, 5 or 2 it was mistaken for. Raises
    `RefusedError` (INVALID_FIELD) for what can't be a code.
    """
    if len(text) > MAX_ID:
        raise invalid_field(field, f"must have {length} characters, this has {len(text)}")
    code = "".join(text.split()).replace("-", "")
    if code.isascii():  # "ß".upper() is two letters
        code = code.upper().translate(_TWINS)
    if len(code) != length:
        raise invalid_field(field, f"must have {length} characters, this has {len(code)}")
    for letter in code:
        if letter not in CODE_ALPHABET:
            raise invalid_field(field, f"no code contains '{letter}'")
    return code
