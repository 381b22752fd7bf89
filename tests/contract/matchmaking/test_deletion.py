"""A deleted account: nothing leads back to who it was, and nobody else loses anything."""

from __future__ import annotations

import re
from typing import Any

from grpc import StatusCode
from sqlalchemy import select

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from oddsocks.matchmaking.v1 import tickets_service_pb2 as tickets_pb
from oddsocks.matchmaking.v1.tickets_service_pb2_grpc import TicketsServiceStub
from services.common.database import connect
from services.matchmaking import schema
from tests.contract.matchmaking.people import device, linked, recovered, told
from tests.contract.matchmaking.world import OPEN, SELF, World, agent, fresh_id, refused

PLAYER_COLUMN = re.compile(r"(player|host|friend|blocked|guest|owner|inviter|person|user)_id$")


def test_every_column_that_holds_a_player_says_what_a_deletion_does() -> None:
    silent = [
        str(column)
        for table in schema.metadata.sorted_tables
        for column in table.columns
        if (
            PLAYER_COLUMN.search(column.name)
            or any(key.column.table is schema.players for key in column.foreign_keys)
        )
        and column.info.get(schema.ON_DELETION) not in ("keep", "forget")
        and table.name not in ("players", "ended_sessions")
    ]
    assert silent == []


async def test_a_deleted_account_can_not_be_used_or_got_back(world: World) -> None:
    sign_in = fresh_id()
    anna = await device(world, "Anna Karenina", sign_in)
    code = (await anna.accounts("CreateRecoveryCode")).recovery_code
    used = (await anna.accounts("CreateLinkCode")).link_code
    tablet = await linked(world, used, "the tablet's own request")
    unused = (await anna.accounts("CreateLinkCode")).link_code
    friend_code = await anna.friend_code()
    ben = await device(world, "Ben")

    await anna.accounts("DeleteAccount")

    for one in (anna, tablet):
        for call in (
            one.accounts("GetProfile"),
            one.friends("ListFriends"),
            one.guest.mine(),
            one.guest.open(SELF, OPEN),
        ):
            with refused(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"):
                await call
        with refused(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"):
            await one.refreshed()
    for lost in (
        recovered(world, code),
        linked(world, unused),
        linked(world, used, "the tablet's own request"),
        ben.friends("AddFriend", friend_code=friend_code),
    ):
        with refused(StatusCode.NOT_FOUND, "CODE_NOT_FOUND"):
            await lost
    with refused(StatusCode.NOT_FOUND, "PLAYER_NOT_FOUND"):
        await ben.friends("BlockPlayer", player_id=anna.id)
    assert (await device(world, "Anna Karenina", sign_in)).id != anna.id


async def test_what_others_see_of_a_deleted_account_is_a_guest(world: World) -> None:
    anna, ben = await device(world, "Anna Karenina"), await device(world, "Ben")
    await ben.friends("AddFriend", friend_code=await anna.friend_code())
    started = await anna.guest.open(SELF, OPEN)
    started = await ben.guest.join(started.invitation_code)
    await ben.friends("BlockPlayer", player_id=anna.id)
    with_agent = await anna.guest.open(SELF, agent())

    await anna.accounts("DeleteAccount")

    stored = await world.dump()
    assert "Karenina" not in stored
    table = await ben.guest.get(started.table_id)
    assert [(seat.player_id, seat.display_name) for seat in table.seats] == [
        (anna.id, "Guest"),
        (ben.id, "Ben"),
    ]
    assert table.match_id == started.match_id
    assert await ben.friend_ids() == []
    assert not (await ben.friends("ListBlockedPlayers")).players
    (row,) = (await ben.guest.mine()).matches
    assert row.table.seats[0].display_name == "Guest"
    assert with_agent.match_id  # rules gives up its seat when it is told:
    assert [
        (one.player_id, one.generation, one.display_name) for one in world.rules.players.forgotten
    ] == [(anna.id, 1, "Guest")]


async def test_tables_that_wait_are_left(world: World) -> None:
    anna, ben = await device(world, "Anna"), await device(world, "Ben")
    own = await anna.guest.open(SELF, OPEN)
    others = await ben.guest.open(SELF, OPEN, OPEN, game="sock_monsters")
    await anna.guest.join(others.invitation_code)
    played = await ben.guest.open(SELF, OPEN)
    played = await anna.guest.join(played.invitation_code)
    world.rules.end(played.match_id, in_feed=True)
    rematch = await ben.guest.rematch(played.match_id)

    await anna.accounts("DeleteAccount")

    with refused(StatusCode.FAILED_PRECONDITION, "TABLE_CLOSED"):
        await ben.guest.join(own.invitation_code)
    left = await ben.guest.get(others.table_id)
    assert left.status == pb.TABLE_STATUS_OPEN
    assert [seat.player_id for seat in left.seats] == [ben.id, "", ""]
    # The seat of the rematch that was kept for her is free for whoever has the code.
    cem = await device(world, "Cem")
    taken = await cem.guest.join(rematch.invitation_code)
    assert taken.status == pb.TABLE_STATUS_STARTED
    assert {seat.player_id for seat in taken.seats} == {ben.id, cem.id}


async def test_rules_is_told_once_it_can_be(world: World) -> None:
    anna = await device(world, "Anna")
    await anna.accounts("SignOutEverywhere", keep_refresh_token=anna.tokens.refresh_token)
    anna = await anna.refreshed()
    await world.to_rules.go()
    await anna.accounts("DeleteAccount")
    assert world.rules.players.forgotten == []
    await world.to_rules.come()
    await told(world, lambda: world.rules.players.forgotten)
    assert [one.player_id for one in world.rules.players.forgotten] == [anna.id]


async def test_no_row_is_left_that_the_schema_does_not_mean_to_keep(world: World) -> None:
    anna, ben = await device(world, "Anna"), await device(world, "Ben")
    await ben.friends("AddFriend", friend_code=await anna.friend_code())
    await anna.friends("BlockPlayer", player_id=(await device(world)).id)
    await anna.accounts("CreateLinkCode")
    await anna.accounts("CreateRecoveryCode")
    await anna.accounts("UpdateProfile", picture="yeti", language="de")
    table = await anna.guest.open(SELF, OPEN)
    await ben.guest.join(table.invitation_code)
    stub: Any = TicketsServiceStub(anna.channel)
    await stub.OpenTicket(
        tickets_pb.OpenTicketRequest(request_id=fresh_id(), game="socker", seats=2),
        metadata=(("authorization", f"Bearer {anna.tokens.access_token}"),),
        timeout=20,
    )
    held = await tables_with(world, anna.id)
    assert {"token_families", "friends", "blocks", "link_codes", "requests", "tickets"} <= held

    await anna.accounts("DeleteAccount")

    kept = {
        column.table.name
        for table in schema.metadata.sorted_tables
        for column in table.columns
        if column.info == schema.KEEP
    }
    assert await tables_with(world, anna.id) <= kept | {"players", "ended_sessions"}


async def tables_with(world: World, player_id: str) -> set[str]:
    """The names of all tables with a row that holds an id anywhere."""
    engine = connect(world.database_url)
    try:
        async with engine.connect() as db:
            return {
                table.name
                for table in schema.metadata.sorted_tables
                for row in await db.execute(select(table))
                if player_id in str(tuple(row))
            }
    finally:
        await engine.dispose()
