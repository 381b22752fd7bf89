"""The key that signs players' tokens is changed under people who play, and nobody is signed out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import jwt

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as mm
from oddsocks.rules.v1 import rules_service_pb2 as rules
from services.common.auth import KeyRing
from services.common.keys import activate_key, add_key, retire_key
from tests.contract.matchmaking.world import fresh_id
from tests.contract.permissions.scene import Site, close
from tests.fixtures.stack import running_stack

INVALID = "TOKEN_INVALID"


@asynccontextmanager
async def restarted(directory: Path) -> AsyncIterator[Site]:
    """All services, as they find keys and databases now."""
    async with running_stack(directory) as stack:
        site = Site(stack)
        yield site
        await close(site)


def key_of(token: str) -> str:
    return str(jwt.get_unverified_header(token)["kid"])


async def sign_in(site: Site) -> mm.Tokens:
    request = mm.SignInGuestRequest(request_id=fresh_id())
    tokens: mm.Tokens = (
        await site.call("matchmaking.v1.MatchmakingService/SignInGuest", request, None)
    ).tokens
    return tokens


async def refreshed(site: Site, tokens: mm.Tokens) -> mm.Tokens:
    request = mm.RefreshTokenRequest(refresh_token=tokens.refresh_token)
    fresh: mm.Tokens = (
        await site.call("matchmaking.v1.MatchmakingService/RefreshToken", request, None)
    ).tokens
    return fresh


async def let_in(site: Site, token: str) -> tuple[str, str, str]:
    """What the three services say to a token; "" for welcome."""
    return (
        await site.reason(
            "matchmaking.v1.MatchmakingService/ListMyMatches", mm.ListMyMatchesRequest(), token
        ),
        await site.reason("rules.v1.RulesService/ListGames", rules.ListGamesRequest(), token),
        await site.reason(
            "rules.v1.RulesService/GetMatch", rules.GetMatchRequest(match_id="0" * 32), token
        ),
    )


async def test_a_key_is_changed_step_by_step(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    welcome = ("", "", "MATCH_NOT_FOUND")
    async with restarted(tmp_path) as site:
        old = KeyRing.load(keys / "signing.json").active
        before = await sign_in(site)
        assert key_of(before.access_token) == old
    new = add_key(keys)
    async with restarted(tmp_path) as site:
        added = await sign_in(site)
        assert key_of(added.access_token) == old
        assert await let_in(site, before.access_token) == welcome
    activate_key(keys, new)
    async with restarted(tmp_path) as site:
        after = await sign_in(site)
        assert key_of(after.access_token) == new
        for tokens in (before, added, after):
            assert await let_in(site, tokens.access_token) == welcome
    retire_key(keys, old)
    async with restarted(tmp_path) as site:
        assert await let_in(site, before.access_token) == (INVALID, INVALID, INVALID)
        assert await let_in(site, after.access_token) == welcome
        # A refresh token is no matter of keys: who was away meanwhile comes back.
        for tokens in (before, added):
            fresh = await refreshed(site, tokens)
            assert key_of(fresh.access_token) == new
            assert await let_in(site, fresh.access_token) == welcome
