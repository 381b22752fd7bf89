"""Whoever goes, comes back, rests or gives up: a match never stands still, and it ends.

The promise is asked of the database itself: a match that goes on has an agent that is to act, or a
deadline. From there on only two things need to happen, and do by themselves: agents act, and the
sweep acts on deadlines.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from oddsocks.play.v1 import play_pb2
from services.common.database import connect, migrate
from services.common.errors import RefusedError
from services.engine.core.options import resolve
from services.engine.core.registry import ruleset
from services.rules import wishes
from services.rules.absence import ComeBack, Vacation
from services.rules.cache import LocalNotices
from services.rules.match import MatchInfo, Move, Occupant, Position
from services.rules.matches import Matches, NewMatch
from services.rules.service import MIGRATIONS
from services.rules.store import Request
from services.rules.store.sql import SqlStore
from services.rules.store.submit_sqlite import SqliteSubmit
from services.rules.store.tables import MATCHES
from services.rules.sweep import Deadlines
from services.rules.table_rules import DAY_MS, read_rules
from services.rules.wakes import Wakes
from tests.fixtures.sql import ManualClock

LIMIT: Final = 3_000
"""More events than any of these matches has."""
GAMES: Final[dict[str, dict[str, Any]]] = {
    "socker": {"turn_limit": 2, "sudden_cap": 1},
    "sock_monsters": {},
}

SEATS: Final = st.lists(st.sampled_from(["anna", "ben", "carla", "ai"]), min_size=2, max_size=4)
AGREED: Final = st.fixed_dictionaries(
    {
        "pace": st.sampled_from(["PACE_LIVE", "PACE_DAYS"]),
        "absence": st.sampled_from(play_pb2.AbsenceRule.values()),
        "turn_seconds": st.sampled_from([0, 10, 60]),
        "turn_days": st.sampled_from([0, 1, 14]),
        "reserve_seconds": st.sampled_from([0, 30]),
    }
)
STEP: Final = st.tuples(
    st.sampled_from(
        # What is to happen often stands there often.
        [
            *("act", "act", "act", "agent", "agent", "late", "late", "almost"),
            *("wait", "back", "back", "rest", "undo", "resign"),
        ]
    ),
    st.integers(0, 1_000),
)


class World:
    """One rules service on one database, whose clock stands until it is moved."""

    def __init__(self, engine: AsyncEngine, path: SqliteSubmit, loop: asyncio.Runner) -> None:
        self.engine, self.loop, self.clock = engine, loop, ManualClock()
        self.matches = Matches(SqlStore(engine), path, LocalNotices(Wakes()), self.clock)
        self.sweep = Deadlines(engine, self.matches)
        self.requests = 0

    async def submit(self, info: MatchInfo, wish: Any) -> None:
        """What somebody wants, refused or not."""
        self.requests += 1
        with contextlib.suppress(RefusedError):
            await self.matches.submit(info, wish, Request("p", f"{self.requests}"), _reply)

    async def act(self, info: MatchInfo, position: Position, pick: int, *, agent: bool) -> None:
        """The seat to act does something legal, by its person or an agent."""
        if position.actor is None:
            return
        legal = info.ruleset.legal_actions(position.state)
        action = legal[pick % len(legal)]
        move = Move(position.actor, position.revision, action, by_agent=agent)
        await self.submit(info, move)

    async def row(self, info: MatchInfo) -> Any:
        """Where the match stands in SQL."""
        query = select(MATCHES).where(MATCHES.c.match_id == info.match_id)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).one()

    async def stands_still(self, info: MatchInfo) -> bool:
        """Whether the match goes on, and nothing will ever happen in it by itself."""
        row = await self.row(info)
        return row.outcome is row.deadline_ms is row.waiting_agent is None


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with asyncio.Runner() as loop:
        file: Path = tmp_path_factory.mktemp("stalls") / "rules.db"
        engine = connect(f"sqlite:///{file}")
        loop.run(migrate(engine, MIGRATIONS))
        path = SqliteSubmit(str(file))
        yield World(engine, path, loop)
        loop.run(path.close())
        loop.run(engine.dispose())


@given(
    game=st.sampled_from(sorted(GAMES)),
    seats=SEATS,
    agreed=AGREED,
    steps=st.lists(STEP, max_size=40),
)
# A failure is shown as it was found: to make it smaller would take minutes of writing to a disk.
@settings(max_examples=60, phases=[Phase.generate])
def test_a_match_never_stands_still_and_ends(
    world: World,
    game: str,
    seats: list[str],
    agreed: dict[str, Any],
    steps: list[tuple[str, int]],
) -> None:
    world.loop.run(_play(world, game, seats, agreed, steps))


async def _play(
    world: World, game: str, names: list[str], agreed: dict[str, Any], steps: list[tuple[str, int]]
) -> None:
    rules = ruleset(game)
    occupants = tuple(
        Occupant(name, agent="random") if name == "ai" else Occupant(name, name)
        for name in names[: rules.max_seats]
    )
    table = read_rules(
        play_pb2.TableRules(**agreed), 0, len({o.player_id for o in occupants if o.player_id})
    )
    new = NewMatch(
        rules, resolve(rules.option_specs, GAMES[game]), occupants, table.pace, "", table
    )
    world.requests += 1
    match_id = await world.matches.create(new, Request("m", f"{world.requests}"), b"")
    info = await world.matches.info(match_id)
    assert info is not None
    reserves = [table.reserve_ms] * len(occupants)
    for what, number in steps:
        position = await world.matches.current(info)
        await _step(world, info, position, what, number)
        after = await world.matches.current(info)
        assert after.revision >= position.revision
        assert not await world.stands_still(info)
        for seat, time in enumerate(after.clock.seats):
            if time is not None:
                assert time.reserve_ms <= reserves[seat], "a reserve never grows"
                reserves[seat] = time.reserve_ms
    await _nobody_cares(world, info)


async def _step(world: World, info: MatchInfo, position: Position, what: str, number: int) -> None:
    """Something that somebody does, or that time does."""
    seat = number % len(info.seats)
    persons = info.seats[seat].player_id is not None
    match what:
        case "act":
            await world.act(info, position, number, agent=False)
        case "agent":
            await world.act(info, position, number, agent=True)
        case "wait":
            world.clock.advance(number * 100)
            await world.sweep.round()
        case "late" | "almost":
            due_ms = (await world.row(info)).deadline_ms
            if due_ms is not None:
                early_ms = 1 if what == "almost" else 0
                world.clock.advance(max(0, due_ms - world.clock() - early_ms))
                await world.sweep.round()
                moved = (await world.matches.current(info)).revision > position.revision
                assert moved == (what == "late")
        case "back" if persons:
            await world.submit(info, ComeBack(seat))
        case "rest" if persons:
            await world.submit(info, Vacation(seat, number % 8 * DAY_MS))
        case "undo" if persons:
            await world.submit(info, wishes.Undo(seat, position.revision))
        case "resign" if persons and number % 4 == 0:
            await world.submit(info, wishes.Resign(seat))


async def _nobody_cares(world: World, info: MatchInfo) -> None:
    """From now on no person does anything, and the match ends all the same."""
    rng = Random(1)
    for _ in range(LIMIT):
        row = await world.row(info)
        if row.outcome is not None:
            position = await world.matches.current(info)
            assert position.outcome is not None
            assert (row.deadline_ms, row.waiting_agent, row.short_ms) == (None, None, None)
            return
        position = await world.matches.current(info)
        if row.waiting_agent is not None:
            await world.act(info, position, rng.randrange(1_000), agent=True)
        else:
            assert row.deadline_ms is not None
            world.clock.advance(max(0, row.deadline_ms - world.clock()))
            await world.sweep.round()
        after = await world.matches.current(info)
        assert after.revision > position.revision, "something happened"
    raise AssertionError("it does not end")


def _reply(applied: int, revision: int) -> bytes:
    return f"{applied} {revision}".encode()
