"""A small Firebase Cloud Messaging on a real socket: its OAuth 2 endpoint, and messages:send."""

from __future__ import annotations

import contextlib
import json
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

PROJECT = "oddsocks-test"
ACCOUNT = "push@oddsocks-test.iam.gserviceaccount.com"
SCOPE = "https://www.googleapis.com/auth/firebase.messaging"


@dataclass(frozen=True, slots=True)
class Trouble:
    """An answer that is not what the client hoped for."""

    status: int
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def body(self) -> Any:
        """As Google words it."""
        kind = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
        details = [{"@type": kind, "errorCode": self.code}] if self.code else []
        return {"error": {"code": self.status, "message": "no", "details": details}}


@dataclass(slots=True)
class Firebase:
    """What a test sees of it: `messages` that were accepted, `troubles` still to come."""

    directory: Path
    key: RSAPrivateKey = field(default_factory=lambda: generate_private_key(65537, 2048))
    messages: list[Any] = field(default_factory=list)
    troubles: deque[Trouble] = field(default_factory=deque)
    good_tokens: list[str] = field(default_factory=list)
    assertions: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    def credentials(self) -> Path:
        """The service account's JSON file."""
        file = self.directory / "firebase.json"
        pem = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        account = {
            "type": "service_account",
            "project_id": PROJECT,
            "client_email": ACCOUNT,
            "private_key": pem,
            "private_key_id": "key1",
            "token_uri": f"{self.url}/token",
        }
        file.write_text(json.dumps(account))
        return file

    def sign_out(self) -> None:
        """End all access tokens before their time."""
        self.good_tokens.clear()

    def answer(self, path: str, headers: Any, body: bytes) -> tuple[int, dict[str, str], Any]:
        """What a request gets."""
        if path == "/token":
            return self._token(parse_qs(body.decode()))
        if path != f"/v1/projects/{PROJECT}/messages:send":
            return 404, {}, {}
        if self.troubles:
            trouble = self.troubles.popleft()
            return trouble.status, trouble.headers, trouble.body()
        if headers.get("authorization", "").removeprefix("Bearer ") not in self.good_tokens:
            return 401, {}, Trouble(401).body()
        self.messages.append(json.loads(body)["message"])
        return 200, {}, {"name": f"projects/{PROJECT}/messages/{len(self.messages)}"}

    def _token(self, form: dict[str, list[str]]) -> tuple[int, dict[str, str], Any]:
        assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
        (assertion,) = form["assertion"]
        options: Any = {"verify_exp": False, "verify_iat": False}
        self.assertions.append(
            jwt.decode(
                assertion,
                self.key.public_key(),
                algorithms=["RS256"],
                audience=f"{self.url}/token",
                issuer=ACCOUNT,
                options=options,
            )
        )
        self.good_tokens.append(f"access-{len(self.assertions)}")
        return 200, {}, {"access_token": self.good_tokens[-1], "expires_in": 3_600}


@contextlib.contextmanager
def firebase(directory: Path) -> Iterator[Firebase]:
    """Serves on loopback for as long as the block lasts."""
    service = Firebase(directory)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            status, headers, answer = service.answer(self.path, self.headers, body)
            data = json.dumps(answer).encode()
            self.send_response(status)
            for name, value in (headers | {"content-length": str(len(data))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()
