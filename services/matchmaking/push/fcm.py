"""Reaching phones through Firebase Cloud Messaging, by its HTTP v1 API.

https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages and, for the access token,
https://developers.google.com/identity/protocols/oauth2/service-account.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Final

import httpx
import jwt
import structlog

from services.common.clock import Clock
from services.matchmaking.push.senders import (
    TTL_S,
    Gone,
    Kind,
    Later,
    Message,
    Refused,
    Result,
    Sent,
)

_log = structlog.get_logger("push")

TIMEOUT_S: Final = 5.0
SCOPE: Final = "https://www.googleapis.com/auth/firebase.messaging"
_GRANT: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_ASSERTION_S: Final = 3_600
_MARGIN_MS: Final = 60_000
_GONE: Final = frozenset({"UNREGISTERED", "SENDER_ID_MISMATCH"})


class _NoAccessError(Exception):
    """No access token could be had."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """A service account, as its JSON file says."""

    project_id: str
    client_email: str
    private_key: str = field(repr=False)
    private_key_id: str
    token_uri: str

    @staticmethod
    def load(path: Path) -> Credentials:
        """Read the file; raises OSError, or ValueError for one that can't sign."""
        try:
            data = json.loads(path.read_text())
            names = ("project_id", "client_email", "private_key", "private_key_id", "token_uri")
            found = Credentials(**{name: str(data[name]) for name in names})
            found.assertion(0)
        except (KeyError, TypeError, ValueError, jwt.PyJWTError) as error:
            raise ValueError(
                f"{path} is no service account's JSON file; check ODDSOCKS_FCM_CREDENTIALS_FILE"
            ) from error
        return found

    def assertion(self, now_ms: int) -> str:
        """What an access token is asked for with."""
        now_s = now_ms // 1_000
        claims = {
            "iss": self.client_email,
            "scope": SCOPE,
            "aud": self.token_uri,
            "iat": now_s,
            "exp": now_s + _ASSERTION_S,
        }
        headers = {"kid": self.private_key_id}
        return jwt.encode(claims, self.private_key, algorithm="RS256", headers=headers)


class FcmSender:
    """See `Sender`. `url` is where the API is, without its path."""

    def __init__(self, credentials: Credentials, url: str, clock: Clock) -> None:
        self._credentials, self._clock = credentials, clock
        self._send_url = f"{url}/v1/projects/{credentials.project_id}/messages:send"
        self._http = httpx.AsyncClient(timeout=TIMEOUT_S)
        self._token, self._renew_at_ms = "", 0
        self._renewing = asyncio.Lock()

    async def send(self, message: Message) -> Result:
        """See `Sender`."""
        body = {"message": body_of(message)}
        try:
            token = await self._access()
            answer = await self._post(body, token)
            if answer.status_code == httpx.codes.UNAUTHORIZED:  # ended before its time
                self._forget(token)
                answer = await self._post(body, await self._access())
        except (httpx.HTTPError, _NoAccessError) as error:
            # Not what it says: a URL or an answer may hold a secret.
            _log.warning("push service away", error=type(error).__name__)
            return Later()
        return self._result(answer)

    async def close(self) -> None:
        """See `Sender`."""
        await self._http.aclose()

    async def _post(self, body: Any, token: str) -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"}
        return await self._http.post(self._send_url, json=body, headers=headers)

    async def _access(self) -> str:
        """An access token that is good for a minute; raises `_NoAccessError` or httpx's errors."""
        async with self._renewing:
            now_ms = self._clock()
            if now_ms >= self._renew_at_ms:
                form = {"grant_type": _GRANT, "assertion": self._credentials.assertion(now_ms)}
                answer = await self._http.post(self._credentials.token_uri, data=form)
                try:
                    answer.raise_for_status()
                    data = answer.json()
                    self._token = str(data["access_token"])
                    lifetime_ms = int(data["expires_in"]) * 1_000
                except (ValueError, KeyError, TypeError) as error:
                    raise _NoAccessError from error
                self._renew_at_ms = now_ms + max(0, lifetime_ms - _MARGIN_MS)
            return self._token

    def _forget(self, token: str) -> None:
        if token == self._token:
            self._renew_at_ms = 0

    def _result(self, answer: httpx.Response) -> Result:
        status, codes = answer.status_code, error_codes(answer)
        if answer.is_success:
            return Sent()
        if codes & _GONE:
            return Gone()
        if status in (401, 408, 429) or status >= 500:
            _log.warning("push service busy", status=status)
            return Later(self._retry_after_s(answer))
        _log.error("push refused", status=status, codes=sorted(codes))
        return Refused()

    def _retry_after_s(self, answer: httpx.Response) -> float:
        """Seconds, or a date; 0 for neither."""
        text = answer.headers.get("retry-after", "")
        if text.isdecimal():
            return float(text)
        try:
            when = parsedate_to_datetime(text)
        except ValueError:
            return 0.0
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        now = datetime.fromtimestamp(self._clock() / 1_000, UTC)
        return max(0.0, (when - now).total_seconds())


def body_of(message: Message) -> dict[str, Any]:
    """The `Message` of the API: ids and keys of texts that the app has, in its own language."""
    subject, key = message.subject_id, f"push_{message.kind.name.lower()}"
    name = "table_id" if message.kind is Kind.INVITED else "match_id"
    return {
        "token": message.token,
        "data": {"kind": message.kind.name.lower(), name: subject},
        "android": {
            "collapse_key": subject,
            "priority": "HIGH",
            "ttl": f"{TTL_S}s",
            "notification": {
                "tag": subject,
                "title_loc_key": f"{key}_title",
                "body_loc_key": f"{key}_body",
            },
        },
        "apns": {
            "headers": {"apns-collapse-id": subject},
            "payload": {
                "aps": {
                    "alert": {"title-loc-key": f"{key}_title", "loc-key": f"{key}_body"},
                    "thread-id": subject,
                }
            },
        },
    }


def error_codes(answer: httpx.Response) -> frozenset[str]:
    """The error codes of FCM in an answer, beside its status."""
    try:
        details = answer.json()["error"].get("details", [])
        return frozenset(detail["errorCode"] for detail in details if "errorCode" in detail)
    except (ValueError, KeyError, TypeError, AttributeError):
        return frozenset()
