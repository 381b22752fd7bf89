"""Two things at the same moment to one account: one transaction waits while the other ends.

Each test holds a transaction open in which one thing has been done, begins the other, and commits
a moment later. Should the other not have got so far by then, the test passes without a reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from grpc import StatusCode
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from services.common.database import connect
from services.matchmaking import schema
from services.matchmaking.people import account_store
from services.matchmaking.people.codes import digest
from services.matchmaking.ratings import store as rating_store
from services.matchmaking.ratings.skill import Rating
from tests.contract.matchmaking.people import device
from tests.contract.matchmaking.world import World, refused

A_MOMENT_S = 0.5


@pytest.fixture
async def engine(world: World) -> AsyncIterator[AsyncEngine]:
    engine = connect(world.database_url)
    yield engine
    await engine.dispose()


@pytest.mark.parametrize(
    "method", ["CreateLinkCode", "CreateRecoveryCode", "SignOutEverywhere", "DeleteAccount"]
)
async def test_who_is_being_signed_out_changes_the_account_no_more(
    world: World, engine: AsyncEngine, method: str
) -> None:
    """A thief who knows what is coming could come back by a code else."""
    anna = await device(world)
    async with engine.begin() as db:
        await account_store.lock(db, anna.id)
        await account_store.change(db, anna.id, generation=1)
        call = asyncio.create_task(anna.accounts(method))
        await asyncio.sleep(A_MOMENT_S)
    with refused(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"):
        await call
    async with engine.connect() as db:
        account = await account_store.account(db, anna.id)
        assert account is not None
        assert (account.generation, account.has_recovery_code) == (1, False)
        assert (await db.execute(select(schema.link_codes))).all() == []


async def test_an_account_is_deleted_although_a_device_refreshes_its_tokens(
    world: World, engine: AsyncEngine
) -> None:
    anna = await device(world)
    async with engine.begin() as db:
        token = await account_store.lock_token(db, digest(anna.tokens.refresh_token))
        assert token is not None
        await account_store.add_token(db, digest("next"), token.family_id, token.expires_at_ms)
        call = asyncio.create_task(anna.accounts("DeleteAccount"))
        await asyncio.sleep(A_MOMENT_S)
    await call
    async with engine.connect() as db:
        assert (await db.execute(select(schema.refresh_tokens))).all() == []
        assert (await db.execute(select(schema.token_families))).all() == []


async def test_a_match_that_ends_during_a_deletion_leaves_no_rating(
    world: World, engine: AsyncEngine
) -> None:
    anna, ben = await device(world), await device(world)

    async def ratings() -> dict[str, Rating]:
        async with engine.begin() as db:
            return await rating_store.lock_ratings(db, [anna.id, ben.id], "socker", "")

    async with engine.begin() as db:
        await account_store.lock(db, anna.id)
        await account_store.change(db, anna.id, deleted_at_ms=world.clock())
        found = asyncio.create_task(ratings())
        await asyncio.sleep(A_MOMENT_S)
    assert set(await found) == {ben.id}
    async with engine.connect() as db:
        rows = (await db.execute(select(schema.ratings.c.player_id))).scalars().all()
        assert set(rows) == {ben.id}
