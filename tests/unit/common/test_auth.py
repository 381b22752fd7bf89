"""Tokens and keys: who is believed, and who is not."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import stat
from pathlib import Path
from typing import Any

import jwt
import pytest

from oddsocks.play.v1.errors_pb2 import ErrorReason
from services.common.auth import (
    KeyRing,
    Kind,
    Principal,
    ServiceTokens,
    TokenVerifier,
    act_as,
    caller,
    read_secret,
)
from services.common.errors import RefusedError
from services.common.keys import ensure_keys, main
from tests.fixtures.sql import ManualClock

SECRET = "s" * 40
HOUR_MS = 3_600_000


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def ring() -> KeyRing:
    return KeyRing.generate()


@pytest.fixture
def verifier(ring: KeyRing, clock: ManualClock) -> TokenVerifier:
    return TokenVerifier(ring, SECRET, clock)


def sign(ring: KeyRing, clock: ManualClock) -> str:
    return ring.sign("anna", now_ms=clock(), expires_at_ms=clock() + HOUR_MS)


def private_key(ring: KeyRing) -> str:
    key = ring.keys[ring.active].private
    assert key is not None
    return key


def refused(verifier: TokenVerifier, token: str, reason: str) -> None:
    with pytest.raises(RefusedError) as caught:
        verifier.verify(token)
    assert ErrorReason.Name(caught.value.reason) == f"ERROR_REASON_{reason}"
    assert token == "" or token not in caught.value.message


def test_a_players_token_speaks_for_the_player_until_it_ends(
    ring: KeyRing, verifier: TokenVerifier, clock: ManualClock
) -> None:
    token = sign(ring, clock)
    assert verifier.verify(token) == Principal(Kind.PLAYER, "anna")
    clock.advance(HOUR_MS - 1)
    assert verifier.verify(token) == Principal(Kind.PLAYER, "anna")
    clock.advance(1)
    refused(verifier, token, "TOKEN_EXPIRED")
    refused(TokenVerifier(ring, SECRET, clock), token, "TOKEN_EXPIRED")


def test_a_services_token_speaks_for_the_service_and_is_renewed_in_time(
    verifier: TokenVerifier, clock: ManualClock
) -> None:
    tokens = ServiceTokens("ai", SECRET, clock)
    first = tokens.current()
    for _ in range(20):
        assert verifier.verify(tokens.current()) == Principal(Kind.SERVICE, "ai")
        clock.advance(30_000)
    assert tokens.current() != first
    refused(verifier, first, "TOKEN_EXPIRED")
    refused(verifier, ServiceTokens("ai", "x" * 40, clock).current(), "TOKEN_INVALID")


def test_a_changed_token_is_not_believed(
    ring: KeyRing, verifier: TokenVerifier, clock: ManualClock
) -> None:
    header, claims, signature = sign(ring, clock).split(".")
    payload = json.loads(base64.urlsafe_b64decode(claims + "=="))
    payload["sub"] = "ben"
    forged = base64.urlsafe_b64encode(json.dumps(payload).encode()).decode().rstrip("=")
    other = sign(ring, clock).split(".")[2]
    for token in (
        f"{header}.{forged}.{signature}",
        f"{header}.{claims}.{other}",
        f"{header}.{claims}.",
        f"{header}.{claims}",
    ):
        refused(verifier, token, "TOKEN_INVALID")


def test_a_key_from_elsewhere_is_not_believed_even_under_our_keys_id(
    ring: KeyRing, verifier: TokenVerifier, clock: ManualClock
) -> None:
    foreign = KeyRing.generate()
    refused(verifier, sign(foreign, clock), "TOKEN_INVALID")
    disguised = KeyRing(ring.active, {ring.active: foreign.keys[foreign.active]})
    refused(verifier, sign(disguised, clock), "TOKEN_INVALID")


def by_hand(header: dict[str, Any], claims: dict[str, Any], key: str = "") -> str:
    """A token with an HMAC of any key, which PyJWT refuses to make; without a key, unsigned."""

    def encode(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).decode().rstrip("=")

    signed = f"{encode(json.dumps(header).encode())}.{encode(json.dumps(claims).encode())}"
    mac = hmac.digest(key.encode(), signed.encode(), "sha256") if key else b""
    return f"{signed}.{encode(mac)}"


def test_another_algorithm_or_audience_is_not_believed(
    ring: KeyRing, verifier: TokenVerifier, clock: ManualClock
) -> None:
    kid, private = {"kid": ring.active}, private_key(ring)
    public = ring.keys[ring.active].public
    player = {"sub": "anna", "aud": "oddsocks-player", "exp": clock() // 1000 + 60}
    service = player | {"aud": "oddsocks-service"}
    hs256 = {"alg": "HS256", **kid}
    for token in (
        by_hand({"alg": "none", **kid}, player),
        by_hand({"alg": "None", **kid}, player),
        by_hand({"alg": "none"}, service),
        by_hand(hs256, service),
        by_hand({"alg": "EdDSA", **kid}, player, public),
        # Our public key as an HMAC secret.
        by_hand(hs256, player, public),
        by_hand(hs256, service, public),
        # One kind's claims under the other kind's key.
        by_hand(hs256, player, SECRET),
        jwt.encode(service, private, algorithm="EdDSA", headers=kid),
        jwt.encode({**player, "aud": "other"}, private, algorithm="EdDSA", headers=kid),
    ):
        refused(verifier, token, "TOKEN_INVALID")
    # The same claims under the right key are believed, so it is the key that was wrong.
    good = jwt.encode(player, private, algorithm="EdDSA", headers=kid)
    assert verifier.verify(good) == Principal(Kind.PLAYER, "anna")
    assert verifier.verify(by_hand(hs256, service, SECRET)) == Principal(Kind.SERVICE, "anna")


def test_incomplete_tokens_are_not_believed(
    ring: KeyRing, verifier: TokenVerifier, clock: ManualClock
) -> None:
    private = private_key(ring)
    whole = {"sub": "anna", "aud": "oddsocks-player", "exp": clock() // 1000 + 60}
    for missing in whole:
        claims = {name: value for name, value in whole.items() if name != missing}
        token = jwt.encode(claims, private, algorithm="EdDSA", headers={"kid": ring.active})
        refused(verifier, token, "TOKEN_INVALID")
    for headers in ({}, {"kid": "other"}):
        token = jwt.encode(whole, private, algorithm="EdDSA", headers=headers)
        refused(verifier, token, "TOKEN_INVALID")


@pytest.mark.parametrize(
    "token",
    ["", ".", "..", "a.b.c", "é.é.é", "\0", "x" * 10_000, "W1tb" * 900 + ".a.b"],
    ids=["empty", "dot", "dots", "letters", "accents", "nul", "long", "nested"],
)
def test_what_is_no_token_is_not_believed(verifier: TokenVerifier, token: str) -> None:
    refused(verifier, token, "TOKEN_INVALID")


def test_keys_rotate_without_signing_anybody_out(clock: ManualClock) -> None:
    old, new = KeyRing.generate(), KeyRing.generate()
    token = sign(old, clock)
    both = KeyRing(new.active, old.keys | new.keys)
    verifier = TokenVerifier(both, SECRET, clock)
    assert verifier.verify(token).id == "anna"
    assert jwt.get_unverified_header(sign(both, clock))["kid"] == new.active
    refused(TokenVerifier(new, SECRET, clock), token, "TOKEN_INVALID")


def test_the_memory_of_known_tokens_is_bounded(
    ring: KeyRing, verifier: TokenVerifier, clock: ManualClock
) -> None:
    first = sign(ring, clock)
    verifier.verify(first)
    verifier._known |= {f"old {n}": verifier._known[first] for n in range(4_095)}
    for _ in range(2):
        verifier.verify(sign(ring, clock))
    assert len(verifier._known) <= 4_096
    assert verifier.verify(first).id == "anna"


async def test_the_caller_is_set_for_one_task_only() -> None:
    anna, ai = Principal(Kind.PLAYER, "anna"), Principal(Kind.SERVICE, "ai")

    async def serve(principal: Principal) -> Principal:
        act_as(principal)
        await asyncio.sleep(0)
        return caller()

    assert await asyncio.gather(*(asyncio.create_task(serve(p)) for p in (anna, ai))) == [anna, ai]
    with pytest.raises(LookupError):
        caller()


def test_tokens_of_an_ended_session_are_refused_and_older_ones_have_no_generation(
    ring: KeyRing, clock: ManualClock
) -> None:
    least = 0
    verifier = TokenVerifier(ring, SECRET, clock, lambda who: who.generation < least)
    ends = clock() + 60_000
    old = ring.sign("anna", now_ms=clock(), expires_at_ms=ends)
    new = ring.sign("anna", now_ms=clock(), expires_at_ms=ends, generation=1)
    before = jwt.encode(
        {"aud": "oddsocks-player", "sub": "anna", "exp": ends // 1_000},
        private_key(ring),
        algorithm="EdDSA",
        headers={"kid": ring.active},
    )
    for token, generation in ((old, 0), (new, 1), (before, 0)):
        assert verifier.verify(token) == Principal(Kind.PLAYER, "anna", generation)
    least = 1
    for token in (old, before):
        with pytest.raises(RefusedError) as caught:
            verifier.verify(token)
        assert caught.value.reason == ErrorReason.ERROR_REASON_TOKEN_INVALID
    assert verifier.verify(new).id == "anna"


def test_key_files_are_made_once_and_kept_private(tmp_path: Path, clock: ManualClock) -> None:
    assert main([str(tmp_path / "keys")]) == 0
    files = {path.name: path.read_text() for path in (tmp_path / "keys").iterdir()}
    assert set(files) == {"signing.json", "verify.json", "service.secret"}
    for path in (tmp_path / "keys").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    ensure_keys(tmp_path / "keys")
    assert files == {path.name: path.read_text() for path in (tmp_path / "keys").iterdir()}

    assert "PRIVATE" in files["signing.json"]
    assert "PRIVATE" not in files["verify.json"]
    signing = KeyRing.load(tmp_path / "keys" / "signing.json")
    verify = KeyRing.load(tmp_path / "keys" / "verify.json")
    secret = read_secret(tmp_path / "keys" / "service.secret")
    assert TokenVerifier(verify, secret, clock).verify(sign(signing, clock)).id == "anna"
    with pytest.raises(ValueError, match="no private key"):
        sign(verify, clock)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"active": "a", "keys": {}}', '{"active": "a", "keys": 1}']
)
def test_a_file_without_keys_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "signing.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"signing\.json holds no keys"):
        KeyRing.load(path)


def test_a_weak_secret_is_named(tmp_path: Path) -> None:
    path = tmp_path / "service.secret"
    path.write_text("short\n")
    with pytest.raises(ValueError, match=r"service\.secret: a secret needs at least 32 characters"):
        read_secret(path)


def test_the_keys_command_says_in_one_line_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main([str(tmp_path / "file")]) == 1
    problem = capsys.readouterr().err
    assert problem.startswith("keys: ")
    assert problem.count("\n") == 1


def test_a_key_is_changed_without_ending_a_token_before_its_time(
    tmp_path: Path, clock: ManualClock, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = str(tmp_path / "keys")

    def keys(*arguments: str) -> str:
        assert main([directory, *arguments]) == 0
        return capsys.readouterr().out.strip()

    def signed() -> str:
        return sign(KeyRing.load(tmp_path / "keys/signing.json"), clock)

    def verifies(token: str) -> bool:
        ring = KeyRing.load(tmp_path / "keys/verify.json")
        try:
            return TokenVerifier(ring, SECRET, clock).verify(token).id == "anna"
        except RefusedError:
            return False

    keys()
    old = keys("--list").split()[0]
    before = signed()
    new = keys("--add")
    added = signed()
    keys("--activate", new)
    after = signed()
    assert [jwt.get_unverified_header(t)["kid"] for t in (before, added, after)] == [old, old, new]
    assert verifies(before)
    assert verifies(after)
    assert sorted(keys("--list").splitlines()) == sorted([old, f"{new}  signs"])
    keys("--retire", old)
    assert not verifies(before)
    assert verifies(after)
    assert "PRIVATE" not in (tmp_path / "keys/verify.json").read_text()
    for arguments in (("--retire", new), ("--activate", old), ("--retire", "nonsense")):
        assert main([directory, *arguments]) == 1
        problem = capsys.readouterr().err
        assert problem.startswith("keys: ")
        assert arguments[1] in problem
    assert verifies(after)
