"""Players and tables from the first schema live on under this one."""

from __future__ import annotations

import hashlib
from pathlib import Path

from alembic import command
from alembic.config import Config
from grpc import StatusCode
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from oddsocks.matchmaking.v1 import matchmaking_service_pb2 as pb
from services.common.clock import system_clock
from services.common.database import connect
from services.matchmaking import schema
from tests.contract.matchmaking.people import Device, device
from tests.contract.matchmaking.world import refused, running_world

ANNA, BEN, TABLE, MATCH = "a" * 32, "b" * 32, "c" * 32, "d" * 32
SIGN_IN, REFRESH, CODE = "the first sign-in of all", "a refresh token", "222222"
DAY_MS = 24 * 3_600_000


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


async def first_schema(engine: AsyncEngine) -> None:
    def upgrade(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(schema.MIGRATIONS))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "matchmaking_0001")

    async with engine.begin() as db:
        await db.run_sync(upgrade)


async def first_rows(engine: AsyncEngine) -> None:
    """What the first version wrote: two players, a table that waits, a match under way."""
    now = system_clock()
    rows: list[tuple[str, dict[str, object]]] = []
    for player, name, sign_in in ((ANNA, "Anna", SIGN_IN), (BEN, "Ben", "another")):
        made = {"player_id": player, "display_name": name, "sign_in_sha256": digest(sign_in)}
        rows.append(("players", made | {"created_at_ms": now}))
    rows.append(("token_families", {"family_id": "f", "player_id": ANNA}))
    token = {"token_sha256": digest(REFRESH), "family_id": "f", "expires_at_ms": now + DAY_MS}
    rows.append(("refresh_tokens", token))
    table = {
        "host_id": ANNA,
        "game": "socker",
        "options": "{}",
        "pace": "live",
        "opened_at_ms": now,
        "tried_at_ms": now,
    }
    rows.append(("tables", table | {"table_id": TABLE, "status": "open", "code": CODE}))
    started = {"table_id": "e" * 32, "status": "started", "match_id": MATCH}
    rows.append(("tables", table | started))
    for table_id, seat, sitting, name in (
        (TABLE, 0, ANNA, "Anna"),
        (TABLE, 1, None, ""),
        ("e" * 32, 0, ANNA, "Anna"),
        ("e" * 32, 1, BEN, "Ben"),
    ):
        sat = {"table_id": table_id, "seat": seat, "player_id": sitting, "display_name": name}
        rows.append(("table_seats", sat | {"kept": False}))
    async with engine.begin() as db:
        for name, values in rows:
            columns = ", ".join(values)
            places = ", ".join(f":{column}" for column in values)
            await db.execute(text(f"INSERT INTO {name} ({columns}) VALUES ({places})"), values)


async def test_players_and_tables_of_the_first_schema_go_on(
    empty_database_url: str, tmp_path: Path
) -> None:
    engine = connect(empty_database_url)
    await first_schema(engine)
    await first_rows(engine)
    await engine.dispose()
    async with running_world(empty_database_url, tmp_path) as world:
        anna = await device(world, "Anna", SIGN_IN)
        assert anna.id == ANNA
        again = await Device(
            anna.channel, anna.player, pb.Tokens(refresh_token=REFRESH)
        ).refreshed()
        assert (await again.accounts("GetProfile")).profile.player == pb.Player(
            player_id=ANNA, display_name="Anna"
        )
        assert {row.table.table_id for row in (await anna.guest.mine()).matches} == {
            TABLE,
            "e" * 32,
        }
        cem = await device(world, "Cem")
        joined = await cem.guest.join(CODE)
        assert joined.status == pb.TABLE_STATUS_STARTED
        # New things are for old accounts, too.
        await cem.friends("AddFriend", friend_code=await anna.friend_code())
        await anna.accounts("SignOutEverywhere")
        with refused(StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"):
            await again.refreshed()
