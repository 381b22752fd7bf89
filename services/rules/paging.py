"""Page tokens: where a list goes on, signed, so that only tokens we gave out for it are taken."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from dataclasses import dataclass
from typing import Any, Final

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.errors import RefusedError

_SIGNATURE: Final = 16
_MAX_TOKEN: Final = 500


@dataclass(frozen=True, slots=True)
class Pages:
    """Makes and reads tokens with a key that all processes of the service share."""

    secret: str

    def token(self, listing: str, *place: int | str) -> str:
        """A token to go on after `place` in `listing`, which names the list and its arguments."""
        body = json.dumps(place).encode()
        return base64.urlsafe_b64encode(self._sign(listing, body) + body).decode()

    def read(self, listing: str, token: str) -> list[Any] | None:
        """The place a token names; None for the first page. Raises INVALID_PAGE_TOKEN."""
        if not token:
            return None
        try:
            raw = base64.b64decode(token[: _MAX_TOKEN + 1], altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raw = b""
        signature, body = raw[:_SIGNATURE], raw[_SIGNATURE:]
        if not hmac.compare_digest(signature, self._sign(listing, body)):
            raise RefusedError(
                ErrorReason.ERROR_REASON_INVALID_PAGE_TOKEN, "page_token: not of this list"
            )
        place: list[Any] = json.loads(body)
        return place

    def _sign(self, listing: str, body: bytes) -> bytes:
        text = f"page {listing} ".encode() + body
        return hmac.digest(self.secret.encode(), text, "sha256")[:_SIGNATURE]
